/// The state of one voice of the catalogue on this machine: a state machine without a clock, files or a network.
///
///     notDownloaded ─→ waiting ─→ downloading ─→ extracting ─→ validating ─→ downloaded ⇄ active
///           ↑             └────────────┴──────────────┴──────────────┴─→ paused or failed ─→ waiting
package struct VoiceDownload: Sendable, Hashable {
    package enum State: Sendable, Hashable {
        case notDownloaded
        /// It waits for the end of another download.
        case waiting
        case downloading(TransferProgress)
        case extracting
        case validating
        case downloaded
        /// It is the voice that speaks when none is named.
        case active
        /// It was stopped, or the program ended; the bytes that have arrived are kept, and it can be resumed.
        case paused(TransferProgress)
        case failed(Failure)

        /// For programs: never translated.
        package var name: String {
            switch self {
            case .notDownloaded: "notDownloaded"
            case .waiting: "waiting"
            case .downloading: "downloading"
            case .extracting: "extracting"
            case .validating: "validating"
            case .downloaded: "downloaded"
            case .active: "active"
            case .paused: "paused"
            case .failed: "failed"
            }
        }
    }

    package private(set) var state: State

    package init(_ state: State = .notDownloaded) {
        self.state = state
    }

    /// Whether it is waiting or running.
    package var isRunning: Bool {
        switch state {
        case .waiting, .downloading, .extracting, .validating: true
        case .notDownloaded, .downloaded, .active, .paused, .failed: false
        }
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
        if isRunning { state = .downloaded }
    }

    package mutating func failed(_ error: any Error) {
        if isRunning { state = .failed(Failure(error)) }
    }

    /// - Parameter progress: What has arrived and is kept; `nil` when nothing.
    package mutating func stopped(keeping progress: TransferProgress?) {
        guard isRunning else { return }
        state = progress.map { .paused(TransferProgress(bytes: $0.bytes, total: $0.total)) } ?? .notDownloaded
    }

    /// Its files, or the fetched part, were removed.
    package mutating func removed() {
        if !isRunning { state = .notDownloaded }
    }
}
