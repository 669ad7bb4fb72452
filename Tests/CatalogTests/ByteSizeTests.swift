import Catalog
import Testing

@Suite("Byte sizes") struct ByteSizeTests {
    @Test(
        "A file size is printed in a decimal unit and rounded half up",
        arguments: [
            (-1, "0 B"), (0, "0 B"), (999, "999 B"), (1000, "1 kB"), (1499, "1 kB"), (1500, "2 kB"),
            (172_499, "172 kB"), (172_500, "173 kB"), (999_499, "999 kB"), (999_500, "1.0 MB"), (1_249_999, "1.2 MB"),
            (1_250_000, "1.3 MB"), (12_345_678, "12.3 MB"), (999_949_999, "999.9 MB"), (999_950_000, "1.0 GB"),
            (5_050_000_000, "5.1 GB"), (Int.max, "9223372036.9 GB"),
        ])
    func file(bytes: Int, text: String) {
        #expect(ByteSize.file(bytes) == text)
    }

    @Test("A file size can be printed with a decimal comma")
    func decimalMark() {
        #expect(ByteSize.file(1_250_000, decimalMark: ",") == "1,3 MB")
    }

    @Test(
        "A limit is printed in the largest binary unit that represents it exactly",
        arguments: [
            (0, "0 B"), (1000, "1000 B"), (1024, "1 KiB"), (512 << 20, "512 MiB"), (1 << 30, "1 GiB"),
            (3 << 29, "1536 MiB"), (536_870_913, "536870913 B"),
        ])
    func limit(bytes: Int, text: String) {
        #expect(ByteSize.limit(bytes) == text)
    }
}
