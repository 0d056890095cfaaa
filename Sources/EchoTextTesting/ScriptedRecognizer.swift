package import EchoText
internal import Synchronization

/// A recognizer without a model, whose results and errors come from a script.
///
/// ```swift
/// let recognizer = ScriptedRecognizer(saying: ["Good morning.", "How are you?"])
/// recognizer.fail(with: RecognitionError.recognizerDied)
/// ```
package final class ScriptedRecognizer: SpeechRecognizer {
    /// Returns the result for a clip that is not silent.
    ///
    /// `number` counts such clips from 0, over all sessions.
    package typealias Script =
        @Sendable (_ clip: AudioClip, _ number: Int, _ settings: RecognitionSettings) async throws -> RecognizedSpeech

    /// A clip that was passed to the recognizer.
    package struct Request: Sendable, Hashable {
        package let recognizer: Recognizer.ID
        package let settings: RecognitionSettings
        package let clip: AudioClip
    }

    fileprivate struct State {
        var requests: [Request] = []
        var heard = 0
        var openings = 0
        var open = 0
        var failures: [any Error] = []
        var openingFailures: [any Error] = []
        var listingFailures: [any Error] = []
        var removed: Set<Recognizer.ID> = []
    }

    fileprivate let script: Script
    fileprivate let state = Mutex(State())
    private let offered: [Recognizer]

    /// - Parameters:
    ///   - offered: The recognizers that it offers; by default ``standard``.
    ///   - script: The results; by default ``words(in:)``.
    package init(
        _ offered: [Recognizer] = [ScriptedRecognizer.standard],
        script: @escaping Script = { clip, _, _ in ScriptedRecognizer.words(in: clip) }
    ) {
        self.offered = offered
        self.script = script
    }

    /// Makes a recognizer that returns these texts in sequence, and then ``words(in:)``.
    package convenience init(_ offered: [Recognizer] = [ScriptedRecognizer.standard], saying texts: [String]) {
        self.init(offered) { clip, number, _ in
            number < texts.count ? Self.speech(texts[number], in: clip.seconds) : Self.words(in: clip)
        }
    }

    /// `scripted/plain`, which takes everything that a recognizer can take.
    package static let standard = Recognizer(
        id: Recognizer.ID(rawValue: "scripted/plain"),
        name: "Scripted",
        engine: .sherpaOnnx,
        languages: ["mul"],
        timing: .words,
        takesLanguage: true,
        takesHotwords: true,
        takesPrompt: true,
        size: 1_000
    )

    // MARK: - Failures on demand

    /// Makes the next clips fail with these errors, in order.
    package func fail(with errors: any Error...) { state.withLock { $0.failures += errors } }

    /// Makes the next openings fail with these errors, in order.
    package func failOpening(with errors: any Error...) { state.withLock { $0.openingFailures += errors } }

    /// Makes the next requests for the list of recognizers fail with these errors, in order.
    package func failListing(with errors: any Error...) { state.withLock { $0.listingFailures += errors } }

    /// Removes a recognizer from this machine.
    package func remove(_ id: Recognizer.ID) { state.withLock { _ = $0.removed.insert(id) } }

    private var present: [Recognizer] {
        let removed = state.withLock(\.removed)
        return offered.filter { !removed.contains($0.id) }
    }

    // MARK: - What was asked

    /// The clips so far, including silent ones, in order.
    package var requests: [Request] { state.withLock { $0.requests } }
    /// How often a session was opened.
    package var openings: Int { state.withLock { $0.openings } }
    /// How many sessions are open.
    package var openSessions: Int { state.withLock { $0.open } }

    // MARK: - Port

    package func recognizers() async throws -> [Recognizer] {
        let failure = state.withLock { state -> (any Error)? in
            state.listingFailures.isEmpty ? nil : state.listingFailures.removeFirst()
        }
        if let failure { throw failure }
        return present
    }

    package func open(_ id: Recognizer.ID, _ settings: RecognitionSettings) async throws -> any RecognitionSession {
        try Task.checkCancellation()
        guard present.contains(where: { $0.id == id }) else { throw RecognitionError.noSuchRecognizer(id) }
        let failure = state.withLock { state -> (any Error)? in
            guard state.openingFailures.isEmpty else { return state.openingFailures.removeFirst() }
            state.openings += 1
            state.open += 1
            return nil
        }
        if let failure { throw failure }
        return ScriptedRecognitionSession(of: self, id, settings)
    }

    // MARK: - Speech

    /// A text whose words are evenly distributed over `seconds`, each with the confidence 0.9.
    package static func speech(_ text: String, in seconds: Double, timing: Recognizer.Timing = .words)
        -> RecognizedSpeech
    {
        var ranges: [TextRange] = []
        for (index, unit) in text.utf16.enumerated() {
            if Unicode.Scalar(unit)?.properties.isWhitespace == true { continue }
            if let last = ranges.last, last.upperBound == index {
                ranges[ranges.count - 1] = last.lowerBound..<index + 1
            } else {
                ranges.append(index..<index + 1)
            }
        }
        let words = ranges.enumerated().map { index, range in
            let (start, end) = (Double(index) / Double(ranges.count), Double(index + 1) / Double(ranges.count))
            return RecognizedWord(source: range, start: seconds * start, end: seconds * end, confidence: 0.9)
        }
        let isTimed = timing == .words || timing == .tokens
        return RecognizedSpeech(text: text, words: isTimed ? words : [], language: "en", timing: timing)
    }

    /// The words “one”, “two” and so on, one for each half second of the clip, but at least one.
    package static func words(in clip: AudioClip) -> RecognizedSpeech {
        let names = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
        let count = max(1, Int(clip.seconds * 2))
        let text = (0..<count).map { names[$0 % names.count] }.joined(separator: " ")
        return speech(text, in: clip.seconds)
    }
}

private final class ScriptedRecognitionSession: RecognitionSession {
    private let recognizer: ScriptedRecognizer
    private let id: Recognizer.ID
    private let settings: RecognitionSettings
    private let isClosed = Mutex(false)

    init(of recognizer: ScriptedRecognizer, _ id: Recognizer.ID, _ settings: RecognitionSettings) {
        (self.recognizer, self.id, self.settings) = (recognizer, id, settings)
    }

    func recognize(_ clip: AudioClip) async throws -> RecognizedSpeech {
        try Task.checkCancellation()
        let isSilent = !clip.samples.contains { $0 != 0 }
        let (failure, number) = recognizer.state.withLock { state -> ((any Error)?, Int) in
            state.requests.append(.init(recognizer: id, settings: settings, clip: clip))
            guard state.failures.isEmpty else { return (state.failures.removeFirst(), 0) }
            defer { if !isSilent { state.heard += 1 } }
            return (nil, state.heard)
        }
        if let failure { throw failure }
        guard !isSilent else { return RecognizedSpeech(text: "", timing: .words) }
        return try await recognizer.script(clip, number, settings)
    }

    func close() async {
        let wasOpen = isClosed.withLock { isClosed in
            defer { isClosed = true }
            return !isClosed
        }
        if wasOpen { recognizer.state.withLock { $0.open -= 1 } }
    }
}
