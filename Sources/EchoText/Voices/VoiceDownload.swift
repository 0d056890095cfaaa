/// The download of one voice of the catalogue: a state machine without a clock, files or a network.
///
///     none ─→ waiting ─→ downloading ─→ extracting ─→ validating ─→ none
///      ↑         └────────────┴──────────────┴──────────────┴─→ paused or failed ─→ waiting
///
/// ``VoiceListing/availability`` shows whether the voice is installed afterwards.
package struct VoiceDownload: Sendable, Hashable {
    package enum State: Sendable, Hashable {
        /// No download is running, waiting or partially stored.
        case none
        /// It waits for another download to end.
        case waiting
        case downloading(TransferProgress)
        case extracting
        case validating
        /// It was stopped, or the program ended; the received bytes are stored, and it can be resumed.
        case paused(TransferProgress)
        case failed(Failure)

        /// For programs; never translated.
        package var name: String {
            switch self {
            case .none: "none"
            case .waiting: "waiting"
            case .downloading: "downloading"
            case .extracting: "extracting"
            case .validating: "validating"
            case .paused: "paused"
            case .failed: "failed"
            }
        }
    }

    package private(set) var state: State

    package init(_ state: State = .none) {
        self.state = state
    }

    /// Whether it is waiting or running.
    package var isRunning: Bool {
        switch state {
        case .waiting, .downloading, .extracting, .validating: true
        case .none, .paused, .failed: false
        }
    }

    package var isPaused: Bool {
        if case .paused = state { true } else { false }
    }

    /// The download was requested; also for an installed voice, which it will replace.
    package mutating func begin() {
        if !isRunning { state = .waiting }
    }

    package mutating func received(_ progress: TransferProgress) {
        switch state {
        case .waiting, .downloading: state = .downloading(progress)
        default: break
        }
    }

    /// The archive is complete.
    package mutating func entered(_ phase: InstallPhase) {
        guard isRunning else { return }
        switch phase {
        case .extracting: state = .extracting
        case .validating: state = .validating
        }
    }

    package mutating func installed() {
        if isRunning { state = .none }
    }

    package mutating func failed(_ error: any Error) {
        if isRunning { state = .failed(Failure(error)) }
    }

    /// - Parameter progress: The stored part; `nil` for nothing.
    package mutating func stopped(keeping progress: TransferProgress?) {
        guard isRunning else { return }
        state = progress.map { .paused(TransferProgress(bytes: $0.bytes, total: $0.total)) } ?? .none
    }
}

/// The state of a download, as events report it.
package struct VoiceStatus: Sendable, Hashable {
    package let entry: CatalogueEntry.ID
    package let state: VoiceDownload.State

    package init(entry: CatalogueEntry.ID, state: VoiceDownload.State) {
        self.entry = entry
        self.state = state
    }
}
