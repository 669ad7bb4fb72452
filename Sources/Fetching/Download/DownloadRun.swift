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

    /// In milliseconds. The user learns the reason for a longer wait.
    private static let notedWait = 2_000

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
        var decodesBody = true
        while true {
            let before = sink.progress.received
            // Without this field, because a GIF gains nothing by compression, and ranges of a compressed body are useless.
            let headers = sink.headersForNextRequest(host: address.host).merging(["Accept-Encoding": ""]) { $1 }
            let transportRequest = TransportRequest(
                address: address, headers: request.headers, rangeHeaders: headers, decodesBody: decodesBody,
                mayBeLocal: request.mayBeLocal)
            let result = await transport.send(transportRequest, sink: sink)
            // Browsers, too, ignore an unknown encoding, such as "binary".
            if case .undecodable = result { decodesBody = false }
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
                if wait >= Self.notedWait { sink.noteWait(until: options.clock.milliseconds + wait, after: error) }
                do { try await options.clock.wait(milliseconds: wait) } catch {
                    return sink.fail(.transport(.cancelled))
                }
            }
        }
    }
}
