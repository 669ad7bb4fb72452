import Pixels
import Testing

@Suite("Fitting a canvas to its box")
struct PictureFitTests {
    private let pane = CellSize(columns: 80, rows: 24)

    @Test("The picture is as wide or as high as the box and keeps its aspect ratio", arguments: [1.0, 2.0, 2.3])
    func keepsAspect(cellAspect: Double) {
        let fit = PictureFit(cellAspect: cellAspect)
        for (width, height) in [(480, 270), (270, 480), (500, 500), (33, 1000), (1000, 33), (17, 19)] {
            let target = fit.target(for: PixelSize(width: width, height: height), in: pane)
            #expect(target.width <= 80 && target.height <= 48)
            #expect(target.width == 80 || target.height == 48)
            // A half-block pixel is as wide as a cell and half as high as a cell. Rounding changes each side of the
            // picture by at most half a pixel.
            let seenHeight = Double(target.height) * cellAspect / 2
            let scale = Double(target.width) / Double(width)
            let error = abs(seenHeight - Double(height) * scale)
            let bound = cellAspect / 4 + 0.5 * Double(height) / Double(width) + 1e-9
            #expect(error <= bound, "\(width)x\(height) became \(target)")
        }
    }

    @Test("With square half-block pixels, a canvas with the aspect ratio of the box fills the box")
    func fills() {
        let fit = PictureFit()
        #expect(fit.target(for: PixelSize(width: 160, height: 96), in: pane) == PixelSize(width: 80, height: 48))
        #expect(fit.target(for: PixelSize(width: 10, height: 6), in: pane) == PixelSize(width: 80, height: 48))
    }

    @Test("If enlarging is disabled, a small canvas keeps its size, and a large canvas shrinks")
    func noEnlarging() {
        let fit = PictureFit(enlarges: false)
        #expect(fit.target(for: PixelSize(width: 10, height: 7), in: pane) == PixelSize(width: 10, height: 7))
        #expect(fit.target(for: PixelSize(width: 800, height: 480), in: pane) == PixelSize(width: 80, height: 48))
    }

    @Test("Pixel art is enlarged only by integer factors")
    func wholeFactors() {
        let fit = PictureFit(filter: .pixelated)
        #expect(fit.target(for: PixelSize(width: 30, height: 20), in: pane) == PixelSize(width: 60, height: 40))
        #expect(fit.target(for: PixelSize(width: 41, height: 20), in: pane) == PixelSize(width: 41, height: 20))
        #expect(fit.target(for: PixelSize(width: 16, height: 16), in: pane) == PixelSize(width: 48, height: 48))
    }

    @Test("With subcells, a picture of at least 16 cells ends with a whole cell", arguments: SubcellGrid.allCases)
    func wholeCells(grid: SubcellGrid) {
        for canvas in [(480, 270), (245, 245), (500, 341), (1000, 175), (1000, 60)] {
            let canvas = PixelSize(width: canvas.0, height: canvas.1)
            let target = PictureFit().target(for: canvas, in: pane, pixelsPerCell: grid.size)
            let aspect = Double(canvas.height) / Double(canvas.width)
            let exact = Double(target.width * grid.size.height) / 4 * aspect
            #expect(abs(Double(target.height) - exact) <= max(0.5, exact / 32) + 1)
            #expect(target.width % 2 == 0)
            #expect(target.height % grid.size.height == 0 || target.height < 16 * grid.size.height)
        }
        let small = PixelSize(width: 15, height: 15)
        let natural = PictureFit(enlarges: false).target(for: small, in: pane, pixelsPerCell: grid.size)
        #expect(natural.width % small.width == 0)
    }

    @Test(
        "The target size is at least one pixel and never exceeds the box",
        arguments: [(1, 65535), (65535, 1), (65535, 65535), (1, 1), (0, 0)],
        [CellSize(columns: 80, rows: 24), CellSize(columns: 1, rows: 1), CellSize(columns: 0, rows: 0)])
    func extremes(side: (Int, Int), box: CellSize) {
        for aspect in [1.0, 2.0, 2.3] {
            for filter in [PictureFit.Filter.smooth, .pixelated] {
                let fit = PictureFit(filter: filter, cellAspect: aspect)
                let target = fit.target(for: PixelSize(width: side.0, height: side.1), in: box)
                #expect((1...max(1, box.columns)).contains(target.width))
                #expect((1...max(1, box.rows) * 2).contains(target.height))
            }
        }
    }
}
