extension GIFBuilder {
    /// A square GIF without a trailer. Each of its frames has one colour and takes 0.1 s.
    public static func square(_ colors: UInt8..., side: Int = 2) -> GIFBuilder {
        colors.reduce(GIFBuilder(width: side, height: side)) { gif, color in
            gif.frame(color, delay: 10, width: side, height: side)
        }
    }
}
