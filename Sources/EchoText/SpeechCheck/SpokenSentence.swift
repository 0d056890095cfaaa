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
