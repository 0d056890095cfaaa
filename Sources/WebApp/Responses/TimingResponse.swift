import API
import EchoText
import Hummingbird

/// The times of sentences and words in seconds, with their positions in UTF-16 units, as scripts count.
struct TimingResponse: ResponseEncodable {
    struct Sentence: Encodable {
        let start: Double
        let end: Double
        let from: Int
        let to: Int
        let words: [WordResponse]

        init(_ sentence: TimedSentence, sampleRate: Int) {
            let rate = Double(sampleRate)
            start = Double(sentence.samples.lowerBound) / rate
            end = Double(sentence.samples.upperBound) / rate
            from = sentence.source.lowerBound
            to = sentence.source.upperBound
            words = sentence.words.map { WordResponse($0, sampleRate: sampleRate) }
        }
    }

    let sampleRate: Int
    let sentences: [Sentence]

    init(_ sentences: [TimedSentence], sampleRate: Int) {
        self.sampleRate = sampleRate
        self.sentences = sentences.map { Sentence($0, sampleRate: sampleRate) }
    }
}

struct TextResponse: ResponseCodable {
    let text: String
}
