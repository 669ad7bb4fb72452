/// Colours in Oklab, a colour space in which the distance of two colours is close to the visible difference.
///
/// Reference: Björn Ottosson, "A perceptual color space for image processing", 2020.
enum Oklab {
    typealias Color = SIMD4<Float>

    /// Returns the Oklab coordinates (lightness, a and b) of a colour in linear light. The fourth lane is 0.
    static func color(_ light: SIMD4<Float>) -> Color {
        let long = cubeRoot(0.412_221_47 * light.x + 0.536_332_55 * light.y + 0.051_445_995 * light.z)
        let medium = cubeRoot(0.211_903_5 * light.x + 0.680_699_5 * light.y + 0.107_396_96 * light.z)
        let short = cubeRoot(0.088_302_46 * light.x + 0.281_718_85 * light.y + 0.629_978_7 * light.z)
        return Color(0.210_454_26, 1.977_998_5, 0.025_904_037, 0) * long
            + Color(0.793_617_8, -2.428_592_2, 0.782_771_77, 0) * medium
            + Color(-0.004_072_047, 0.450_593_7, -0.808_675_77, 0) * short
    }

    /// Returns the square of the distance between two colours, with weights for the squares of the coordinates.
    @inline(__always)
    static func distance(_ left: Color, _ right: Color, _ weights: Color = .one) -> Float {
        let step = left - right
        return (step * step * weights).sum()
    }

    /// Whether the colour looks grey: its chroma is below 0.02. The chroma of a full red is 0.26.
    static func isNeutral(_ color: Color) -> Bool { color.y * color.y + color.z * color.z < 0.02 * 0.02 }

    /// Returns the colour to look for in a palette of 8 or 16 colours, which has vivid colours only: with a chroma near
    /// that of a full red and a higher contrast. The hue stays. Greys do not change.
    static func vivid(_ color: Color) -> Color {
        let chroma = (color.y * color.y + color.z * color.z).squareRoot()
        var result = color * (0.32 / (chroma + 0.07))
        result.x = color.x + 0.6 * (color.x - 0.5) * min(1, chroma / 0.04)
        return result
    }

    /// - Parameter value: a number that is not negative.
    private static func cubeRoot(_ value: Float) -> Float {
        guard value > 0 else { return 0 }
        // Dividing the bit pattern by 3 divides the exponent by 3, which results in a first estimate. Three steps of
        // Newton's method then reduce the error below the precision of Float.
        var root = Float(bitPattern: value.bitPattern / 3 + 709_921_077)
        for _ in 0..<3 { root = (2 * root + value / (root * root)) / 3 }
        return root
    }
}
