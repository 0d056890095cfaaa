package import EchoText
import Testing

/// Checks every promise ``SpeechSynthesizer`` makes.
///
/// Each engine's tests call it, so that a new engine cannot keep fewer.
package func verifyContract(of synthesizer: some SpeechSynthesizer) async throws {
    let voices = try await synthesizer.voices()
    try #require(!voices.isEmpty, "an engine must offer at least one voice")
    #expect(try await synthesizer.voices() == voices, "voices() must keep its order")
    #expect(Set(voices.map(\.id)).count == voices.count, "a voice's id is its own")

    let voice = preferred(among: voices)
    for other in [voice] + voices.prefix(3) {
        try await verifySpeech(of: "One, two, three.", by: other, of: synthesizer)
    }
    try await verifyRefusals(of: synthesizer, voice: voice)
    try await verifyCancellation(of: synthesizer, voice: voice)
    try await verifyOverlap(of: synthesizer, voice: voice)
    for text in oddTexts {
        try await verifyOddText(text, by: voice, of: synthesizer)
    }
    try await verifyLongText(by: voice, of: synthesizer)
}

/// The error with which a listener stops.
private struct ListenerError: Error {}

/// Texts that have broken speech programs before.
private let oddTexts = [
    "a", "I", "No.", "?", "…", "—", "👋", "👨‍👩‍👧‍👦 family", "😀😀😀", "Hello мир 世界 שלום", "مرحبا بالعالم.", "שלום עולם.",
    "\u{0}null\u{0}",
    "[[h@l'oU]]", "<speak>hi</speak>", "e\u{301}te\u{301}", "\u{200B}", "100%", "x", "ﬁne", "\u{FFFD}", "\n\n.\n",
    String(repeating: "!", count: 500),
]

private func preferred(among voices: [Voice]) -> Voice {
    voices.first { LanguageTag.matches($0.language, range: "en") } ?? voices[0]
}

private func verifySpeech(of text: String, by voice: Voice, of synthesizer: some SpeechSynthesizer) async throws {
    let speech = try await synthesizer.speech(for: Utterance(text, voice: voice.id))
    #expect(speech.clip.sampleRate == voice.sampleRate, "\(voice.id) must speak at the rate it says")
    #expect(speech.clip.level ?? -.infinity > -60, "\(voice.id) must be heard")
    #expect(speech.clip.seconds > 0.1, "\(voice.id) must take its time")
    verifyMarks(of: speech, text: text)
}

private func verifyMarks(of speech: SpeechFragment, text: String) {
    var lastSample = 0
    for mark in speech.marks {
        #expect(mark.samples.lowerBound >= lastSample, "marks must come in the order they are heard")
        #expect(mark.samples.upperBound <= speech.clip.samples.count, "marks must be in the clip")
        #expect((0...text.utf16.count).contains(mark.source.upperBound), "marks must be in the text")
        lastSample = mark.samples.upperBound
    }
}

private func verifyRefusals(of synthesizer: some SpeechSynthesizer, voice: Voice) async throws {
    for blank in ["", " ", "\n\t \u{A0}"] {
        await #expect(throws: SynthesisError.nothingToSay) {
            try await synthesizer.speech(for: Utterance(blank, voice: voice.id))
        }
    }
    let missing = Voice.ID(rawValue: "nowhere/nobody")
    await #expect(throws: SynthesisError.voiceNotInstalled(missing)) {
        try await synthesizer.speech(for: Utterance("Hello", voice: missing))
    }
    for speaker in [-1, voice.speakers] {
        await #expect(throws: SynthesisError.noSuchSpeaker(speaker, of: voice.id, count: voice.speakers)) {
            try await synthesizer.speech(for: Utterance("Hello", voice: voice.id, speaker: speaker))
        }
    }
}

private func verifyCancellation(of synthesizer: some SpeechSynthesizer, voice: Voice) async throws {
    let hello = Utterance("Hello, world.", voice: voice.id)
    let cancelled = Task {
        withUnsafeCurrentTask { $0?.cancel() }  // from inside, so that the call cannot win the race
        return try await synthesizer.speech(for: hello)
    }
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    #expect(
        try await !synthesizer.speech(for: hello).clip.samples.isEmpty,
        "a cancelled call must leave the engine usable"
    )

    await #expect(throws: ListenerError.self, "what the listener throws must reach the caller") {
        try await synthesizer.speak(hello) { _ in throw ListenerError() }
    }
}

private func verifyOverlap(of synthesizer: some SpeechSynthesizer, voice: Voice) async throws {
    let texts = ["One.", "Two and three.", "Four, five and six."]
    let rates = try await withThrowingTaskGroup(of: Int.self) { group in
        for text in texts + texts {
            group.addTask { try await synthesizer.speech(for: Utterance(text, voice: voice.id)).clip.sampleRate }
        }
        return try await group.reduce(into: [Int]()) { $0.append($1) }
    }
    #expect(rates == [Int](repeating: voice.sampleRate, count: 6), "overlapping calls must not disturb each other")
}

/// Expects speech or ``SynthesisError/nothingToSay``, and nothing else.
private func verifyOddText(_ text: String, by voice: Voice, of synthesizer: some SpeechSynthesizer) async throws {
    do {
        let speech = try await synthesizer.speech(for: Utterance(text, voice: voice.id))
        #expect(!speech.clip.samples.isEmpty)
        verifyMarks(of: speech, text: text)
    } catch SynthesisError.nothingToSay {
        #expect(text.unicodeScalars.count { ("a"..."z").contains($0) } < 2, "there is something to say in “\(text)”")
    }
}

/// Expects that a sentence of 100,000 characters without a full stop gives bounded fragments, and can be stopped at any
/// of them.
private func verifyLongText(by voice: Voice, of synthesizer: some SpeechSynthesizer) async throws {
    let words = (0..<18_000).map { ["river", "stone", "under", "light"][$0 % 4] }
    let text = words.joined(separator: " ")
    try #require(text.utf16.count > 100_000)
    var fragments = 0
    var lastWord = 0
    let utterance = Utterance(text, voice: voice.id)
    do {
        try await synthesizer.speak(utterance) { fragment in
            fragments += 1
            #expect(fragment.clip.seconds < 180, "a fragment must stay small")
            let sources = fragment.marks.map(\.source.lowerBound)
            #expect(sources.first.map { $0 >= lastWord } ?? true, "fragments must come in the order of the text")
            lastWord = sources.last ?? lastWord
            if fragments == 4 { throw ListenerError() }
        }
        Issue.record("a long text must come in fragments")
    } catch is ListenerError {}
}
