import AudioFiles
import EchoText
import FileSystem
import Foundation

/// One run of `echotext speak`.
struct SpeakJob: Sendable {
    let options: Speak
    /// What the options leave open.
    let defaults: NarrationDefaults

    /// Speaks, and returns what was made.
    ///
    /// - Parameter library: Open when it is to keep the speech, or to give a profile or a document.
    /// - Returns: What was made.
    /// - Throws: Any ``UserFacingError``, or `CancellationError` after an interruption, nothing being left behind then but
    ///   what was asked to be kept.
    func run(library: Library?) async throws -> SpeakSummary {
        let settings = try await settings(in: library)
        let input = try await input(in: library)
        try SpeakOutput.check(options.output, input: options.file)
        let dictionary = try await dictionary()
        return try await Studio.with(engines) { studio in
            let (voice, speaker) = try await voice(for: settings, in: studio)
            try check(speaker: speaker, of: voice)
            let order = NarrationOrder(
                name: try ItemName(options.keeping.name ?? options.output.title ?? "-"),
                voice: voice,
                speaker: speaker,
                pauses: pauses,
                withoutSteps: options.preparation.without,
                dictionary: dictionary,
                voiceFolder: voiceFolder,
                document: input.document
            ).spoken(with: settings.prosody)
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
        // The first passage before the output: what cannot be spoken leaves no file behind and touches none.
        guard let first = try await passages.next() else { throw SynthesisError.nothingToSay }
        var summary = SpeakSummary(options: options, order: order, sampleRate: first.clip.sampleRate)
        let output = try await SpeakOutput(options.output, sampleRate: first.clip.sampleRate)
        var progress = ProgressLine(total: await input.source.length, isShown: isProgressShown)
        do {
            var passage: Passage? = first
            while let current = passage {
                try await output.append(current)
                summary.add(current)
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
        await reportReplacements(in: input)
        summary.reportUnspoken()
        summary.elapsed = (ContinuousClock.now - begun) / .seconds(1)
        return summary
    }

    /// Speaks into the library, and beside it where the options say.
    private func keep(
        _ input: SpeakInput,
        as order: NarrationOrder,
        in library: Library,
        _ studio: Studio
    ) async throws -> SpeakSummary {
        let begun = ContinuousClock.now
        let text = try await text(of: input)
        var order = order
        if options.keeping.name == nil, options.output.title == nil {
            order.name = input.name ?? ItemName(firstWordsOf: text) ?? "Recording"
        }
        let listener = SpeakListener(
            options: options,
            summary: SpeakSummary(options: options, order: order, sampleRate: order.voice.sampleRate),
            progress: ProgressLine(total: text.utf16.count, isShown: isProgressShown)
        )
        let narration = KeptNarration(in: library, by: studio.narrator, lanes: lanes)
        do {
            let item = try await narration.make(
                text,
                as: order,
                keepsPart: options.output.keepPartial,
                listener: .init(left: reportUnfinished, passage: { try await listener.take($0) })
            )
            try await listener.finish()
            await reportReplacements(in: input)
            let elapsed = (ContinuousClock.now - begun) / .seconds(1)
            if !options.output.json { EchoTextCommand.say("kept as \(item.mention), \(Answer.time(item.duration))") }
            let summary = await listener.summary(of: item, elapsed: elapsed)
            summary.reportUnspoken()
            return summary
        } catch {
            if let output = await listener.close() { await stop(output, after: error) }
            throw error
        }
    }

    private func input(in library: Library?) async throws -> SpeakInput {
        guard let library, let document = options.document else {
            return try SpeakInput(text: options.text, file: options.file)
        }
        return try await SpeakInput(document, options.choice, in: library)
    }

    private func text(of input: SpeakInput) async throws -> String {
        var text = ""
        while let piece = try await input.source.next() {
            text += piece
            guard text.utf8.count <= Self.longestKeptText else { throw CommandError.textTooLong }
        }
        return text
    }

    /// Most bytes of a text that the library takes: 100 MB.
    private static let longestKeptText = 100_000_000

    private func stop(_ output: SpeakOutput, after error: any Error) async {
        guard options.output.keepPartial, error is CancellationError else { return await output.abandon() }
        do {
            try await output.keep()
            EchoTextCommand.say("interrupted; what was made so far is kept")
        } catch {
            await output.abandon()
            EchoTextCommand.say("interrupted; what was made so far could not be kept")
        }
    }

    private func reportReplacements(in input: SpeakInput) async {
        guard let count = await input.file?.replacements, count > 0 else { return }
        EchoTextCommand.say(
            "warning: the text is not all valid UTF-8 or UTF-16; \(count) unreadable \(count == 1 ? "place was" : "places were") left out"
        )
    }

    // MARK: - What the options mean

    /// The voice and its settings: from the options, else the profile, else the program's defaults.
    private struct VoiceSettings {
        var voice: String
        var speaker: Int
        var prosody: Prosody
        /// Whether a profile names the voice.
        var isFromProfile: Bool
    }

    private func settings(in library: Library?) async throws -> VoiceSettings {
        let profile = try await profile(in: library)
        let settings = Settings.ofThisProcess
        // A speaker belongs to a voice: another voice's number says nothing.
        let speaker = options.voice.voice == nil ? profile?.speaker : nil
        return VoiceSettings(
            voice: options.voice.voice ?? profile?.voice.rawValue ?? settings.namedVoice
                ?? settings.standardVoice.rawValue,
            speaker: options.voice.speaker ?? speaker ?? 0,
            prosody: try Prosody(
                speed: options.voice.speed ?? profile?.speed ?? 1,
                pitch: options.voice.pitch ?? profile?.pitch ?? 1,
                liveliness: options.voice.liveliness ?? profile?.liveliness ?? 1,
                rhythm: options.voice.rhythm ?? profile?.rhythm ?? 1
            ),
            isFromProfile: options.voice.voice == nil && profile != nil
        )
    }

    private func profile(in library: Library?) async throws -> VoiceProfile? {
        if let library, let name = options.voice.profile { return try await library.profiles.profile(called: name) }
        guard options.voice.voice == nil, Settings.ofThisProcess.namedVoice == nil else { return nil }
        guard let chosen = defaults.chosen else { return nil }
        if chosen.isStandIn { EchoTextCommand.say("the chosen profile cannot be used; the default speaks instead") }
        return chosen.profile
    }

    private var pauses: NarrationSettings.Pauses {
        let given = options.preparation
        return NarrationSettings.Pauses(
            sentence: given.sentencePause ?? defaults.pauses.sentence,
            paragraph: given.paragraphPause ?? defaults.pauses.paragraph,
            heading: given.headingPause ?? defaults.pauses.heading
        )
    }

    private var lanes: Int { options.work.lanes(usual: defaults.lanes) }

    private var isProgressShown: Bool { isatty(STDERR_FILENO) == 1 }

    private var engines: Studio.Engines {
        var engines = Studio.Engines()
        engines.lanes = lanes
        engines.timeout = .seconds(options.work.timeout)
        engines.voiceFolder = voiceFolder
        return engines
    }

    /// The folder that `--voice` names, if it names one.
    private var voiceFolder: String? {
        guard let name = options.voice.voice else { return nil }
        var isFolder = ObjCBool(false)
        guard FileManager.default.fileExists(atPath: name, isDirectory: &isFolder), isFolder.boolValue else {
            return name.hasPrefix("/") || name.hasPrefix("./") || name.hasPrefix("../") || name.hasPrefix("~")
                ? name : nil
        }
        return name
    }

    /// The voice that speaks and which of its people: the standard one, with a notice, where a profile's cannot.
    private func voice(for settings: VoiceSettings, in studio: Studio) async throws -> (Voice, speaker: Int) {
        do {
            return (try await voice(called: settings.voice, in: studio), settings.speaker)
        } catch let error as any UserFacingError where settings.isFromProfile {
            let standard = VoiceProfile.standard.voice
            EchoTextCommand.say("notice: \(error.message)")
            EchoTextCommand.say("\(standard) speaks instead; “echotext voices select” chooses another")
            return (try await voice(called: standard.rawValue, in: studio), options.voice.speaker ?? 0)
        }
    }

    private func voice(called name: String, in studio: Studio) async throws -> Voice {
        if let folder = voiceFolder {
            let id = try studio.id(ofVoiceIn: folder)
            if let voice = await studio.voices.first(where: { $0.id == id }) { return voice }
        }
        return try await studio.voice(called: name)
    }

    private func check(speaker: Int, of voice: Voice) throws {
        guard (0..<voice.speakers).contains(speaker) else {
            throw SynthesisError.noSuchSpeaker(speaker, of: voice.id, count: voice.speakers)
        }
    }

    /// The text of the dictionary, which can be read as one: the one that is named, else the library's.
    private func dictionary() async throws -> String? {
        guard let path = options.preparation.dictionary else { return defaults.dictionary }
        let source = try FileTextSource(path: path)
        var text = ""
        while let piece = try await source.next() {
            text += piece
            // One more block than a dictionary may have is enough for the reader to say that it is too long.
            if text.utf8.count > 2 * PronunciationDictionary.mostBytes { break }
        }
        _ = try PronunciationDictionary(parsing: text)
        return text
    }
}
