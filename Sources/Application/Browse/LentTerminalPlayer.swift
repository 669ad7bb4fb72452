import Base
import Catalog
import Gallery
import Glibc
import Pixels
import Playback

/// Plays the GIF of the gallery's large view, or random GIFs, on the terminal that the gallery lends.
final class LentTerminalPlayer: GalleryPlayer {
    private let session: ServiceSession
    private let loader: GIFLoader
    private let media: any MediaSource
    private let terminal: any PlaybackTerminal

    init(session: ServiceSession, loader: GIFLoader, media: any MediaSource, terminal: any PlaybackTerminal) {
        (self.session, self.loader, self.media, self.terminal) = (session, loader, media, terminal)
    }

    func play(
        _ reference: GIFReference, tileSize size: PixelSize, from start: Int64, in gallery: GalleryRuntime
    ) -> (end: PlaybackEnd, time: Int64) {
        let language = session.settings.screenLanguage
        let view = LargeView(
            reference, LargeFrames(reference, tileSize: size, media, session.settings.limits, terminal.waker), gallery,
            language)
        let player = Player(
            source: view.frames, terminal: terminal, options: options(in: gallery), label: view.label, start: start,
            delegate: view)
        view.player = player
        return (player.run(), player.loopTime)
    }

    private func options(in gallery: GalleryRuntime) -> PlaybackOptions {
        var options = session.settings.player
        (options.view, options.help, options.hints) = (.large, gallery.help, gallery.hints)
        options.drawing = gallery.drawing
        (options.loops, options.language) = (.forever, session.settings.screenLanguage)
        options.showsKeyHint = false
        options.firstImage = PlaybackOptions.firstImage(number: 0)
        return options
    }

    func playRandom(in gallery: GalleryRuntime) -> (end: PlaybackEnd, event: TerminalEvent?, shown: GIFReference?) {
        guard let list = try? PlaylistResolver.randomFeed(session) else { return (.finished, nil, nil) }
        let slideshow = SlideshowLoop(
            list, session: session, loader: loader, terminal: terminal, actions: GalleryActions(gallery: gallery),
            work: BackgroundWork(session.settings.limits, wake: terminal.waker), gallery: nil)
        slideshow.drawing = gallery.drawing
        return (slideshow.run(), slideshow.leavingEvent, slideshow.slideshow.shownItem)
    }
}

/// Connects the player of the large view with the gallery.
private final class LargeView: PlayerDelegate {
    let frames: LargeFrames
    weak var player: Player?
    private let reference: GIFReference
    private let gallery: GalleryRuntime
    private let language: Language
    private let ownLabel: PlaybackLabel

    init(_ reference: GIFReference, _ frames: LargeFrames, _ gallery: GalleryRuntime, _ language: Language) {
        (self.reference, self.frames, self.gallery, self.language) = (reference, frames, gallery, language)
        ownLabel = reference.label(in: language)
    }

    var label: PlaybackLabel { gallery.complete(ownLabel) }

    func currentNote() -> String? {
        gallery.update()
        let note = frames.note(in: language)
        return note == nil && gallery.isIdle ? nil : note ?? ""
    }

    func takeOutcome() -> ActionResult? { gallery.takeOutcome() }

    func choose(_ drawing: Drawing) { gallery.setDrawing(drawing) }

    func handle(_ event: TerminalEvent) -> PlaybackEnd? {
        if frames.takeFile() { player?.changeFile() }
        guard gallery.handle(event, whilePlaying: reference) else { return .finished }
        player?.setLabel(label)
        return nil
    }

    var file: [UInt8]? { frames.file }
}

/// The actions on a GIF of the screensaver, which the gallery performs.
private struct GalleryActions: PlayedItemActions {
    let gallery: GalleryRuntime

    func perform(_ action: ItemAction, on fetched: FetchedItem) -> ActionResult {
        gallery.perform(action, on: fetched.item)
    }

    func takeOutcome() -> ActionResult? { gallery.takeOutcome() }

    func markViewed(_ item: GIFReference) {}

    func finish() -> [Failure] { [] }
}

/// The frames of the GIF in the large view: of the file of its tile, and then of the original.
final class LargeFrames: FrameSource {
    private enum File: Int, CaseIterable {
        /// The beginning of a file, of which only the first frame is displayed.
        case part
        case small
        case original
    }

    private struct Arrivals {
        var files: [File: [UInt8]] = [:]
        var progress: Download.Progress?
        var failure: Failure?
        /// The files that have arrived or failed.
        var ended: Set<File> = []
    }

    private let arrivals = Monitor(Arrivals())
    private let limits: DecodeLimits
    private let wake: @Sendable () -> Void
    private let fetch: (File) -> Task<Void, Never>
    private var fetches: [Task<Void, Never>] = []
    private var frames: (any FrameSource)?
    /// Of a regular file, which is read while it plays, so that its bytes take no memory; nil for other GIFs.
    private let path: String?
    private var shown: File?
    private var broken: Set<File> = []
    private var defect: GIFError?
    private var hasFrame = false

    init(
        _ reference: GIFReference, tileSize size: PixelSize, _ media: any MediaSource, _ limits: DecodeLimits,
        _ wake: @escaping @Sendable () -> Void
    ) {
        (self.limits, self.wake) = (limits, wake)
        path = reference.path.flatMap { FileIdentity(path: $0)?.isRegular == true ? $0 : nil }
        let isSingle = reference.path != nil || reference.cachePolicy == .embedded
        fetch = { [arrivals] file in
            Task.detached {
                let result = await Result(of: { () async throws(Failure) in
                    try await media.bytes(of: reference, filling: size, isOriginal: file == .original) { part in
                        arrivals.withLock {
                            if isSingle || file == .original { $0.progress = part.progress }
                            if let bytes = part.bytes { $0.files[.part] = bytes }
                        }
                        wake()
                    }
                })
                arrivals.withLock {
                    $0.ended.insert(file)
                    switch result {
                    case .success(let bytes): $0.files[file] = bytes
                    case .failure(let error): $0.failure = error
                    }
                }
                wake()
            }
        }
        if let path {
            play(.original, GIFReader(FileByteSource(path: path), limits: limits))
        } else {
            fetches = (isSingle ? [.small] : [.small, .original]).map(fetch)
        }
    }

    private func play(_ file: File, _ reader: sending GIFReader) {
        (shown, hasFrame) = (file, false)
        frames = DecodeAhead(reader, shouldContinue: { _, _ in file != .part }, wake: wake)
    }

    deinit { for fetch in fetches { fetch.cancel() } }

    /// The whole file that is displayed.
    var file: [UInt8]? {
        guard let shown, shown != .part else { return nil }
        return arrivals.withLock { $0.files[shown] }
            ?? path.flatMap { try? FileSystem.read($0, limit: ITerm2Encoder.largestFile, waits: false) }
    }

    /// Changes to the best file that has arrived and can be decoded.
    /// - Returns: whether the frames come from another file now.
    func takeFile() -> Bool {
        let files = arrivals.withLock { $0.files }
        guard let best = File.allCases.last(where: { files[$0] != nil && !broken.contains($0) }), best != shown,
            let bytes = files[best]
        else { return false }
        if let shown, files[shown] == bytes {
            (self.shown, hasFrame) = (best, false)
            return false
        }
        play(best, GIFReader(MemoryByteSource(bytes), limits: limits))
        return true
    }

    func next() -> FrameStep {
        guard let frames, let shown, !(shown == .part && hasFrame) else { return .pending }
        switch frames.next() {
        case .failed(.noThread):
            let bytes = arrivals.withLock { $0.files[shown] }
            let source: any ByteSource = bytes.map { MemoryByteSource($0) } ?? FileByteSource(path: path ?? "")
            self.frames = DirectFrameSource(GIFReader(source, limits: limits))
            return next()
        case .failed(let error):
            broken.insert(shown)
            defect = error
            (self.frames, self.shown) = (nil, nil)
            // The bytes of a file that cannot be played tell why.
            if fetches.isEmpty { fetches = [fetch(.small)] }
            wake()
            return .pending
        case .frame(let frame):
            hasFrame = true
            return .frame(frame)
        case let step: return step
        }
    }

    func rewind() { frames?.rewind() }

    func expectReplay(_ isExpected: Bool) { frames?.expectReplay(isExpected) }

    /// What is loading or has failed; nil if the final file is displayed.
    func note(in language: Language) -> String? {
        let now = arrivals.withLock { $0 }
        guard now.ended.count < fetches.count else {
            // Before the first frame, the file can still fail.
            guard shown == nil else { return hasFrame ? nil : "" }
            let reason = language(now.failure ?? defect.map { Failure($0) } ?? .undecodable)
            return language(en: "failed: \(reason)", de: "Fehler: \(reason)")
        }
        let text =
            shown == .small
            ? language(en: "loading the original…", de: "Original lädt …") : language(en: "loading…", de: "lädt …")
        return text + (now.progress.map { " " + language.amount($0) } ?? "")
    }
}
