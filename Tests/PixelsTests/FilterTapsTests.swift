import Foundation
import TestSupport
import Testing

@testable import Pixels

@Suite("Filter weights and linear light")
struct FilterTapsTests {
    private static let pairs = [
        (1, 1), (1, 7), (2, 3), (3, 2), (7, 1), (10, 10), (480, 80), (270, 45), (65535, 3), (101, 100), (5, 64),
        (97, 31),
    ]

    @Test("The weights of a target pixel sum to 1 and belong to existing source pixels", arguments: pairs)
    func sum(source: Int, target: Int) {
        for filter in [PictureFit.Filter.smooth, .pixelated] {
            let taps = FilterTaps(source: source, target: target, filter: filter)
            #expect(taps.spans.count == target)
            for span in taps.spans {
                let weights = taps.weights[span.weightIndex..<span.weightIndex + span.count]
                #expect(abs(weights.reduce(0) { $0 + Double($1) } - 1) < 1e-5)
                #expect(weights.allSatisfy { $0 >= 0 })
                #expect(span.start >= 0 && span.start + span.count <= source)
            }
        }
    }

    @Test("Shrinking gives every source pixel the same total weight", arguments: pairs)
    func covers(source: Int, target: Int) {
        guard target <= source else { return }
        let taps = FilterTaps(source: source, target: target, filter: .smooth)
        var shares = Array(repeating: 0.0, count: source)
        for span in taps.spans {
            for tap in 0..<span.count { shares[span.start + tap] += Double(taps.weights[span.weightIndex + tap]) }
        }
        let fair = Double(target) / Double(source)
        #expect(shares.allSatisfy { abs($0 - fair) < fair * 1e-3 })
    }

    @Test("A range of source pixels is mapped to exactly the target pixels that depend on them", arguments: pairs)
    func touching(source: Int, target: Int) {
        for filter in [PictureFit.Filter.smooth, .pixelated] {
            let taps = FilterTaps(source: source, target: target, filter: filter)
            var random = SeededRandom(UInt64(source * 100 + target))
            for _ in 0..<20 {
                let lower = Int.random(in: 0..<source, using: &random)
                let upper = Int.random(in: lower + 1...source, using: &random)
                let touched = taps.spans.indices.filter { index in
                    let span = taps.spans[index]
                    return (span.start..<span.start + span.count).overlaps(lower..<upper)
                }
                let range = taps.targets(touching: lower, upper)
                #expect(Array(range) == touched, "\(lower)..<\(upper)")
            }
        }
    }

    @Test("Every value is unchanged after conversion to linear light and back")
    func roundTrip() {
        let transfer = TransferFunction.shared
        for value in 0..<256 { #expect(encoded(transfer.linear[value]) == value) }
    }

    @Test("The conversion to linear light follows the sRGB formula")
    func formula() {
        for value in 0..<256 {
            let encoded = Double(value) / 255
            let expected = encoded <= 0.04045 ? encoded / 12.92 : pow((encoded + 0.055) / 1.055, 2.4)
            #expect(abs(Double(TransferFunction.shared.linear[value]) - expected) < 1e-6)
        }
    }

    @Test("Linear light is converted to the nearest sRGB value")
    func rounding() {
        func light(_ value: Double) -> Float {
            let encoded = value / 255
            return Float(encoded <= 0.04045 ? encoded / 12.92 : pow((encoded + 0.055) / 1.055, 2.4))
        }
        for value in 0..<255 {
            #expect(encoded(light(Double(value) + 0.49)) == value)
            #expect(encoded(light(Double(value) + 0.51)) == value + 1)
        }
        #expect(encoded(-1e-6) == 0)
        #expect(encoded(1 + 1e-5) == 255)
    }

    @Test("Each channel is converted on its own")
    func channels() {
        let transfer = TransferFunction.shared
        let light = SIMD4(transfer.linear[3], transfer.linear[130], transfer.linear[251], 1)
        #expect(transfer.color(light) == CellColor(red: 3, green: 130, blue: 251))
    }

    /// Returns the sRGB value of a grey with this light.
    private func encoded(_ light: Float) -> Int {
        TransferFunction.shared.color(SIMD4(light, light, light, 1)).green
    }
}
