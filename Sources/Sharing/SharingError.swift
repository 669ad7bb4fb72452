/// Why a GIF was not saved, or a link not handed on.
public enum SharingError: Error, Equatable, Sendable {
    /// A system call failed; nothing is left behind of a file.
    case system(call: String, path: String, errno: Int32)
    /// No name is free beside those that are there.
    case tooManyOfTheName(String)
    /// No address of the web, so it is handed to nobody.
    case notWeb
    /// There is no screen for a browser, as over ssh: the link is to be opened by hand.
    case noDisplay(link: String)
    /// None of these programs is on the PATH.
    case noProgram(tried: [String], link: String?)
    /// The program would not start; the words are the system's.
    case notStarted(program: String, reason: String)
    /// The program ended with this exit status, or with 128 and the number of the signal that ended it.
    case programFailed(program: String, status: Int32)
}
