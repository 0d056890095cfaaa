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
