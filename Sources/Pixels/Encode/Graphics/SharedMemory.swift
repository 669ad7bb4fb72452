import Glibc

/// POSIX shared memory, through which a terminal on this machine gets images. It deletes each object after reading.
public final class SharedMemory {
    private let limit: Int
    /// The names begin with the process and the time, so that no two instances have the same names. Otherwise, a
    /// delayed command of an earlier instance could make the terminal read an object of a later instance.
    private let prefix: String
    private var next = 0
    private var names: Set<String> = []

    /// - Parameter limit: the maximum number of unread objects. It limits the memory if the terminal is slow or hangs.
    public init(limit: Int) {
        self.limit = limit
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        prefix = "gifplay-\(getpid())-\(time.tv_sec)-\(time.tv_nsec)-"
    }

    /// Stores bytes in a new object that only programs of the same user can read.
    /// - Returns: the name of the object; nil if the terminal has not read the object that was stored `limit` calls
    ///   earlier, or if there is not enough memory.
    public func store(_ bytes: UnsafeRawBufferPointer) -> String? {
        let name = "/\(prefix)\(next)"
        next = (next + 1) % limit
        let object = shm_open(name, O_CREAT | O_EXCL | O_RDWR, 0o600)
        guard object >= 0 else { return nil }
        defer { close(object) }
        // Uses write(2), because with mapped memory, SIGBUS would end the process if the system had no memory left.
        guard write(object, bytes.baseAddress, bytes.count) == bytes.count else {
            shm_unlink(name)
            return nil
        }
        names.insert(name)
        return name
    }

    /// Deletes the objects that the terminal has not read.
    /// - Returns: whether at least one object was deleted.
    @discardableResult
    public func removeUnread() -> Bool {
        let unread = names.filter { shm_unlink($0) == 0 }
        names.removeAll()
        return !unread.isEmpty
    }

    /// Deletes the unread objects of all instances in this process. Call this if the terminal will not get their names.
    public static func removeAll() { remove { process, _ in process == getpid() } }

    /// Deletes the objects of killed processes of this user. Not those of the last minute: in a container, the process of
    /// another one, which shares this memory, seems to have ended.
    public static func removeAbandoned() {
        remove { process, age in age > 60 && kill(process, 0) != 0 && errno == ESRCH }
    }

    /// - Parameter isUnused: gets the process that stored an object, and the age of the object in seconds.
    private static func remove(where isUnused: (_ process: pid_t, _ age: Int) -> Bool) {
        // glibc stores the objects in this directory.
        guard let directory = opendir("/dev/shm") else { return }
        defer { closedir(directory) }
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            var status = stat()
            guard name.hasPrefix("gifplay-"),
                let process = pid_t(name.dropFirst(8).prefix { $0 != "-" }),
                fstatat(dirfd(directory), name, &status, AT_SYMLINK_NOFOLLOW) == 0,
                isUnused(process, time(nil) - status.st_mtim.tv_sec)
            else { continue }
            shm_unlink("/" + name)
        }
    }
}
