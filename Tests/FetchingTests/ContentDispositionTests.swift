import Catalog
import Testing

@Suite("File names of servers") struct ContentDispositionTests {
    @Test(
        "The name of Content-Disposition is taken, without folders and control characters",
        arguments: [
            ("attachment; filename=x.gif", "x.gif"), ("inline; filename=\"a b.gif\"", "a b.gif"),
            ("attachment; filename=\"a;b\\\"c.gif\"; size=3", "a;b\"c.gif"),
            ("attachment; filename=\"old.gif\"; filename*=UTF-8''na%C3%AFve%20cat.gif", "naïve cat.gif"),
            ("attachment; filename*=iso-8859-1'en'na%EFve.gif", "naïve.gif"),
            ("attachment;FILENAME = \"C:\\\\Users\\\\me\\\\cat.gif\"", "cat.gif"),
            ("attachment; filename=../../etc/passwd", "passwd"),
            ("attachment; filename*=UTF-8''..%2F..%2F%1B%5B31mx.gif", "x.gif"),
            ("attachment; filename*=broken; filename=y.gif", "y.gif"), ("attachment", nil), ("", nil),
            ("attachment; filename=\"\"", nil), ("attachment; filename=\"/\"", nil),
            ("attachment; filename*=UTF-8''%E9.gif", "\u{FFFD}.gif"),
        ] as [(String, String?)])
    func names(header: String, name: String?) { #expect(ContentDisposition.fileName(header) == name) }
}
