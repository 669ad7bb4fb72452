/// The user's base directories, as the XDG Base Directory Specification defines them.
public enum XDGDirectory: Sendable {
    case cache
    case configuration
    case data

    /// The directory that the environment sets, or its default below HOME; nil if HOME is not set either.
    public func path(environment: [String: String]) -> String? {
        Self.absolute(environment[variable]) ?? Self.absolute(environment["HOME"]).map { $0 + "/" + standardPath }
    }

    /// The path if it is absolute: the specification says to ignore relative ones.
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
