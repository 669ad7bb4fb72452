import Testing

@testable import Base

@Suite struct SHA256Tests {
    private func hexadecimal(_ digest: [UInt8]) -> String {
        digest.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    private func digest(_ pieces: [String]) -> String {
        var sum = SHA256()
        for piece in pieces { Array(piece.utf8).withUnsafeBytes { sum.update($0) } }
        return hexadecimal(sum.digest())
    }

    // The examples of FIPS 180-2.
    @Test(
        "The digest is that of the published examples, regardless of the pieces in which the bytes arrive",
        arguments: [
            ([], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            (["abc"], "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (["a", "", "bc"], "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                ["abcdbcdecdefdefgefghfghighijhi", "jkijkljklmklmnlmnomnopnopq"],
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
        ])
    func examples(pieces: [String], expected: String) { #expect(digest(pieces) == expected) }

    @Test("A digest does not end the computation, and a copy continues independently")
    func copies() {
        var sum = SHA256()
        [UInt8]("ab".utf8).withUnsafeBytes { sum.update($0) }
        var copy = sum
        [UInt8]("x".utf8).withUnsafeBytes { copy.update($0) }
        _ = sum.digest()
        [UInt8]("c".utf8).withUnsafeBytes { sum.update($0) }
        #expect(hexadecimal(sum.digest()) == digest(["abc"]) && hexadecimal(copy.digest()) == digest(["abx"]))
    }
}
