import Application
import Glibc

/// The executable of `browse` and `library`. They need a database, whose library costs every start 2 ms and
/// 5 MB; so they are a program of their own, which takes this one's place: same process, same terminal.
enum Browser {
    static let commands: Set<String> = ["browse", "library"]
    private static let name = "gifplay-browser"

    /// What it is to be started with, where these arguments are for it.
    static func arguments(for arguments: [String]) -> [String]? {
        guard let first = arguments.first else { return nil }
        if commands.contains(first) { return arguments }
        guard first == "help", arguments.count == 2, commands.contains(arguments[1]) else { return nil }
        return [arguments[1], "--help"]
    }

    /// Becomes it; returns where that fails alone.
    static func run(_ arguments: [String] = Array(CommandLine.arguments.dropFirst())) throws(Complaint) {
        guard let own = executable else { throw Complaint("/proc/self/exe cannot be read; is /proc mounted?") }
        let folder = own.split(separator: "/").dropLast().map { "/" + $0 }.joined()
        let places = ["\(folder)/\(name)", "\(folder)/../libexec/gifplay/\(name)"]
        for place in places {
            var argv = ([place] + arguments).map { strdup($0) } + [nil]
            defer { for pointer in argv { free(pointer) } }
            execv(place, &argv)
            // Elsewhere it may still be; anything but absence is worth telling.
            guard errno == ENOENT || errno == ENOTDIR else {
                throw Complaint("\(place) cannot be started: \(String(cString: strerror(errno)))")
            }
        }
        throw Complaint(
            "\(arguments.first ?? "") is in another program, \(name), which is neither in \(folder) nor in "
                + "\(folder)/../libexec/gifplay; scripts/install puts both in their place")
    }

    /// The file that this process runs, links followed.
    private static var executable: String? {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
    }
}
