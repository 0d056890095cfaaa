import API
import EchoText
import Hummingbird

/// The state of a download, as the page receives it.
struct VoiceStateResponse: ResponseEncodable {
    /// Only in events: the entry concerned.
    var entry: String?
    let state: String
    @Nullable var bytes: Int64? = nil
    @Nullable var total: Int64? = nil
    /// Bytes per second.
    @Nullable var rate: Double? = nil
    @Nullable var secondsLeft: Double? = nil
    @Nullable var failure: FailureResponse? = nil

    init(_ status: VoiceStatus) {
        self.init(status.state)
        entry = status.entry.rawValue
    }

    init(_ state: VoiceDownload.State) {
        self.state = state.name
        switch state {
        case .downloading(let progress), .paused(let progress):
            (bytes, total, rate) = (progress.bytes, progress.total, progress.rate)
            secondsLeft = progress.left.map { $0 / .seconds(1) }
        case .failed(let failure): self.failure = FailureResponse(failure)
        default: break
        }
    }
}
