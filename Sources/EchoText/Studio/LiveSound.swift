/// The sound of a narration that has been made and is not kept yet, and those who wait for more of it.
struct LiveSound {
    /// Where ``tail`` begins, in samples from the narration's start; what comes before is kept.
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

    /// At least one from `position` on, which is not before ``start``, where there is one.
    func samples(from position: Int) -> [Int16] { tail.samples(from: position - start, limit: Self.longestRead) }

    /// Takes the next speech, and the silence after it in samples.
    mutating func append(_ speech: [Int16], silence: Int) {
        tail.append(speech)
        tail.append(silence: silence)
        wakeAll()
    }

    /// Forgets what comes before `position`.
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
