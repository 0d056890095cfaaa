import AudioFiles
import EchoText
import Foundation

/// One run of `echotext speak`.
struct SpeakJob: Sendable {
    let options: Speak

    /// Speaks, and returns what was made.
    ///
    /// - Throws: Any ``UserFacingError``, or `CancellationError` after an interruption, nothing being left behind then but
    ///   what was asked to be kept.
    func run() async throws -> SpeakSummary {
        let prosody = try Prosody(speed: options.voice.speed, pitch: options.voice.pitch)
        let input = try SpeakInput(text: options.text, file: options.file)
        try SpeakOutput.check(options.output, input: options.file)
        let preparation = try await dictionary()
        let studio = try await studio()
        let voice = try self.voice(in: studio)
        try check(speaker: options.voice.speaker, of: voice)
        let narration = Narration(
            of: input.source,
            voice: voice,
            speaker: options.voice.speaker,
            prosody: prosody,
            synthesizer: studio.synthesizer,
            segmenter: studio.segmenter,
            preparation: TextPreparation(
                language: voice.language,
                steps: TextPreparation.Steps.all.subtracting(.init(names: options.preparation.without) ?? []),
                dictionary: preparation
            ),
            settings: narrationSettings
        )
        do {
            let summary = try await speak(narration, by: voice, from: input)
            await studio.close()
            return summary
        } catch {
            await studio.close()
            throw error
        }
    }

    private func speak(_ narration: Narration, by voice: Voice, from input: SpeakInput) async throws -> SpeakSummary {
        let begun = ContinuousClock.now
        let passages = narration.makeAsyncIterator()
        // The first passage before the output: what cannot be spoken leaves no file behind and touches none.
        guard let first = try await passages.next() else { throw SynthesisError.nothingToSay }
        var summary = SpeakSummary(options: options, voice: voice, sampleRate: first.clip.sampleRate)
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
        await tellOfReplacements(in: input)
        summary.elapsed = (ContinuousClock.now - begun) / .seconds(1)
        return summary
    }

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

    private func tellOfReplacements(in input: SpeakInput) async {
        guard let count = await input.file?.replacements, count > 0 else { return }
        EchoTextCommand.say(
            "warning: the text is not all valid UTF-8 or UTF-16; \(count) unreadable \(count == 1 ? "place was" : "places were") left out"
        )
    }

    // MARK: - What the options mean

    private var narrationSettings: NarrationSettings {
        NarrationSettings(
            pauses: .init(
                sentence: options.preparation.sentencePause,
                paragraph: options.preparation.paragraphPause,
                heading: options.preparation.headingPause
            ),
            lanes: options.work.threads
        )
    }

    private var isProgressShown: Bool { isatty(STDERR_FILENO) == 1 }

    private func studio() async throws -> Studio {
        var engines = Studio.Engines()
        engines.lanes = options.work.threads
        engines.timeout = .seconds(options.work.timeout)
        engines.voiceFolder = voiceFolder
        return try await Studio.live(engines)
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

    private func voice(in studio: Studio) throws -> Voice {
        if let folder = voiceFolder {
            let id = try studio.id(ofVoiceIn: folder)
            if let voice = studio.voices.first(where: { $0.id == id }) { return voice }
        }
        return try VoiceSearch(among: studio.voices).voice(called: options.voice.voice ?? studio.settings.voice)
    }

    private func check(speaker: Int, of voice: Voice) throws {
        guard (0..<voice.speakers).contains(speaker) else {
            throw SynthesisError.noSuchSpeaker(speaker, of: voice.id, count: voice.speakers)
        }
    }

    private func dictionary() async throws -> PronunciationDictionary? {
        guard let path = options.preparation.dictionary else { return nil }
        let source = try FileTextSource(path: path)
        var text = ""
        while let piece = try await source.next() {
            text += piece
            // One more block than a dictionary may have is enough for the reader to say that it is too long.
            if text.utf8.count > 2 * PronunciationDictionary.mostBytes { break }
        }
        return try PronunciationDictionary(parsing: text)
    }
}
