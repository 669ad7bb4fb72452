import Glibc
import Pixels

/// Returns the difference of two colours in just noticeable differences, rounded up: multiples of 0.02 in Oklab. It is
/// 999 if the colours differ and one of them is a special value.
public func visibleDifference(_ left: CellColor, _ right: CellColor) -> Int {
    if left == right { return 0 }
    guard left.bits <= 0xFF_FFFF, right.bits <= 0xFF_FFFF else { return 999 }
    let step = oklab(left) - oklab(right)
    return Int(((step * step).sum().squareRoot() / 0.02).rounded(.up))
}

private let light: [Double] = (0...255).map {
    let value = Double($0) / 255
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
}

private func oklab(_ color: CellColor) -> SIMD3<Double> {
    let (red, green, blue) = (light[color.red], light[color.green], light[color.blue])
    let long = cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
    let medium = cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
    let short = cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
    return SIMD3(0.2104542553, 1.9779984951, 0.0259040371) * long
        + SIMD3(0.7936177850, -2.4285922050, 0.7827717662) * medium
        + SIMD3(-0.0040720468, 0.4505937099, -0.8086757660) * short
}
