import Glibc

/// A file system in memory (tmpfs) of limited size, which is unmounted when this object is released.
public final class SmallDisk {
    public let path: String

    /// Whether this process can mount a tmpfs. The first access tries to mount one, because in some containers not even
    /// root has the permission.
    public static let isPossible: Bool = {
        guard let folder = try? TemporaryDirectory() else { return false }
        return (try? SmallDisk(folder.path + "/disk", bytes: 4096)) != nil
    }()

    /// - Parameters:
    ///   - path: the mount point, a directory that is created if it does not exist.
    ///   - bytes: the capacity, which the kernel rounds to whole pages.
    public init(_ path: String, bytes: Int) throws {
        self.path = path
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw ServerError.system(call: "mkdir", errno: errno) }
        guard mount("tmpfs", path, "tmpfs", 0, "size=\(bytes),mode=0700") == 0 else {
            throw ServerError.system(call: "mount", errno: errno)
        }
    }

    public func grow(toBytes bytes: Int) throws { try remount(0, "size=\(bytes)") }

    public func forbidWriting() throws { try remount(MS_RDONLY, nil) }

    private func remount(_ flags: Int, _ options: String?) throws {
        guard mount("tmpfs", path, "tmpfs", UInt(MS_REMOUNT | flags), options) == 0 else {
            throw ServerError.system(call: "mount", errno: errno)
        }
    }

    deinit { umount2(path, Int32(MNT_DETACH)) }
}
