import OrderedCollections

/// The sounds of one session's segments, spoken ahead of the moment at which they are heard, in bounded memory.
actor PracticeSounds {
    struct Key: Sendable, Hashable {
        let segment: Int
        /// In thousandths, so that equal rates are one key.
        private let rate: Int

        init(segment: Int, rate: Double) {
            self.segment = segment
            self.rate = Int((rate * 1_000).rounded())
        }
    }

    typealias Speaking = @Sendable () async throws -> SegmentSound

    /// Bytes of sound that are kept: some minutes.
    static let limit = 32 << 20

    /// Those that were used last stand last.
    private var kept: OrderedDictionary<Key, SegmentSound> = [:]
    private var size = 0
    private let flights = SingleFlight<Key, SegmentSound>()
    private var wanted: [(key: Key, speaking: Speaking)] = []
    private var ahead: (key: Key, task: Task<Void, Never>)?

    /// The sound of a segment: the one that is kept, the one that is being spoken, or a new one.
    ///
    /// - Throws: What `speaking` throws; `CancellationError`.
    func sound(_ key: Key, by speaking: @escaping Speaking) async throws -> SegmentSound {
        if let sound = kept.removeValue(forKey: key) {
            kept[key] = sound
            return sound
        }
        let sound = try await flights.join(key, speaking)
        keep(sound, for: key)
        return sound
    }

    /// The sound of a segment if it has been spoken.
    func present(_ key: Key) -> SegmentSound? { kept[key] }

    /// Speaks these ahead, one after another, in the place of those that were to be spoken before.
    func prepare(_ next: [(key: Key, speaking: Speaking)]) {
        wanted = next
        if let ahead {
            if next.contains(where: { $0.key == ahead.key }) {
                wanted.removeAll { $0.key == ahead.key }
            } else {
                ahead.task.cancel()
            }
        }
        speakNext()
    }

    /// Stops what is being spoken, and forgets everything.
    func close() async {
        wanted = []
        ahead?.task.cancel()
        await flights.stopAll()
        kept = [:]
        size = 0
    }

    private func speakNext() {
        wanted.removeAll { kept[$0.key] != nil }
        guard ahead == nil, !wanted.isEmpty else { return }
        let (key, speaking) = wanted.removeFirst()
        let task = Task {
            // Who asks for the sound itself gets the error.
            _ = try? await self.sound(key, by: speaking)
            ahead = nil
            speakNext()
        }
        ahead = (key, task)
    }

    private func keep(_ sound: SegmentSound, for key: Key) {
        guard kept[key] == nil else { return }
        kept[key] = sound
        size += 2 * sound.samples.count
        while size > Self.limit, kept.count > 1 {
            size -= 2 * kept.removeFirst().value.samples.count
        }
    }
}
