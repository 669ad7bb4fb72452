/// What both executables say of themselves.
public enum Product {
    public static let version = "0.1.0"
    /// Where the operators of services find out who makes this: Wikimedia's policy asks for it in the
    /// user agent. A placeholder until the project has a public address; the user's own contact joins it.
    static let contact = "https://gifplay.example"
}
