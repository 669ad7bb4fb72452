import CCurl

/// The library that performs transfers.
public enum CurlLibrary {
    /// Loads libcurl.
    /// - Returns: the names and versions of libcurl and its libraries, such as "libcurl/7.88.1 OpenSSL/3.0.11 …", or
    ///   the reason why it cannot be loaded.
    public static func load() -> (versions: String?, problem: String?) {
        if let problem = gifplay_curl_load(nil) { return (nil, String(cString: problem)) }
        return (String(cString: gifplay_curl_version()), nil)
    }
}
