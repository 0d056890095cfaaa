import EchoText
import Testing

@Suite("Voice's download")
struct ModelDownloadTests {
    private let half = TransferProgress(bytes: 50, total: 100, rate: 10)

    @Test("goes from wanted to installed")
    func wholeWay() {
        var download = ModelDownload()
        download.begin()
        #expect(download.state == .waiting && download.isRunning)
        download.received(half)
        #expect(download.state == .downloading(half))
        download.entered(.extracting)
        download.entered(.validating)
        #expect(download.state == .validating)
        download.installed()
        #expect(download.state == .none && !download.isRunning, "whether the voice is here is no matter of a download")
    }

    @Test("keeps the downloaded part when it is stopped")
    func stopped() {
        var download = ModelDownload()
        download.begin()
        download.received(half)
        download.stopped(keeping: half)
        #expect(download.state == .paused(TransferProgress(bytes: 50, total: 100)), "nothing comes any more")
        download.begin()
        download.stopped(keeping: nil)
        #expect(download.state == .none)
    }

    @Test("says what went wrong, in words, and can be tried again")
    func failed() {
        var download = ModelDownload()
        download.begin()
        download.failed(ModelDownloadError.offline)
        guard case .failed(let failure) = download.state else {
            Issue.record("it failed")
            return
        }
        #expect(failure.code == "outbound.offline" && failure.suggestion != nil)
        download.begin()
        #expect(download.state == .waiting)
    }

    @Test("takes no notice of what comes too late")
    func late() {
        for state in [ModelDownload.State.none, .paused(half)] {
            var download = ModelDownload(state)
            download.received(half)
            download.entered(.extracting)
            download.installed()
            download.failed(ModelDownloadError.offline)
            download.stopped(keeping: half)
            #expect(download.state == state)
        }
        var download = ModelDownload(.extracting)
        download.received(half)
        download.begin()
        #expect(download.state == .extracting)
    }

    @Test("says how fast it comes and how long it will take")
    func rate() {
        var rate = TransferRate()
        rate.add(0, at: .zero)
        #expect(rate.bytesPerSecond == nil)
        rate.add(10, at: .milliseconds(100))
        #expect(rate.bytesPerSecond == nil, "too early to know")
        rate.add(1_000, at: .seconds(1))
        #expect(rate.bytesPerSecond == 1_000)
        for second in 2...20 { rate.add(1_000 + Int64(second - 1) * 100, at: .seconds(second)) }
        #expect(rate.bytesPerSecond == 100, "what was long ago does not count")
        #expect(TransferProgress(bytes: 50, total: 100, rate: 10).left == .seconds(5))
        #expect(TransferProgress(bytes: 50, total: 100).left == nil)
        #expect(TransferProgress(bytes: 50, total: .max, rate: 1e-3).left == .seconds(1e9))
        #expect(TransferProgress(bytes: 50, total: 200).fraction == 0.25)
        #expect(TransferProgress(bytes: 50).fraction == nil)
    }

    @Test("sizes are said as a person reads them")
    func sizes() {
        let sizes: [Int64] = [0, 40_000, 57_421_802, 9_940_000, 1_500_000, 1_000_000_000]
        #expect(sizes.map(\.inMegabytes) == ["0 MB", "0 MB", "57 MB", "9.9 MB", "1.5 MB", "1000 MB"])
    }
}
