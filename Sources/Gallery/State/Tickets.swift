/// Provides the numbers that identify requests. No number is provided twice.
struct Tickets: Equatable, Sendable {
    private var last = 0

    mutating func next() -> Int {
        last += 1
        return last
    }
}
