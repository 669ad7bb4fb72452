import Catalog

/// Sends the requests of one download, one after another.
struct DownloadRun {
    /// An attempt that receives at least this number of bytes resets the number of retries.
    private static let progressBytes = 64 << 10
    /// In milliseconds. If a server requests a longer wait, the download fails, because it has no total timeout.
    private static let maximumWait = 60_000
    /// In milliseconds, if `startRetries` is set and fewer than `progressBytes` have arrived. It is short because
    /// gifplay can try another file instead.
    private static let maximumWaitAtStart = 2_000

    let request: Download.Request
    let sink: DownloadSink
    let transport: Transport

    func run() async {
        do throws(HTTPError) {
            let address = try transport.address(request.url)
            await run(address)
        } catch {
            sink.fail(.transport(error))
        }
    }

    private func run(_ address: ParsedURL) async {
        let options = transport.options
        var retry = 0
        while true {
            let before = sink.progress.received
            let transportRequest = TransportRequest(
                address: address, headers: request.headers,
                rangeHeaders: sink.headersForNextRequest(host: address.host), mayBeLocal: request.mayBeLocal)
            let result = await transport.send(transportRequest, sink: sink)
            switch sink.nextStep(after: result) {
            case .finish: return sink.finish()
            case .fail(let error): return sink.fail(error)
            case .retry(let error):
                let received = sink.progress.received
                retry = received - before >= Self.progressBytes ? 1 : retry + 1
                let startRetries = received < Self.progressBytes ? request.startRetries : nil
                if let startRetries, retry > startRetries { return sink.fail(error) }
                let wait = options.wait(
                    beforeRetry: retry, after: result,
                    remaining: startRetries == nil ? Self.maximumWait : Self.maximumWaitAtStart)
                guard let wait else { return sink.fail(error) }
                do { try await options.clock.wait(milliseconds: wait) } catch {
                    return sink.fail(.transport(.cancelled))
                }
            }
        }
    }
}
