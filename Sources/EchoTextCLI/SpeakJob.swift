import AudioFiles
import EchoText
import FileSystem
import Foundation

/// A run of `echotext speak`.
struct SpeakJob: Sendable {
    let options: Speak
    /// The request that the options make.
    let request: NarrationRequest
    /// The defaults for everything the options leave open.
    let defaults: NarrationDefaults

    /// Speaks the text.
    ///
    /// - Parameter library: The open library, when it stores the speech or supplies a profile or a document.
    /// - Returns: A summary of the output.
    /// - Throws: Any ``UserFacingError``, or `CancellationError` after an interruption, which leaves nothing behind but
    ///   what was asked to be kept.
    func run(library: Library?) async throws -> SpeakSummary {
        let input = try await input(in: library)
        try SpeakOutput.check(options.output, input: options.file)
        return try await Studio.with(engines(for: input.languages?.main)) { studio in
            var order = try await order(in: studio, for: input.languages?.main)
            order.document = input.document
            order.languages = input.languages
            order.cues = input.cues
            if let library, options.keeping.save {
                return try await keep(input, as: order, in: library, studio)
            }
            return try await speak(
                try studio.narrator.narration(of: input.source, as: order, lanes: lanes),
                by: order,
                from: input
            )
        }
    }

    private func speak(_ narration: Narration, by order: NarrationOrder, from input: SpeakInput) async throws
        -> SpeakSummary
    {
        let begun = ContinuousClock.now
        let passages = narration.makeAsyncIterator()
        // The first passage is made before the output is opened, so that a text that cannot be spoken creates or
        // changes no file.
        guard let first = try await passages.next() else { throw SynthesisError.nothingToSay }
        var summary = SpeakSummary(options: options, order: order, sampleRate: first.clip.sampleRate)
        let output = try await SpeakOutput(options.output, sampleRate: first.clip.sampleRate)
        var progress = ProgressLine(total: await input.source.length, isShown: isProgressShown)
        var words = ""
        do {
            var passage: Passage? = first
            while let current = passage {
                try await output.append(current)
                summary.add(current)
                if words.utf8.count < Self.tellingLength { words += current.text + " " }
                progress.update(units: current.source.upperBound, seconds: summary.duration)
                passage = try await passages.next()
            }
            try await output.finish()
        } catch {
            progress.clear()
            await stop(output, after: error)
            throw error
        }
        progress.clear()
        await input.reportNotices()
        summary.notices = await input.notices.map(NoticeReport.init)
        reportLanguage(of: words, by: order.voice, from: input)
        summary.reportUnspoken()
        summary.reportTimes()
        summary.elapsed = (ContinuousClock.now - begun) / .seconds(1)
        return summary
    }

    /// Speaks into the library, and to the other outputs of the options.
    private func keep(
        _ input: SpeakInput,
        as order: NarrationOrder,
        in library: Library,
        _ studio: Studio
    ) async throws -> SpeakSummary {
        let begun = ContinuousClock.now
        let text = try await text(of: input)
        var order = order
        if request.name == nil {
            order.name = input.name ?? ItemName(firstWordsOf: text) ?? "Recording"
        }
        let listener = SpeakListener(
            options: options,
            summary: SpeakSummary(options: options, order: order, sampleRate: order.voice.sampleRate),
            progress: ProgressLine(total: text.utf16.count, isShown: isProgressShown)
        )
        let narration = StoredNarration(in: library, by: studio.narrator, lanes: lanes)
        do {
            let item = try await narration.make(
                text,
                as: order,
                keepsPart: options.output.keepPartial,
                listener: .init(left: reportUnfinished, passage: { passage, _ in try await listener.take(passage) })
            )
            try await listener.finish()
            await input.reportNotices()
            let elapsed = (ContinuousClock.now - begun) / .seconds(1)
            if !options.output.json {
                EchoTextCommand.say("kept as \(item.mention), \(CommandOutput.time(item.duration))")
            }
            var summary = await listener.summary(of: item, elapsed: elapsed)
            summary.notices = await input.notices.map(NoticeReport.init)
            reportLanguage(of: text, by: order.voice, from: input)
            summary.reportUnspoken()
            summary.reportTimes()
            return summary
        } catch {
            if let output = await listener.close() { await stop(output, after: error) }
            throw error
        }
    }

    /// Reports that a text whose voice nobody named seems to be in another language than that voice.
    private func reportLanguage(of text: String, by voice: Voice, from input: SpeakInput) {
        guard request.voice == nil, request.profile == nil, input.languages == nil, LanguageGuess.knows(voice.language),
            let language = LanguageGuess.language(of: text), language != LanguageTag.language(of: voice.language)
        else { return }
        EchoTextCommand.say(
            "note: the text seems to be in “\(language)”, and \(voice.id) read it; --voice names another"
        )
    }

    /// How many bytes of a text show its language.
    private static let tellingLength = 4_000

    private func input(in library: Library?) async throws -> SpeakInput {
        guard let library, let document = options.document else {
            guard options.keepTimes else { return try SpeakInput(text: options.text, file: options.file) }
            return try await SpeakInput(subtitles: options.file)
        }
        return try await SpeakInput(document, options.choice, keepsTimes: options.keepTimes, in: library)
    }

    private func text(of input: SpeakInput) async throws -> String {
        var text = ""
        while let piece = try await input.source.next() {
            text += piece
            guard text.utf8.count <= Self.longestKeptText else { throw CommandError.textTooLong }
        }
        return text
    }

    /// The longest text that the library accepts, in bytes: 100 MB.
    private static let longestKeptText = 100_000_000

    private func stop(_ output: SpeakOutput, after error: any Error) async {
        guard options.output.keepPartial else { return await output.discard() }
        guard error is CancellationError else { return await keepWritten(of: output) }
        do {
            let hasTimings = try await output.keep()
            EchoTextCommand.say("interrupted; \(Self.kept(hasTimings))")
        } catch {
            await output.discard()
            EchoTextCommand.say("interrupted; what was made so far could not be kept")
        }
    }

    /// Keeps the file with what was made before a failure, such as a full disk.
    private func keepWritten(of output: SpeakOutput) async {
        guard let path = options.output.output, path != "-", ByteFile.isRegular(at: path) else {
            return await output.discard()
        }
        do {
            let hasTimings = try await output.keepWritten()
            EchoTextCommand.say(Self.kept(hasTimings))
        } catch {
            await output.discard()
            EchoTextCommand.say("what was made so far could not be kept")
        }
    }

    private static func kept(_ hasTimings: Bool) -> String {
        "what was made so far is kept\(hasTimings ? "" : ", but its timings are lost")"
    }

    // MARK: - What the request comes to

    private var lanes: Int { request.lanes(with: defaults, cores: ProcessInfo.processInfo.activeProcessorCount) }

    private var isProgressShown: Bool { isatty(STDERR_FILENO) == 1 }

    private func engines(for language: String?) -> Studio.Engines {
        var engines = Studio.Engines()
        engines.first = Studio.FirstVoice(for: request, with: defaults, language: language)
        engines.lanes = lanes
        engines.timeout = .seconds(options.work.timeout)
        engines.voiceFolder = request.voiceFolder
        return engines
    }

    private func order(in studio: Studio, for language: String?) async throws -> NarrationOrder {
        var request = request
        request.language = language
        if let folder = request.voiceFolder { request.voice = try studio.id(ofVoiceIn: folder).rawValue }
        do {
            let resolved = try request.resolve(with: defaults, among: await studio.voices, naming: "")
            if let substitution = resolved.substitution { await studio.report(substitution, by: resolved.order.voice) }
            return resolved.order
        } catch SynthesisError.voiceNotInstalled(let name, let similar) {
            throw await studio.reason(for: name) ?? SynthesisError.voiceNotInstalled(name, similar: similar)
        }
    }
}

extension Studio.FirstVoice {
    /// The voice that a narration is likely to have, before it is known which voices can speak.
    ///
    /// - Parameters:
    ///   - request: The request of the narration.
    ///   - defaults: The values for what it leaves open.
    ///   - language: The text's, BCP 47; `nil` when it is not known. It replaces no voice that somebody named, nor that
    ///     of a profile that somebody named.
    init(for request: NarrationRequest, with defaults: NarrationDefaults, language: String?) {
        let isNamed = request.voice != nil || request.profile != nil
        self.init(
            id: request.voice.map(Voice.ID.init(rawValue:)) ?? defaults.chosen.profile.voice,
            language: isNamed ? nil : language
        )
    }
}

extension Studio {
    /// Reports the voice used instead of the requested one.
    func report(_ substitution: NarrationRequest.Substitution, by speaking: Voice) async {
        switch substitution {
        case .profile: EchoTextCommand.say("the chosen profile cannot be used; the default is used instead")
        case .language(let language, isSpoken: true):
            EchoTextCommand.say(
                "note: the document is in “\(language)”, so \(speaking.id) speaks; --voice names another"
            )
        case .language(let language, isSpoken: false):
            EchoTextCommand.say(
                "note: the document is in “\(language)”, which no installed voice speaks; \(speaking.id) reads it"
            )
        case .voice(let voice, let error):
            let reason: any UserFacingError = await reason(for: voice) ?? error
            EchoTextCommand.say("notice: \(reason.message)")
            EchoTextCommand.say(
                "\(VoiceProfile.standard.voice) speaks instead; “echotext voices select” chooses another"
            )
        }
    }
}

/// Passes the passages of a narration for the library on to the other outputs.
actor SpeakListener {
    private let options: Speak
    private var summary: SpeakSummary
    private var progress: ProgressLine
    private var output: SpeakOutput?

    init(options: Speak, summary: SpeakSummary, progress: ProgressLine) {
        self.options = options
        self.summary = summary
        self.progress = progress
    }

    func take(_ passage: Passage) async throws {
        if output == nil, options.output.isAnythingWanted {
            output = try await SpeakOutput(options.output, isKept: true, sampleRate: passage.clip.sampleRate)
        }
        try await output?.append(passage)
        summary.add(passage)
        progress.update(units: passage.source.upperBound, seconds: summary.duration)
    }

    func finish() async throws {
        progress.clear()
        try await output?.finish()
        output = nil
    }

    /// Ends it, and returns the output that has to be closed.
    func close() -> SpeakOutput? {
        progress.clear()
        defer { output = nil }
        return output
    }

    func summary(of item: AudioItem, elapsed: Double) -> SpeakSummary {
        summary.item = item.id
        summary.elapsed = elapsed
        return summary
    }
}
