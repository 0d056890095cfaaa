package import EchoText

/// A sink that stores its input, for tests to examine.
package actor MemorySink: PlaybackSink {
    package enum State: Sendable, Hashable {
        case open
        case finished
        case discarded
    }

    /// In hertz.
    package nonisolated let sampleRate: Int
    /// All that was appended, in order; empty once discarded.
    package private(set) var samples: [Float] = []
    package private(set) var state = State.open

    package init(sampleRate: Int) {
        self.sampleRate = sampleRate
    }

    package func append(_ clip: AudioClip) async throws {
        precondition(clip.sampleRate == sampleRate, "opened for \(sampleRate) Hz, got a clip of \(clip.sampleRate) Hz")
        try Task.checkCancellation()
        guard state == .open else { throw CancellationError() }
        samples += clip.samples
    }

    package func finish() async throws {
        try Task.checkCancellation()
        guard state == .open else { return }
        state = .finished
    }

    /// Does nothing: what it was given counts as heard.
    package func flush() {}

    package func discard() async {
        guard state == .open else { return }
        state = .discarded
        samples = []
    }
}
