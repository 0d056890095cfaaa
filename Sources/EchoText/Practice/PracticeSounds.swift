package import Foundation
import OrderedCollections
import Synchronization

/// The sounds of a session's segments, synthesized ahead of time, in bounded memory.
actor PracticeSounds {
    struct Key: Sendable, Hashable {
        let segment: Int
        /// In thousandths, so that equal rates give the same key.
        private let rate: Int

        init(segment: Int, rate: Double) {
            self.segment = segment
            self.rate = Int((rate * 1_000).rounded())
        }
    }

    /// Synthesizes a segment, and hands on the samples as they are made.
    typealias Speaking = @Sendable (_ deliver: @Sendable ([Int16]) -> Void) async throws -> SegmentSound

    /// The limit of stored sound, in bytes: some minutes.
    static let limit = 32 << 20

    /// Ordered by last use, latest last.
    private var kept: OrderedDictionary<Key, SegmentSound> = [:]
    private var size = 0
    private let flights = SingleFlight<Key, SegmentSound>()
    /// The sounds that are being synthesized, as far as they are.
    private var growing: [Key: GrowingSound] = [:]
    private var wanted: [(key: Key, speaking: Speaking)] = []
    private var ahead: (key: Key, task: Task<Void, Never>)?

    /// Returns the sound of a segment: the stored one, the one being synthesized, or a new one.
    ///
    /// - Throws: What `speaking` throws; `CancellationError`.
    func sound(_ key: Key, by speaking: @escaping Speaking) async throws -> SegmentSound {
        if let sound = kept.removeValue(forKey: key) {
            kept[key] = sound
            return sound
        }
        return try await flights.join(key) { try await self.speak(key, by: speaking) }
    }

    /// As ``sound(_:by:)``; the sound is handed on while it is being synthesized.
    ///
    /// - Parameters:
    ///   - key: The segment and its rate.
    ///   - speaking: Synthesizes it.
    ///   - deliver: Receives the samples in order, and where each part begins; the next part when it has returned.
    /// - Returns: The whole sound, once all of it was handed on.
    /// - Throws: What `speaking` and `deliver` throw; `CancellationError`.
    func sound(
        _ key: Key,
        by speaking: @escaping Speaking,
        deliver: @escaping @Sendable (_ part: [Int16], _ start: Int) async throws -> Void
    ) async throws -> SegmentSound {
        let (news, listener) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let growing = kept[key] == nil ? growingSound(key) : GrowingSound()
        growing.report(to: listener)
        let whole = Task {
            defer { listener.finish() }
            return try await self.sound(key, by: speaking)
        }
        do {
            var count = 0
            for await _ in news {
                let part = growing.samples(after: count)
                guard !part.isEmpty else { continue }
                try await deliver(part, count)
                count += part.count
            }
            // A cancelled caller does not wait for what is still synthesized for others.
            try Task.checkCancellation()
            let sound = try await withTaskCancellationHandler {
                try await whole.value
            } onCancel: {
                whole.cancel()
            }
            if count < sound.samples.count { try await deliver(Array(sound.samples[count...]), count) }
            return sound
        } catch {
            whole.cancel()
            throw error
        }
    }

    /// The sound of a segment if it has been spoken.
    func present(_ key: Key) -> SegmentSound? { kept[key] }

    /// Synthesizes these in sequence, instead of those that were pending.
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

    /// Stops the synthesis, and drops everything.
    func close() async {
        wanted = []
        ahead?.task.cancel()
        await flights.stopAll()
        kept = [:]
        size = 0
    }

    private func speak(_ key: Key, by speaking: Speaking) async throws -> SegmentSound {
        let growing = growingSound(key)
        defer { if self.growing[key] === growing { self.growing[key] = nil } }
        let sound = try await withTaskCancellationHandler {
            try await speaking { growing.append($0) }
        } onCancel: {
            growing.giveUp()
        }
        keep(sound, for: key)
        return sound
    }

    /// The sound as far as it is; an empty one where nothing of it has been made, or what was made is given up.
    private func growingSound(_ key: Key) -> GrowingSound {
        if let present = growing[key], !present.isGivenUp { return present }
        let made = GrowingSound()
        growing[key] = made
        return made
    }

    private func speakNext() {
        wanted.removeAll { kept[$0.key] != nil }
        guard ahead == nil, !wanted.isEmpty else { return }
        let (key, speaking) = wanted.removeFirst()
        let task = Task {
            // Callers that request the sound itself get the error.
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

/// A sound that is being synthesized, as far as it is.
private final class GrowingSound: Sendable {
    private struct State {
        var samples: [Int16] = []
        var isGivenUp = false
        var listeners: [AsyncStream<Void>.Continuation] = []
    }

    private let state = Mutex(State())

    /// Whether the rest of it will not come.
    var isGivenUp: Bool { state.withLock(\.isGivenUp) }

    func giveUp() { state.withLock { $0.isGivenUp = true } }

    func append(_ more: [Int16]) {
        let listeners = state.withLock { state in
            state.samples += more
            return state.listeners
        }
        for listener in listeners { listener.yield() }
    }

    /// The samples beyond the first `count`.
    func samples(after count: Int) -> [Int16] { state.withLock { Array($0.samples.dropFirst(count)) } }

    /// Lets `listener` know of the samples that there are, and of those to come.
    func report(to listener: AsyncStream<Void>.Continuation) {
        state.withLock { $0.listeners.append(listener) }
        listener.yield()
    }
}

/// A text to practice, with its voice and settings: the input of a practice track.
package struct PracticeReading: Sendable {
    package let text: PracticeText
    package let voice: Voice
    /// BCP 47.
    package let language: String
    package let settings: PracticeSettings
    private let pauses: NarrationSettings.Pauses
    private let speaking: SegmentSpeaking
    private let segments: PracticeSegments

    /// - Parameters:
    ///   - order: The person's order.
    ///   - library: The library with the text, the settings, the profile and the dictionary.
    ///   - narrator: Synthesizes the segments.
    ///   - voices: The voices that can speak now.
    ///   - time: The time at which hard segments have to be due.
    /// - Throws: ``PracticeError``, ``SynthesisError``, and what reading the source throws.
    package init(
        _ order: PracticeSessions.Order,
        in library: Library,
        by narrator: Narrator,
        voices: [Voice],
        at time: Date
    ) async throws {
        let resolved = try await ResolvedPractice(order, in: library, among: voices, at: time)
        (text, voice, language, settings) = (resolved.text, resolved.voice, resolved.language, resolved.settings)
        let defaults = resolved.defaults
        pauses = defaults.pauses
        speaking = try defaults.speaking(by: narrator, as: voice, speaker: resolved.speaker, naming: text.title.text)
        segments = PracticeSegments(
            of: StringSource(text.text),
            language: language,
            by: settings.granularity,
            segmenter: narrator.segmenter,
            preparation: try defaults.preparation(for: language)
        )
    }

    /// Renders the practice track; see ``PracticeTrack``.
    ///
    /// - Parameters:
    ///   - sink: Receives the sound, at the voice's sample rate; `nil` when only the durations are needed.
    ///   - unspoken: Receives the name of each part that could not be spoken, once.
    ///   - report: Receives each segment once it is on the track.
    /// - Returns: The length of the track, in seconds.
    /// - Throws: As ``PracticeTrack/write(to:speak:report:)``.
    package func track(
        to sink: (any AudioSink)?,
        unspoken: (String) -> Void = { _ in },
        report: (PracticeTrack.Entry) async throws -> Void
    ) async throws -> Double {
        var named: Set<String> = []
        return try await PracticeTrack(of: segments, settings, pauses: pauses).write(
            to: sink,
            speak: { segment, rate in
                let sound = try await speaking.speak(segment.text, rate: rate)
                for part in sound.unspoken where named.insert(part).inserted { unspoken(part) }
                return sound.clip
            },
            report: report
        )
    }
}
