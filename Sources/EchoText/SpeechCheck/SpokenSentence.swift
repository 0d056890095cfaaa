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

extension [TimedSentence] {
    /// The table once `sentence` sounds as `spoken`: later sentences move, the pauses between them stay.
    ///
    /// - Returns: `nil` when the table does not have `sentence`.
    package func replacing(_ sentence: TimedSentence, with spoken: SpokenSentence) -> [TimedSentence]? {
        guard let index = firstIndex(of: sentence) else { return nil }
        let start = sentence.samples.lowerBound
        let shift = spoken.sound.count - sentence.samples.count
        var table = self
        table[index].samples = start..<start + spoken.sound.count
        table[index].words = spoken.words.map { $0.moved(by: start) }
        for later in indices where self[later].samples.lowerBound >= sentence.samples.upperBound && later > index {
            table[later].samples = self[later].samples.moved(by: shift)
            table[later].words = self[later].words.map { $0.moved(by: shift) }
        }
        return table
    }
}

extension [RecordingMark] {
    /// Returns the marks after the samples in `range` were replaced by `count` others; marks within it keep their
    /// distance from its start, as far as possible.
    package func moved(by replacing: Range<Int>, with count: Int) -> [RecordingMark] {
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

extension Range<Int> {
    fileprivate func moved(by distance: Int) -> Range<Int> { lowerBound + distance..<upperBound + distance }
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
    /// - Returns: The updated recording, and the sentence with its new times.
    /// - Throws: ``SpeechCheckError``, ``LibraryError``, ``SynthesisError``, and what the stores throw.
    package func speak(
        _ number: Int,
        of id: AudioItem.ID
    ) async throws -> (item: AudioItem, sentence: TimedSentence) {
        guard let item = try await library.audio.item(id) else { throw LibraryError.itemNotFound }
        let sentences = try await library.audio.narratedSentences(of: item)
        guard number >= 1, number <= sentences.count else {
            throw SpeechCheckError.noSuchSentence(number, count: sentences.count)
        }
        let sentence = sentences[number - 1]
        let spoken = try await speak(sentence, as: order(for: item))
        let changed = try await library.audio.replace(sentence, with: spoken, in: id)
        var new = sentence
        new.samples = sentence.samples.lowerBound..<sentence.samples.lowerBound + spoken.sound.count
        new.words = spoken.words.map { $0.moved(by: sentence.samples.lowerBound) }
        return (changed, new)
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

    private func speak(_ sentence: TimedSentence, as order: NarrationOrder) async throws -> SpokenSentence {
        var sound: [Int16] = []
        var words: [TimedWord] = []
        var pause: [Int16] = []
        let narration = try narrator.narration(of: StringSource(sentence.text), as: order, lanes: 1)
        for try await passage in narration where !passage.isSilenced {
            guard !passage.isLeftOut else { throw SynthesisError.nothingToSay }
            // The pause after the sentence, and the decay in it, are the recording's own.
            sound += pause
            let samples = passage.clip.pcm16
            sound += samples.prefix(passage.speech)
            pause = Array(samples.suffix(passage.decay)) + [Int16](repeating: 0, count: passage.silence)
            words += passage.words.map { word in
                var word = word
                let start = sentence.source.lowerBound
                word.source = start + word.source.lowerBound..<start + word.source.upperBound
                return word
            }
        }
        guard !sound.isEmpty else { throw SynthesisError.nothingToSay }
        return SpokenSentence(sound: sound, words: words)
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
