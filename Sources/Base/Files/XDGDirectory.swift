/// The user's base directories, as the XDG Base Directory Specification defines them.
public enum XDGDirectory: Sendable {
    case cache
    case configuration
    case data

    /// The directory in the XDG variable, or the default below HOME; nil if neither variable is an absolute path.
    public func path(environment: [String: String]) -> String? {
        let (variable, standard) = names
        return Self.absolute(environment[variable]) ?? Self.absolute(environment["HOME"]).map { $0 + "/" + standard }
    }

    /// Nil for a relative path, because the specification requires that it is ignored.
    public static func absolute(_ path: String?) -> String? {
        guard let path, path.hasPrefix("/") else { return nil }
        return path
    }

    private var names: (variable: String, standard: String) {
        switch self {
        case .cache: ("XDG_CACHE_HOME", ".cache")
        case .configuration: ("XDG_CONFIG_HOME", ".config")
        case .data: ("XDG_DATA_HOME", ".local/share")
        }
    }
}
