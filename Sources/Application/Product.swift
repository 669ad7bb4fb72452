/// The version and the project address of both executables.
public enum Product {
    public static let version = "0.1.0"
    /// The project's address, sent to services if the user configured no contact. A placeholder until gifplay is
    /// published.
    static let address = "https://gifplay.example"
}
