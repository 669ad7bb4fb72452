/// The version of the program. `scripts/package` reads it from this file.
public enum Product {
    public static let version = "1.0.0"
}
