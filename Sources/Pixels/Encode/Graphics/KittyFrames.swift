/// The frames of a GIF that a terminal keeps in one animated image.
///
/// The terminal numbers its frames from 1 on, in the order in which they arrive, and repeats them in this order. A loop
/// has no beginning, so the terminal's first frame can be any frame of the GIF. For a frame that was dropped, the terminal
/// gets an empty one, which a later loop iteration fills.
struct KittyFrames {
    /// The frame of the GIF that is the terminal's first one.
    private var first = 0
    /// For each of the terminal's frames, whether it has its picture.
    private var isFilled: [Bool] = []
    /// The number of the GIF's frames; nil until it is known.
    private var total: Int?
    /// The index of the current frame in ``isFilled``. Can exceed the last index.
    private(set) var current = 0
    /// The index of the frame that was sent last; nil if there is none.
    private(set) var latest: Int?
    /// An estimate of the terminal's memory, in bytes.
    private var memory = 0

    var count: Int { isFilled.count }

    /// Begins the frame `number` of the GIF. Removes all frames if the terminal cannot insert it.
    mutating func begin(_ number: Int, of total: Int?) {
        self.total = total
        if isFilled.isEmpty || index(of: number) == nil {
            self = KittyFrames()
            (first, self.total) = (number, total)
        }
        current = index(of: number) ?? 0
    }

    /// The index of a frame of the GIF; nil if the number of frames must be known first.
    func index(of number: Int) -> Int? { number >= first ? number - first : total.map { number - first + $0 } }

    func isStored(_ number: Int) -> Bool { index(of: number).map { $0 < isFilled.count && isFilled[$0] } ?? false }

    mutating func appendEmpty() { isFilled.append(false) }

    /// Records that the current frame is sent.
    /// - Returns: false if the frames then need more memory than `limit`.
    mutating func fill(_ area: PixelRect, of size: PixelSize, limit: Int) -> Bool {
        // kitty stores the changed pixels of most frames, but the whole picture of every fourth frame or so.
        memory += 4 * (area.width * area.height + size.area / 4)
        if current == isFilled.count { appendEmpty() }
        isFilled[current] = true
        latest = current
        return memory <= limit
    }
}
