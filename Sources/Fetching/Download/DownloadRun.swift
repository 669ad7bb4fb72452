import Catalog

/// Sends the requests of one download, one after another.
struct DownloadRun {
    /// An attempt that received this many bytes counts as a success: the count of retries starts again.
    private static let headway = 64 << 10
    /// The longest wait before a retry, in milliseconds. A server that asks for a longer wait fails the download, which
    /// has no total timeout.
    private static let patience = 60_000
    /// The longest wait in milliseconds if `startRetries` is set and less than `headway` bytes have arrived, because
    /// another file can replace this one.
    private static let patienceAtStart = 2_000

    private let request: Download.Request
    private let feed: DownloadFeed
    private let transport: Transport

    init(_ request: Download.Request, feed: DownloadFeed, transport: Transport) {
        self.request = request
        self.feed = feed
        self.transport = transport
    }

    /// Sends requests until the GIF is complete or the download has failed.
    func run() async {
        do throws(HTTPError) {
            let address = try transport.address(request.url)
            await run(address)
        } catch {
            feed.fail(.transport(error))
        }
    }

    private func run(_ address: WebAddress) async {
        let options = transport.options
        var retry = 0
        while true {
            let before = feed.progress.received
            var question = Question(
                address: address, headers: request.headers,
                rangeHeaders: feed.headersForNextRequest(host: address.host), acceptsCompression: false)
            question.isUsersOwn = request.isUsersOwn
            let answer = await transport.ask(question, sink: feed)
            switch feed.judge(answer) {
            case .whole: return feed.finish()
            case .failed(let error): return feed.fail(error)
            case .again(let error, let retryAfter):
                let received = feed.progress.received
                retry = received - before >= Self.headway ? 1 : retry + 1
                let startRetries = received < Self.headway ? request.startRetries : nil
                if let startRetries, retry > startRetries { return feed.fail(error) }
                var status: Int?
                if case .status(let code, _) = error { status = code }
                let wait = options.wait(
                    beforeRetry: retry, status: status, retryAfter: retryAfter,
                    remaining: startRetries == nil ? Self.patience : Self.patienceAtStart)
                guard let wait else { return feed.fail(error) }
                do { try await options.clock.wait(milliseconds: wait) } catch {
                    return feed.fail(.transport(.cancelled))
                }
            }
        }
    }
}
