import EchoText
import Testing

@testable import EchoTextCLI

@Suite("A download's line")
struct DownloadLineTests {
    @Test("says how much, how fast and how long, as far as it is known")
    func words() {
        let whole = TransferProgress(bytes: 7_000_000, total: 57_000_000, rate: 2_000_000)
        #expect(whole.words == "12 %, 7.0 MB of 57 MB, 2.0 MB/s, 0:25 left")
        #expect(TransferProgress(bytes: 7_000_000).words == "7.0 MB")
    }
}
