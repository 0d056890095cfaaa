package import EchoText
import Synchronization

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

/// A loudspeaker in memory, which keeps what each of its streams was sent, and how that ended.
package final class MemoryLoudspeaker: PlaybackOutput {
    package struct Stream: Sendable, Hashable {
        /// In hertz.
        package let sampleRate: Int
        /// All that was appended, in order, also once discarded.
        package fileprivate(set) var samples: [Float] = []
        /// How often it fell silent and stayed open.
        package fileprivate(set) var flushes = 0
        package fileprivate(set) var state = MemorySink.State.open
    }

    /// The sink of one stream.
    package struct Sink: PlaybackSink {
        fileprivate let loudspeaker: MemoryLoudspeaker
        fileprivate let number: Int

        package func append(_ clip: AudioClip) async throws {
            try Task.checkCancellation()
            try loudspeaker.change(number) { stream in
                precondition(clip.sampleRate == stream.sampleRate, "a clip of another rate than the stream's")
                guard stream.state == .open else { throw CancellationError() }
                stream.samples += clip.samples
            }
        }

        package func finish() async throws {
            try Task.checkCancellation()
            loudspeaker.end(number, as: .finished)
        }

        package func flush() async { loudspeaker.flush(number) }

        package func discard() async { loudspeaker.end(number, as: .discarded) }
    }

    private let opened = Mutex<[Stream]>([])

    package init() {}

    /// In the order of opening.
    package var streams: [Stream] { opened.withLock(\.self) }

    package func open(sampleRate: Int) async throws -> any PlaybackSink { sink(sampleRate: sampleRate) }

    package func sink(sampleRate: Int) -> Sink {
        opened.withLock { streams in
            streams.append(Stream(sampleRate: sampleRate))
            return Sink(loudspeaker: self, number: streams.count - 1)
        }
    }

    package func stretcher(sampleRate: Int, speed: Double) throws -> any TempoStretcher {
        throw AudioFileError.noSoundOutput
    }

    private func change(_ number: Int, _ change: (inout Stream) throws -> Void) throws {
        try opened.withLock { try change(&$0[number]) }
    }

    private func flush(_ number: Int) {
        opened.withLock { streams in
            if streams[number].state == .open { streams[number].flushes += 1 }
        }
    }

    private func end(_ number: Int, as state: MemorySink.State) {
        opened.withLock { streams in
            if streams[number].state == .open { streams[number].state = state }
        }
    }
}
