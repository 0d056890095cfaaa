/// The sound of a narration from a given sample to its end, while it is made, in chunks of 16-bit samples.
///
/// A slow listener misses nothing: samples that were stored meanwhile are read from the library.
package struct NarrationSound: AsyncSequence, AsyncIteratorProtocol, Sendable {
    package typealias Element = [Int16]

    private let id: AudioItem.ID
    private let queue: NarrationQueue
    private let library: Library
    private var position: Int
    /// The recording that the narration became.
    private var reader: RecordingReader?

    init(of id: AudioItem.ID, from start: Int, at queue: NarrationQueue, in library: Library) {
        (self.id, self.queue, self.library, position) = (id, queue, library, start)
    }

    package func makeAsyncIterator() -> NarrationSound { self }

    /// Returns at least one sample as soon as there is one; `nil` at the end.
    ///
    /// - Throws: ``LibraryError/itemNotFound``, ``VaultError``, `CancellationError`.
    package mutating func next() async throws -> [Int16]? {
        try Task.checkCancellation()
        let samples = try await more()
        position += samples?.count ?? 0
        return samples
    }

    private mutating func more() async throws -> [Int16]? {
        if reader == nil {
            switch try await queue.live(id, from: position) {
            case .samples(let samples): return samples
            case .over: return nil
            case .notSpoken: break
            }
            if try await library.audio.item(id) != nil {
                reader = try await RecordingReader(of: library.audio.sound(of: id))
            }
        }
        if let reader {
            let samples = try await reader.samples(from: position)
            return samples.isEmpty ? nil : samples
        }
        do {
            let kept = try await library.jobs.samples(ofJob: id, from: position, limit: .max)
            return kept.isEmpty ? nil : kept
        } catch LibraryError.jobNotFound {
            throw LibraryError.itemNotFound
        }
    }
}

/// The sound of a narration that is not stored yet, and the tasks waiting for more.
struct LiveSound {
    /// The start of ``tail``, in samples from the narration's start; earlier samples are stored.
    private(set) var start: Int
    private var tail = SampleRuns()
    /// Most samples that are read at once.
    private static let longestRead = 1 << 18
    private(set) var isOver = false
    private var listeners: [Int: CheckedContinuation<Void, Never>] = [:]
    private var nextListener = 0

    init(from start: Int) {
        self.start = start
    }

    /// How many samples there are in all.
    var end: Int { start + tail.count }

    /// At least one sample from `position` on, which is not before ``start``, if there is one.
    func samples(from position: Int) -> [Int16] { tail.samples(from: position - start, limit: Self.longestRead) }

    /// Appends speech, and a number of samples of silence.
    mutating func append(_ speech: [Int16], silence: Int) {
        tail.append(speech)
        tail.append(silence: silence)
        wakeAll()
    }

    /// Drops the samples before `position`.
    mutating func keepFrom(_ position: Int) {
        let gone = min(max(0, position - start), tail.count)
        tail.removeFirst(gone)
        start += gone
    }

    mutating func finish() {
        isOver = true
        wakeAll()
    }

    mutating func ticket() -> Int {
        nextListener += 1
        return nextListener
    }

    mutating func wait(_ listener: Int, _ continuation: CheckedContinuation<Void, Never>) {
        listeners[listener] = continuation
    }

    mutating func wake(_ listener: Int) {
        listeners.removeValue(forKey: listener)?.resume()
    }

    private mutating func wakeAll() {
        for listener in listeners.values { listener.resume() }
        listeners = [:]
    }
}
