/// The user's base directories, as the XDG Base Directory Specification defines them.
public enum XDGDirectory: Sendable {
    case cache
    case configuration
    case data

    /// The directory in the XDG variable, or the default below HOME; nil if neither variable is an absolute path.
    public func path(environment: [String: String]) -> String? {
        Self.absolute(environment[variable]) ?? Self.absolute(environment["HOME"]).map { $0 + "/" + standardPath }
    }

    /// Nil for a relative path, because the specification requires that it is ignored.
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
