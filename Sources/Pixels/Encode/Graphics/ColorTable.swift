/// Numbers up to 256 colours in the order in which they are added. Colours are found in a hash table with linear probing.
struct ColorTable {
    private(set) var colors: [CellColor] = []
    private var keys = [UInt32](repeating: .max, count: ColorTable.slotCount)
    private var numbers = [UInt8](repeating: 0, count: ColorTable.slotCount)
    private static let slotCount = 1024

    mutating func removeAll() {
        colors.removeAll(keepingCapacity: true)
        for slot in keys.indices { keys[slot] = .max }
    }

    /// Returns the number of the colour with this key, which is added if it is new; nil if there are `limit` colours.
    /// - Parameter key: equal for colours that share a number.
    @inline(__always)
    mutating func number(of color: CellColor, key: UInt32, limit: Int) -> UInt8? {
        var slot = Int((key &* 0x9E37_79B1) >> 22)
        while keys[slot] != key {
            if keys[slot] == .max {
                guard colors.count < limit else { return nil }
                keys[slot] = key
                numbers[slot] = UInt8(colors.count)
                colors.append(color)
                break
            }
            slot = (slot + 1) & (Self.slotCount - 1)
        }
        return numbers[slot]
    }
}
