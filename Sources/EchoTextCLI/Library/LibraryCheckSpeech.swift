import API
import ArgumentParser
import AudioFiles
import EchoText
import Foundation

/// `echotext library check-speech`.
struct LibraryCheckSpeech: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "check-speech",
        abstract: "Hear a narration with a recogniser, and list the sentences that do not sound as they are written.",
        discussion: """
            A sentence is listed when words of it are not heard, when others are heard beside them, or when a word is heard as quite \
            another or more than a third of them as others, twice in the same place. The recogniser mishears too: listen before you \
            have a sentence spoken \
            again with “echotext library respeak”. Everything is heard on this machine, and the list is not kept.

            Examples:
              echotext library check-speech "A book"
              echotext library check-speech "A book" --recognizer whisper-tiny.en --json
            """
    )

    @Argument(help: "A narration, by id or name.")
    var recording: String

    @Option(
        help: ArgumentHelp("The recogniser; “echotext recognizers list” shows them.", valueName: "id")
    )
    var recognizer: String?

    @OptionGroup
    var answer: JSONOption

    func run(in library: Library) async throws {
        let item = try await library.audio.item(called: recording)
        let sentences = try await library.audio.narratedSentences(of: item)
        let reader = try await RecordingReader(of: library.audio.sound(of: item.id))
        let dictionary = try await library.settings.dictionary().map { try PronunciationDictionary(parsing: $0) }
        let preferred = try await library.settings.recognizerOrder()
        let line = SpeechCheckLine(isShown: !json && isatty(STDERR_FILENO) == 1)
        let (model, findings) = try await Studio.with { studio in
            let recognizer = try await chosen(of: studio.recognizers, in: preferred, for: item.language)
            let language = recognizer.takesLanguage && item.language != "und" ? item.language : nil
            let session = try await studio.recognizers.open(recognizer.id, RecognitionSettings(language: language))
            let check = SpeechCheck(
                by: session,
                TextPreparation(language: item.language, dictionary: dictionary),
                lanes: ProcessInfo.processInfo.activeProcessorCount
            ) { try SampleRateConversion(from: $0, to: $1) }
            do {
                let findings = try await check.check(sentences, in: reader) { await line.show($0) }
                await line.clear()
                await session.close()
                return (recognizer, findings)
            } catch {
                await line.clear()
                await session.close()
                throw error
            }
        }
        if json {
            var check = SpeechCheckStatus(of: item.id, by: model, sentences: sentences.count)
            check.state = .done
            check.heard = sentences.count
            check.findings = findings
            return try CommandOutput.json(SpeechCheckResponse(withFindingsOf: item.id, check, hasWords: true))
        }
        try write(findings, of: sentences.count)
    }

    /// - Throws: ``RecognitionError``, ``SpeechCheckError/needsLocalRecognizer``.
    private func chosen(
        of recognizers: any SpeechRecognizer,
        in order: RecognizerOrder,
        for language: String
    ) async throws -> Recognizer {
        let offered = order.sorted(try await recognizers.recognizers(), for: language)
        guard let recognizer else {
            guard let first = offered.first else { throw RecognitionError.noRecognizer }
            return first
        }
        let id = Recognizer.ID(rawValue: recognizer)
        guard !id.isOfService else { throw SpeechCheckError.needsLocalRecognizer }
        if let exact = offered.first(where: { $0.id == id }) { return exact }
        let ending = offered.filter { $0.id.rawValue.hasSuffix("/\(recognizer)") }
        guard ending.count == 1 else { throw RecognitionError.noSuchRecognizer(id) }
        return ending[0]
    }

    private func write(_ findings: [SpeechFinding], of count: Int) throws {
        guard !findings.isEmpty else {
            return try CommandOutput.text("All \(count) sentences sound as they are written.")
        }
        let blocks = findings.map { finding in
            """
            \(CommandOutput.time(finding.start))  sentence \(finding.number), \(finding.kind.words)
                written: \(CommandOutput.harmless(finding.text, isLine: true))
                heard:   \(finding.heard.isEmpty ? "nothing" : CommandOutput.harmless(finding.heard, isLine: true))
            """
        }
        let sum = "\(findings.count) of \(count) sentences may not sound as they are written."
        try CommandOutput.text((blocks + [sum]).joined(separator: "\n"))
    }
}

/// `echotext library respeak`.
struct LibraryRespeak: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "respeak",
        abstract: "Speak one sentence of a narration again, with the same voice and settings.",
        discussion: """
            The new reading takes the place of the old one in the recording; the times of what follows move. Captions that were \
            spoken at their own times (“--keep-times”) keep them as far as there is room. A change of the pronunciation \
            dictionary takes effect.

            Example:
              echotext library respeak "A book" --sentence 12
            """
    )

    @Argument(help: "A narration, by id or name.")
    var recording: String

    @Option(help: ArgumentHelp("Which sentence, as “check-speech” counts them, from 1.", valueName: "n"))
    var sentence: Int

    @OptionGroup
    var answer: JSONOption

    func run(in library: Library) async throws {
        let item = try await library.audio.item(called: recording)
        try TypedName(recording, for: item.id.rawValue, item.name).requireWhole()
        let (changed, spoken, times, unspoken) = try await Studio.with { studio in
            let speaking = SentenceSpeaking(in: library, by: studio.narrator, voices: await studio.voices)
            return try await speaking.speak(sentence, of: item.id)
        }
        let answer = SpokenSentenceResponse(sentence, spoken, of: changed, times: times, unspoken: unspoken)
        if json { return try CommandOutput.json(answer) }
        let start = CommandOutput.time(answer.start)
        EchoTextCommand.say("sentence \(sentence) of \(changed.mention) is spoken again, at \(start)")
        if let words = times?.words { EchoTextCommand.say("note: \(words)") }
        unspoken.forEach(sayUnspoken)
    }
}

extension SpeechFinding.Kind {
    fileprivate var words: String {
        switch self {
        case .missing: "words are missing"
        case .added: "words are added"
        case .garbled: "it is garbled"
        }
    }
}

/// Shows the progress of a check on one line of the terminal.
private actor SpeechCheckLine {
    private let isShown: Bool
    private var found = 0

    init(isShown: Bool) {
        self.isShown = isShown
    }

    func show(_ progress: SpeechCheck.Progress) {
        guard isShown else { return }
        found += progress.findings.count
        let line = "heard \(progress.heard) of \(progress.total) sentences, \(found) found"
        EchoTextCommand.show("\r\u{1B}[K\(line)")
    }

    func clear() {
        if isShown { EchoTextCommand.show("\r\u{1B}[K") }
    }
}
