/// The reason why a GIF was not saved, or why a text or a link was not passed to a program.
public enum SharingError: Error, Hashable, Sendable {
    case noDownloadDirectory
    /// A system call failed; no part of a file remains.
    case system(call: String, path: String, errno: Int32)
    /// All numbered variants of this name already exist.
    case noFreeName(String)
    /// The link is not a web address, so it is not passed to any program.
    case notWebAddress
    /// There is no display for a browser, for example over SSH. The user must open the link.
    case noDisplay(link: String)
    /// None of these programs is in PATH.
    case noProgram(tried: [String], link: String?)
    case notStarted(program: String, reason: String)
    /// The program failed. `status` is its exit status, or 128 plus the number of the signal that ended it.
    case programFailed(program: String, status: Int32)
}
