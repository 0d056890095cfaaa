/// The sound that replaces one sentence's previous sound.
package struct SpokenSentence: Sendable, Hashable {
    /// 16-bit mono at the recording's rate, at least one sample.
    package let sound: [Int16]
    /// Its words; their samples are counted from the start of `sound`.
    package let words: [TimedWord]

    package init(sound: [Int16], words: [TimedWord]) {
        (self.sound, self.words) = (sound, words)
    }
}

/// Samples of a recording, and what takes their place.
package struct SoundEdit: Sendable, Hashable {
    package let samples: Range<Int>
    package let sound: [Int16]

    /// How many samples the recording becomes longer.
    fileprivate var growth: Int { sound.count - samples.count }
}

/// The changes of a recording of which one sentence is spoken again.
package struct SentenceReplacement: Sendable, Hashable {
    /// In order, apart; their places are those in the sound as it was.
    package let edits: [SoundEdit]
    /// The new timing table.
    package let sentences: [TimedSentence]

    /// How many samples the recording becomes longer.
    package var growth: Int { edits.reduce(0) { $0 + $1.growth } }
}

extension [TimedSentence] {
    /// Replaces the sound of `sentence`: later sentences move, and the pauses between them stay.
    ///
    /// With `times`, the pauses change, so that later captions begin at their times, or as soon after them as they can.
    ///
    /// - Returns: `nil` when the table does not have `sentence`.
    package func replacing(
        _ sentence: TimedSentence,
        with spoken: SpokenSentence,
        keeping times: CaptionTimes? = nil
    ) -> SentenceReplacement? {
        guard let index = firstIndex(of: sentence) else { return nil }
        let start = sentence.samples.lowerBound
        var table = self
        table[index].samples = start..<start + spoken.sound.count
        table[index].words = spoken.words.map { $0.moved(by: start) }
        var edits = [SoundEdit(samples: sentence.samples, sound: spoken.sound)]
        var shift = spoken.sound.count - sentence.samples.count
        var end = sentence.samples.upperBound
        for later in indices where self[later].samples.lowerBound >= sentence.samples.upperBound && later > index {
            let old = self[later]
            if old.samples.lowerBound >= end,
                let edit = times?.edit(of: end..<old.samples.lowerBound, before: old, moved: shift)
            {
                edits.append(edit)
                shift += edit.growth
            }
            table[later].samples = old.samples.moved(by: shift)
            table[later].words = old.words.map { $0.moved(by: shift) }
            end = Swift.max(end, old.samples.upperBound)
        }
        return SentenceReplacement(edits: edits, sentences: table)
    }
}

/// When the captions of a narration are to begin, if it keeps their times.
package struct CaptionTimes: Sendable {
    /// In samples, by the beginnings of their words in the text.
    private let starts: [Int: Int]
    /// The shortest pause after a caption, in samples.
    private let shortestPause: Int

    /// - Parameters:
    ///   - cues: The captions.
    ///   - speed: The narration's, times the voice's own.
    ///   - sampleRate: In hertz.
    fileprivate init(_ cues: [SubtitleCue], speed: Double, sampleRate: Int) {
        let rate = Double(sampleRate)
        starts = Dictionary(cues.map { ($0.range.lowerBound, Int(($0.start * rate).rounded())) }) { first, _ in first }
        shortestPause = Int((CueReader.shortestPause / speed * rate).rounded())
    }

    /// How many samples a sentence begins later than its caption's time; `nil` when it is no caption.
    fileprivate func delay(of sentence: TimedSentence) -> Int? {
        starts[sentence.source.lowerBound].map { max(0, sentence.samples.lowerBound - $0) }
    }

    /// Makes the pause before a caption longer or shorter at its end, where it is silent.
    ///
    /// - Parameters:
    ///   - pause: Its samples before anything moved.
    ///   - caption: The sentence after it.
    ///   - shift: By how much the pause has moved.
    /// - Returns: `nil` when it stays as it is.
    fileprivate func edit(of pause: Range<Int>, before caption: TimedSentence, moved shift: Int) -> SoundEdit? {
        guard let time = starts[caption.source.lowerBound] else { return nil }
        let begin = max(time, pause.lowerBound + shift + shortestPause)
        let growth = begin - (pause.upperBound + shift)
        guard growth != 0 else { return nil }
        return SoundEdit(
            samples: pause.upperBound + min(0, growth)..<pause.upperBound,
            sound: [Int16](repeating: 0, count: max(0, growth))
        )
    }
}

extension CaptionDelays {
    /// Counts the captions of a whole narration.
    package init(of sentences: [TimedSentence], at times: CaptionTimes, sampleRate: Int) {
        self.init()
        for delay in sentences.compactMap({ times.delay(of: $0) }) { add(Double(delay) / Double(sampleRate)) }
    }
}

extension [RecordingMark] {
    /// Returns the marks after `edits` of the sound.
    package func moved(by edits: [SoundEdit]) -> [RecordingMark] {
        // From the last on, because their places are those in the sound as it was.
        edits.reversed().reduce(self) { $0.moved(by: $1.samples, with: $1.sound.count) }
    }

    /// Returns the marks after the samples in `range` were replaced by `count` others; marks within it keep their
    /// distance from its start, as far as possible.
    private func moved(by replacing: Range<Int>, with count: Int) -> [RecordingMark] {
        map { mark in
            if mark.sample >= replacing.upperBound {
                return RecordingMark(sample: mark.sample + count - replacing.count, label: mark.label)
            }
            guard mark.sample > replacing.lowerBound else { return mark }
            let place = Swift.min(mark.sample, replacing.lowerBound + count)
            return RecordingMark(sample: place, label: mark.label)
        }
    }
}

extension AudioItem {
    /// When the captions of the narration are to begin; `nil` without `cues`.
    package func captionTimes(of cues: [SubtitleCue]?) -> CaptionTimes? {
        guard let cues, let narration else { return nil }
        return CaptionTimes(cues, speed: narration.speed, sampleRate: sampleRate)
    }

    /// Returns the recording with `count` samples of sound.
    package func lasting(samples count: Int) -> AudioItem {
        var item = self
        item.duration = Double(count) / Double(sampleRate)
        item.size = WAVHeader.plainLength + 2 * count
        return item
    }
}

extension TimedWord {
    package func moved(by distance: Int) -> TimedWord {
        var word = self
        word.samples = samples.moved(by: distance)
        return word
    }
}

/// Speaks single sentences of a narration again, with the voice and the settings of the recording.
package struct SentenceSpeaking: Sendable {
    private let library: Library
    private let narrator: Narrator
    private let voices: [Voice]

    /// - Parameters:
    ///   - library: Has the recordings, and the pronunciation dictionary.
    ///   - narrator: Speaks.
    ///   - voices: The voices that can speak now.
    package init(in library: Library, by narrator: Narrator, voices: [Voice]) {
        self.library = library
        self.narrator = narrator
        self.voices = voices
    }

    /// Synthesizes a sentence again, and replaces its sound in the recording.
    ///
    /// - Parameters:
    ///   - number: The sentence's number, from 1.
    ///   - id: The recording.
    /// - Returns: The updated recording, the sentence with its new times, how far the times of captions are kept now,
    ///   if they are to be, and the parts that could not be spoken, as ``Passage/unspoken(beside:)`` names them.
    /// - Throws: ``SpeechCheckError``, ``LibraryError``, ``SynthesisError``, and what the stores throw.
    package func speak(
        _ number: Int,
        of id: AudioItem.ID
    ) async throws -> (item: AudioItem, sentence: TimedSentence, times: CaptionDelays?, unspoken: [String]) {
        guard let item = try await library.audio.item(id) else { throw LibraryError.itemNotFound }
        let sentences = try await library.audio.narratedSentences(of: item)
        guard number >= 1, number <= sentences.count else {
            throw SpeechCheckError.noSuchSentence(number, count: sentences.count)
        }
        let sentence = sentences[number - 1]
        let cues = try await library.audio.cues(of: id)
        var order = try await self.order(for: item)
        order.cues = cues?.alone(sentence)
        let (spoken, unspoken) = try await speak(sentence, as: order)
        let changed = try await library.audio.replace(sentence, with: spoken, in: id)
        var new = sentence
        new.samples = sentence.samples.lowerBound..<sentence.samples.lowerBound + spoken.sound.count
        new.words = spoken.words.map { $0.moved(by: sentence.samples.lowerBound) }
        guard let times = item.captionTimes(of: cues) else { return (changed, new, nil, unspoken) }
        let timings = try await library.audio.timings(of: id)
        let delays = CaptionDelays(of: timings, at: times, sampleRate: item.sampleRate)
        return (changed, new, delays, unspoken)
    }

    /// The order that a narration with the recording's settings would have today.
    private func order(for item: AudioItem) async throws -> NarrationOrder {
        guard let narration = item.narration else { throw SpeechCheckError.notANarration }
        var request = NarrationRequest()
        request.voice = narration.voice.rawValue
        request.speaker = .number(narration.speaker)
        request.speed = narration.speed
        request.pitch = narration.pitch
        request.name = item.name.text
        let order = try await request.resolve(in: library, among: voices, naming: "").order
        guard order.voice.id == narration.voice, order.voice.sampleRate == item.sampleRate else {
            throw SpeechCheckError.otherVoice
        }
        return order
    }

    private func speak(
        _ sentence: TimedSentence,
        as order: NarrationOrder
    ) async throws -> (SpokenSentence, unspoken: [String]) {
        var sound: [Int16] = []
        var words: [TimedWord] = []
        var pause: [Int16] = []
        var unspoken: [String] = []
        // A caption has the time from where it begins in the recording.
        let begin = order.cues == nil ? 0 : sentence.samples.lowerBound
        let beginning = Narration.Beginning(position: 0, samples: begin)
        let source = StringSource(sentence.text)
        let narration = try narrator.narration(of: source, as: order, lanes: 1, from: beginning)
        for try await passage in narration {
            if let part = passage.unspoken(beside: unspoken) { unspoken.append(part) }
            if passage.isSilenced { continue }
            guard !passage.isLeftOut else {
                throw SynthesisError.engineDied(order.voice.engine, over: passage.excerpt)
            }
            // The pause after the sentence, and the decay in it, are the recording's own.
            sound += pause
            // In the narration the pauses after what is skipped have come before it.
            let distance = sound.count - passage.start
            let samples = passage.clip.pcm16
            sound += samples.prefix(passage.speech)
            pause = Array(samples.suffix(passage.decay)) + [Int16](repeating: 0, count: passage.silence)
            words += passage.words.map { word in
                var word = word.moved(by: distance)
                let start = sentence.source.lowerBound
                word.source = start + word.source.lowerBound..<start + word.source.upperBound
                return word
            }
        }
        guard !sound.isEmpty else { throw SynthesisError.nothingToSay }
        return (SpokenSentence(sound: sound, words: words), unspoken)
    }
}

extension [SubtitleCue] {
    /// The caption of `sentence`, whose text is spoken alone, and the time of the next one, without its words.
    fileprivate func alone(_ sentence: TimedSentence) -> [SubtitleCue]? {
        guard let index = firstIndex(where: { $0.range.lowerBound == sentence.source.lowerBound }) else { return nil }
        let end = sentence.text.utf16.count
        let own = SubtitleCue(range: 0..<end, start: self[index].start)
        return [own] + dropFirst(index + 1).prefix(1).map { SubtitleCue(range: end..<end, start: $0.start) }
    }
}

extension AudioLibrary {
    /// The sentences of a narration.
    ///
    /// - Throws: ``SpeechCheckError/notANarration``, ``LibraryError/itemNotFound``.
    package func narratedSentences(of item: AudioItem) async throws -> [TimedSentence] {
        guard item.narration != nil, !item.isTranscribed else { throw SpeechCheckError.notANarration }
        return try await timings(of: item.id)
    }
}
