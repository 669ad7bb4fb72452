import Base
import Catalog
import Gallery
import LoadingSupport
import Pixels
import TestServer
import Testing

@testable import Application

@Suite("Media of services", .timeLimit(.minutes(5)))
struct ServiceMediaTests {
    private let folder: TemporaryDirectory
    private let media: ServiceMedia

    init() throws {
        folder = try TemporaryDirectory()
        let settings = try Settings(
            isOffline: true, size: (80, 48), environment: ["XDG_CACHE_HOME": folder.path])
        media = ServiceMedia(loader: GIFLoader(ServiceSession(settings)))
    }

    private func store(_ bytes: [UInt8], as url: String) throws {
        let cache = try #require(media.loader.session.cache)
        let writer = try cache.writer(for: url)
        try bytes.withUnsafeBytes { try writer.append($0) }
        try writer.commit()
    }

    private func reference(_ renditions: [Rendition]) -> GIFReference {
        GIFReference(
            provider: "commons", id: "1", title: "cat", attribution: "", renditions: renditions,
            cachePolicy: .persistent)
    }

    private func bytes(_ reference: GIFReference, isOriginal: Bool = false) async throws(Failure) -> [UInt8] {
        try await media.bytes(
            of: reference, filling: PixelSize(width: 20, height: 20), isOriginal: isOriginal, arrived: { _ in })
    }

    private func failure(_ reference: GIFReference) async -> Failure? {
        do throws(Failure) {
            _ = try await bytes(reference)
            return nil
        } catch {
            return error
        }
    }

    @Test("A tile gets the smallest file that fills it, and the large view gets the largest file")
    func sizes() async throws {
        let reference = reference([
            Rendition(url: "https://a.example/large.gif", width: 1_000, height: 1_000, bytes: 400_000),
            Rendition(url: "https://a.example/small.gif", width: 100, height: 100, bytes: 9_000),
        ])
        try store([1], as: "https://a.example/small.gif")
        try store([2], as: "https://a.example/large.gif")
        #expect(try await bytes(reference) == [1])
        #expect(try await bytes(reference, isOriginal: true) == [2])
    }

    @Test("A tile gets a file of few bytes, even if a file of many bytes would fill the tile better")
    func lightFile() async throws {
        let reference = reference([
            Rendition(url: "https://a.example/heavy.gif", width: 1_000, height: 1_000, bytes: 9_000_000),
            Rendition(url: "https://a.example/light.gif", width: 10, height: 10, bytes: 500_000),
        ])
        try store([1], as: "https://a.example/light.gif")
        try store([2], as: "https://a.example/heavy.gif")
        #expect(try await bytes(reference) == [1])
    }

    @Test("If a GIF is not available, the error is the reason")
    func failures() async {
        let url = "https://a.example/a.gif"
        #expect(await failure(reference([Rendition(url: url)])) == .notCached)
        #expect(await failure(reference([])) == .noAddress)
        #expect(await failure(reference([Rendition(url: url, bytes: 1 << 40)])) == .tooLarge(limit: 64 << 20))
    }

    @Test("If the calling task is cancelled, the error is 'cancelled'")
    func cancelled() async {
        let (media, reference) = (media, reference([Rendition(url: "https://a.example/a.gif")]))
        let task = Task { () -> Failure? in
            await waitUntilCancelled()
            do throws(Failure) {
                let size = PixelSize(width: 20, height: 20)
                _ = try await media.bytes(of: reference, filling: size, isOriginal: false, arrived: { _ in })
                return nil
            } catch {
                return error
            }
        }
        task.cancel()
        #expect(await task.value == .cancelled)
    }
}
