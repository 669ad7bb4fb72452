import Application

extension Settings {
    /// Settings from this environment, without a terminal and without options.
    public init(
        source: String? = nil, isOffline: Bool = false, size: (width: Int, height: Int), environment: [String: String]
    ) throws {
        self = try Settings(environment: environment)
        self.source = source
        if isOffline { self.isOffline = true }
        setPictureSize(width: size.width, height: size.height)
    }
}
