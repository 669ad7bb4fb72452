import Base
import Glibc

/// The colours of a terminal type according to the terminfo database.
struct TerminfoColors: Equatable {
    /// The number of palette colours; 0 or negative if there are none.
    var count: Int
    /// Whether the terminal shows 24-bit colours (the extended capabilities `RGB` and `Tc`).
    var isDirect: Bool

}

extension TerminfoColors {
    /// Reads the entry of a terminal type. Returns nil if there is no entry.
    ///
    /// ncurses is loaded here and not linked, because it is rarely needed: most terminals set COLORTERM.
    init?(terminal name: String) {
        let colors: TerminfoColors? = Self.library.withLock { library in
            library = library ?? dlopen("libtinfo.so.6", RTLD_NOW | RTLD_LOCAL) ?? dlopen("libncursesw.so.6", RTLD_NOW)
            return library.flatMap { Self.read(name, from: $0) }
        }
        guard let colors else { return nil }
        self = colors
    }

    /// The loaded library. It has one current terminfo entry per process, which only one thread can use at a time.
    private static let library = Monitor(UnsafeMutableRawPointer?.none)

    private static func read(_ name: String, from library: UnsafeMutableRawPointer) -> TerminfoColors? {
        typealias SetUp = @convention(c) (UnsafePointer<CChar>?, CInt, UnsafeMutablePointer<CInt>?) -> CInt
        typealias GetNumber = @convention(c) (UnsafePointer<CChar>) -> CInt
        typealias GetString = @convention(c) (UnsafePointer<CChar>) -> UnsafePointer<CChar>?
        typealias Select = @convention(c) (OpaquePointer?) -> OpaquePointer?
        typealias Release = @convention(c) (OpaquePointer?) -> CInt
        guard let setUp = dlsym(library, "setupterm"), let number = dlsym(library, "tigetnum"),
            let flag = dlsym(library, "tigetflag"), let string = dlsym(library, "tigetstr"),
            let select = dlsym(library, "set_curterm"), let release = dlsym(library, "del_curterm")
        else { return nil }
        var status: CInt = 0
        // Without a pointer for the status, `setupterm` would end the process if there is no entry.
        guard unsafeBitCast(setUp, to: SetUp.self)(name, STDOUT_FILENO, &status) == 0 else { return nil }
        defer {
            let entry = unsafeBitCast(select, to: Select.self)(nil)
            _ = unsafeBitCast(release, to: Release.self)(entry)
        }
        let getNumber = unsafeBitCast(number, to: GetNumber.self)
        let getFlag = unsafeBitCast(flag, to: GetNumber.self)
        let count = Int(getNumber("colors"))
        // The type of `RGB` is a flag, a number of bits, or a string such as "8/8/8". If the capability is a flag or a
        // number, the returned string is the pointer -1.
        let text = unsafeBitCast(string, to: GetString.self)("RGB").map { Int(bitPattern: $0) } ?? -1
        let isDirect = getFlag("Tc") > 0 || getFlag("RGB") > 0 || getNumber("RGB") > 0 || text != -1
        return TerminfoColors(count: count, isDirect: isDirect)
    }
}
