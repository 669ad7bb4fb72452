import CZlib
import Foundation
import Pixels

/// The pixels of a terminal that shows images of the kitty graphics protocol. Shares no code with the encoder.
public struct KittyScreen {
    public let size: PixelSize
    public let cell: PixelSize
    public private(set) var pixels: [CellColor]
    /// The numbers of the images that were received and not deleted.
    public private(set) var images: Set<Int> = []
    /// The numbers of the images that were received in the last call of ``feed(_:)``, in order.
    public private(set) var updated: [Int] = []
    /// The numbers of all images that were shown, in order.
    public private(set) var shown: [Int] = []
    /// The pixel bytes that were last received for each image number.
    public private(set) var data: [Int: [UInt8]] = [:]
    /// The names of the shared memory objects in all received commands.
    public private(set) var sharedObjects: [String] = []
    /// The number of commands whose shared memory object did not exist. A real terminal ignores such a command.
    public private(set) var missingObjects = 0
    /// Whether the terminal reads shared memory. If not, it ignores images in shared memory.
    public var readsMemory = true
    /// Whether the terminal keeps the frames of an animation.
    public var keepsFrames = false
    /// Whether the terminal scales images to their cells. Their pixels are then in ``animations``, not on the screen.
    public var scales = false
    /// The keys of the command that began the latest image.
    public private(set) var keys: [String: String] = [:]
    /// The images that were received and not deleted, by their numbers.
    public private(set) var animations: [Int: KittyAnimation] = [:]
    /// The replies to queries.
    public private(set) var replies = ""
    private var incomplete = ""
    private var row = 0
    /// The keys and the pixels of the images that no command has shown.
    private var hidden: [Int: (keys: [String: String], raw: [UInt8])] = [:]
    private var pending: (keys: [String: String], data: String)?

    public init(size: PixelSize, cell: PixelSize) {
        self.size = size
        self.cell = cell
        pixels = Array(repeating: .terminalDefault, count: size.area)
    }

    public struct Failure: Error {
        public var text: String
    }

    /// Executes the commands in a program's output. A command is executed when the escape character after it arrives.
    public mutating func feed(_ bytes: [UInt8]) throws {
        updated = []
        let text = incomplete + String(decoding: bytes, as: UTF8.self)
        let parts = text.split(separator: "\u{1B}", omittingEmptySubsequences: false)
        incomplete = "\u{1B}" + (parts.last ?? "")
        for part in parts.dropLast() {
            if part.hasPrefix("["), part.hasSuffix("H") { row = Int(part.dropFirst().prefix { $0 != ";" }) ?? 0 }
            // An inline picture of one image begins as many rows above the cursor as it has.
            if part.hasPrefix("["), part.hasSuffix("A\r") { row = 1 }
            if part == "D" { row += 1 }
            if part == "[>q", keepsFrames { replies += "\u{1B}P>|kitty(0.45.0)\u{1B}\\" }
            if part.hasPrefix("_G") { try execute(part.dropFirst(2)) }
        }
    }

    private mutating func execute(_ command: Substring) throws {
        let fields = command.split(separator: ";", maxSplits: 1)
        let keys = Dictionary(
            uniqueKeysWithValues: fields[0].split(separator: ",").map {
                (String($0.prefix(1)), String($0.dropFirst(2)))
            })
        let data = fields.count > 1 ? String(fields[1]) : ""
        if keys["a"] == "q" { return try reply(keys, data) }
        if keys["i"] == "6777190" { return testFrames(keys) }
        guard keys["q"] == "2" else { throw Failure(text: "the terminal would reply to \(fields[0])") }
        // A pixel that keeps kitty's cache from becoming empty.
        if keys["a"] == "t", keys["i"] == "8388607", data == "AAAAAA==" { return }
        if keys["a"] == "d" {
            images.remove(Int(keys["i"] ?? "") ?? 0)
            animations[Int(keys["i"] ?? "") ?? 0] = nil
            return
        }
        if keys["a"] == "a" { return try control(keys) }
        if keys["a"] == "p" {
            guard let image = hidden.removeValue(forKey: Int(keys["i"] ?? "") ?? 0) else { return }
            return try show(image.keys.merging(keys) { $1 }, image.raw, row: row - 1)
        }
        if let begun = pending?.keys, (begun["a"] == "f") != (keys["a"] == "f") {
            throw Failure(text: "a chunk of another command: \(fields[0])")
        }
        guard data.utf8.count <= 4096 else { throw Failure(text: "a chunk of \(data.utf8.count) bytes") }
        pending = (pending?.keys ?? keys, (pending?.data ?? "") + data)
        guard keys["m"] != "1", let image = pending else { return }
        pending = nil
        // kitty reads the number of an edited frame from the last command.
        let frame = image.keys.merging(["r": keys["r"] ?? "0"]) { $1 }
        if image.keys["a"] == "f" { return try addFrame(frame, image.data) }
        guard let raw = try bytes(image.keys, image.data) else { return }
        guard image.keys["a"] == "t", let number = Int(image.keys["i"] ?? "") else {
            return try show(image.keys, raw, row: row - 1)
        }
        hidden[number] = (image.keys, raw)
        images.insert(number)
    }

    /// Replies to the frame of a test image.
    private mutating func testFrames(_ keys: [String: String]) {
        if keepsFrames, keys["a"] == "f", keys["q"] == nil { replies += "\u{1B}_Gi=6777190,r=2;OK\u{1B}\\" }
    }

    private mutating func addFrame(_ keys: [String: String], _ data: String) throws {
        let image = Int(keys["i"] ?? "") ?? 0
        guard keepsFrames, var animation = animations[image] else { throw Failure(text: "\(keys): no animation") }
        guard let raw = try bytes(keys, data) else { return }
        try animation.add(keys, raw)
        animations[image] = animation
        draw(animation)
    }

    private mutating func control(_ keys: [String: String]) throws {
        let image = Int(keys["i"] ?? "") ?? 0
        guard keepsFrames, animations[image] != nil else { throw Failure(text: "\(keys): no animation") }
        try animations[image]?.control(keys)
        animations[image].map { draw($0) }
    }

    private mutating func draw(_ animation: KittyAnimation) {
        guard !scales else { return }
        let (width, frame) = (animation.size.width, animation.frames[animation.current])
        for y in 0..<animation.size.height {
            for x in 0..<width { pixels[(animation.y + y) * size.width + x] = frame.color(at: y * width + x) }
        }
    }

    private mutating func reply(_ keys: [String: String], _ data: String) throws {
        let raw = try bytes(keys, data)
        guard readsMemory ? raw?.count == 3 : true else { throw Failure(text: "\(keys): not a pixel") }
        replies += "\u{1B}_Gi=\(keys["i"] ?? "");OK\u{1B}\\"
    }

    private mutating func show(_ keys: [String: String], _ raw: [UInt8], row: Int) throws {
        func number(_ key: String) -> Int { Int(keys[key] ?? "") ?? 0 }
        let (width, height, depth) = (number("s"), number("v"), number("f") / 8)
        let isExact = number("c") * cell.width == width && number("r") * cell.height == height
        guard raw.count == width * height * depth, ["T", "p"].contains(keys["a"]), isExact || scales else {
            throw Failure(text: "\(keys): \(raw.count) bytes")
        }
        images.insert(number("i"))
        updated.append(number("i"))
        shown.append(number("i"))
        self.data[number("i")] = raw
        self.keys = keys
        if scales {
            animations[number("i")] = KittyAnimation(
                y: 0, size: PixelSize(width: width, height: height), isOpaque: depth == 3, raw)
        }
        // Only placeholder characters display a virtual image. This screen does not support them.
        if keys["U"] == "1" || scales { return }
        guard row >= 0, width <= size.width, row * cell.height + height <= size.height else {
            throw Failure(text: "\(keys): outside the screen, or without a row")
        }
        let animation = KittyAnimation(
            y: row * cell.height, size: PixelSize(width: width, height: height), isOpaque: depth == 3, raw)
        animations[number("i")] = animation
        draw(animation)
    }

    /// Returns the pixels of an image; nil if they are in shared memory that the terminal does not read.
    private mutating func bytes(_ keys: [String: String], _ data: String) throws -> [UInt8]? {
        guard let data = Data(base64Encoded: data) else { throw Failure(text: "invalid base64") }
        if keys["t"] == "s" { return try readMemory(String(decoding: data, as: UTF8.self)) }
        guard keys["o"] == "z" else { return [UInt8](data) }
        func number(_ key: String) -> Int { Int(keys[key] ?? "") ?? 0 }
        var raw = [UInt8](repeating: 0, count: number("s") * number("v") * number("f") / 8)
        var count = UInt(raw.count)
        let result = [UInt8](data).withUnsafeBufferPointer {
            uncompress(&raw, &count, $0.baseAddress, UInt($0.count))
        }
        guard result == Z_OK else { throw Failure(text: "zlib \(result)") }
        return Array(raw.prefix(Int(count)))
    }

    private mutating func readMemory(_ name: String) throws -> [UInt8]? {
        sharedObjects.append(name)
        guard readsMemory else { return nil }
        let object = shm_open(name, O_RDONLY, 0)
        guard object >= 0, shm_unlink(name) == 0 else {
            missingObjects += 1
            return nil
        }
        defer { close(object) }
        var information = stat()
        fstat(object, &information)
        guard information.st_mode & 0o777 == 0o600 else { throw Failure(text: "\(name) is not private") }
        var bytes = [UInt8](repeating: 0, count: Int(information.st_size))
        guard read(object, &bytes, bytes.count) == bytes.count else { throw Failure(text: "\(name) is cut") }
        return bytes
    }
}

/// The shared memory objects that gifplay's processes have created.
public enum SharedObjects {
    /// Whether shared memory is available. A bare chroot has none.
    public static let areAvailable = access("/dev/shm", W_OK | X_OK) == 0

    public static func names(of process: Int32) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "/dev/shm").filter { $0.hasPrefix("gifplay-\(process)-") }
    }

    /// Returns the names of the objects that still exist.
    public static func existing(_ names: [String]) -> [String] {
        names.filter { access("/dev/shm" + $0, F_OK) == 0 }
    }
}
