package import EchoText

/// The state of a download.
package struct VoiceStateResponse: Encodable, Sendable {
    /// The catalogue's entry; left out where it is known.
    package private(set) var entry: CatalogueEntry.ID?
    package let state: String
    @Nullable package var bytes: Int64?
    /// Bytes.
    @Nullable package var total: Int64?
    /// Bytes per second.
    @Nullable package var rate: Double?
    @Nullable package var secondsLeft: Double?
    /// Set when it failed.
    @Nullable package var failure: FailureResponse?

    package init(_ status: VoiceStatus) {
        self.init(status.state)
        entry = status.entry
    }

    package init(_ state: VoiceDownload.State) {
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
