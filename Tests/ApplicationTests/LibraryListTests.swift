import Catalog
import Testing

@testable import Application
@testable import Library

@Suite("Library list") struct LibraryListTests {
    /// 6 May 2024, 07:08:09 UTC.
    private static let time = 1_714_979_289
    private static let day = 86_400

    private func reference(_ title: String, page: String? = nil) -> GIFReference {
        GIFReference(
            provider: "commons", id: title, title: title, pageURL: page, attribution: "", renditions: [],
            cachePolicy: .persistent)
    }

    @Test("Each line has the marks, the day of the latest mark, the source, the title and the link")
    func table() {
        let cat = reference("A longer cat", page: "https://example.org/1")
        let rows = [
            MarkedGIF(reference: cat, favourite: Self.time, viewed: Self.time + Self.day, views: 2),
            MarkedGIF(reference: reference("Dog"), dismissed: Self.time),
        ]
        #expect(
            LibraryList.table(rows, nil) == [
                "fv-  2024-05-07  commons  A longer cat  https://example.org/1",
                "--d  2024-05-06  commons  Dog         ",
            ])
        #expect(LibraryList.table([], nil).isEmpty)
    }

    @Test("The list of favourites shows the day of the favourite mark, and the history shows the day of the view")
    func oneList() {
        let row = MarkedGIF(reference: reference("Cat"), favourite: Self.time, viewed: Self.time + Self.day, views: 1)
        #expect(LibraryList.table([row], .favourites) == ["fv-  2024-05-06  commons  Cat"])
        #expect(LibraryList.table([row], .history) == ["fv-  2024-05-07  commons  Cat"])
    }

    @Test("The heading names each letter of the marks and fits 80 columns")
    func legend() {
        #expect(["f favourite", "v viewed", "d dismissed"].allSatisfy(LibraryList.legend.contains))
        #expect(LibraryList.legend.count <= 80)
    }

    @Test("The JSON object has the time of each mark, and the number of views if the GIF was viewed")
    func json() {
        let viewed = MarkedGIF(reference: reference("Cat"), viewed: Self.time, views: 3)
        #expect(
            JSONLine.text(ListedMark(viewed))
                == "{\"id\":\"Cat\",\"source\":\"commons\",\"times\":3,\"title\":\"Cat\","
                + "\"viewed\":\"2024-05-06T07:08:09Z\"}")
        let dismissed = MarkedGIF(reference: reference("Dog"), dismissed: Self.time)
        #expect(
            JSONLine.text(ListedMark(dismissed))
                == "{\"dismissed\":\"2024-05-06T07:08:09Z\",\"id\":\"Dog\",\"source\":\"commons\",\"title\":\"Dog\"}")
    }
}
