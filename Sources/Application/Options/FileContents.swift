import FoundationEssentials
import Glibc

/// Reads a small file. Returns nil if the file is missing, unreadable or empty.
func contents(ofFile path: String) -> Data? {
    // Check the size first, because Foundation (6.3) leaks its read buffer of one page when the file is empty.
    var status = stat()
    guard stat(path, &status) == 0, status.st_size > 0 else { return nil }
    return FileManager.default.contents(atPath: path)
}
