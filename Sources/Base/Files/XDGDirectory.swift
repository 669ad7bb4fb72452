/// The user's base directories, as the XDG Base Directory Specification defines them.
public enum XDGDirectory: Sendable {
    case cache
    case configuration
    case data

    /// Returns the directory from its XDG variable in `environment`, or the default directory below HOME. Returns nil
    /// if neither the XDG variable nor HOME is an absolute path.
    public func path(environment: [String: String]) -> String? {
        Self.absolute(environment[variable]) ?? Self.absolute(environment["HOME"]).map { $0 + "/" + standardPath }
    }

    /// Returns the path if it is absolute, and otherwise nil. The specification requires that relative paths are
    /// ignored.
    public static func absolute(_ path: String?) -> String? {
        guard let path, path.hasPrefix("/") else { return nil }
        return path
    }

    private var variable: String {
        switch self {
        case .cache: "XDG_CACHE_HOME"
        case .configuration: "XDG_CONFIG_HOME"
        case .data: "XDG_DATA_HOME"
        }
    }

    private var standardPath: String {
        switch self {
        case .cache: ".cache"
        case .configuration: ".config"
        case .data: ".local/share"
        }
    }
}
