/// The order in which a GIF stores the rows of a frame.
struct RowOrder {
    private let height: Int
    private var y = 0
    private var step: Int
    private var pass = 0

    init(height: Int, isInterlaced: Bool) {
        self.height = height
        step = isInterlaced ? 8 : 1
    }

    mutating func next() -> Int? {
        while y >= height {
            // An interlaced image has four passes, which begin at rows 0, 4, 2 and 1. Other images have one pass.
            guard step > 1, pass < 3 else { return nil }
            pass += 1
            y = 8 >> pass
            if pass > 1 { step >>= 1 }
        }
        defer { y += step }
        return y
    }
}
