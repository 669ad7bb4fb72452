/// The reason why a GIF was not saved, or a link not passed to a program.
public enum SharingError: Error, Equatable, Sendable {
    /// A system call failed; no part of a file remains.
    case system(call: String, path: String, errno: Int32)
    /// All numbered variants of this name are taken.
    case noFreeName(String)
    /// The link is not a web address, so it is not passed to any program.
    case notWebAddress
    /// There is no display for a browser, as over ssh: the user has to open the link.
    case noDisplay(link: String)
    /// None of these programs is in PATH.
    case noProgram(tried: [String], link: String?)
    /// The program did not start; the reason is the message of the system.
    case notStarted(program: String, reason: String)
    /// The program ended with this exit status, or with 128 and the number of the signal that ended it.
    case programFailed(program: String, status: Int32)
}
