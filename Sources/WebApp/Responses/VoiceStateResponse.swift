import EchoText
import Hummingbird

/// How it stands with a download, as the page gets it.
struct VoiceStateResponse: ResponseEncodable {
    /// An event's alone: whom it is about.
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
