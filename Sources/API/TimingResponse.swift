package import EchoText

/// When the sentences of a recording or a narration are heard.
package struct TimingResponse: Encodable, Sendable {
    package struct Sentence: Encodable, Sendable {
        /// In seconds from the start of the sound.
        package let start: Double
        package let end: Double
        /// Its range in the text, in UTF-16 units.
        package let from: Int
        package let to: Int
        package let words: [WordResponse]

        package init(_ sentence: TimedSentence, sampleRate: Int) {
            let rate = Double(sampleRate)
            (start, end) = (Double(sentence.samples.lowerBound) / rate, Double(sentence.samples.upperBound) / rate)
            (from, to) = (sentence.source.lowerBound, sentence.source.upperBound)
            words = sentence.words.map { WordResponse($0, sampleRate: sampleRate) }
        }
    }

    package let sampleRate: Int
    /// Oldest first.
    package let sentences: [Sentence]

    package init(_ sentences: [TimedSentence], sampleRate: Int) {
        self.sampleRate = sampleRate
        self.sentences = sentences.map { Sentence($0, sampleRate: sampleRate) }
    }
}
