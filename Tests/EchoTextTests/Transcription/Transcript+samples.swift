import EchoText
import Foundation

extension Transcript {
    /// A transcript of segments that last one second per word, with words of 0.8 seconds each.
    static func sample(_ texts: [String], speakers: [String?] = [], gap: Double = 0, language: String = "en")
        -> Transcript
    {
        var start = 0.0
        let segments = texts.enumerated().map { index, text in
            let words = text.spokenWords.enumerated().map { number, source in
                RecognizedWord(
                    source: source,
                    start: start + Double(number),
                    end: start + Double(number) + 0.8,
                    confidence: 0.9
                )
            }
            let end = start + Double(max(1, words.count))
            defer { start = end + gap }
            return TranscriptSegment(
                time: start..<end,
                text: text,
                words: words,
                timing: .words,
                speaker: index < speakers.count ? speakers[index] : nil
            )
        }
        return Transcript(
            item: AudioItem.ID(rawValue: "item"),
            created: Date(timeIntervalSince1970: 1_790_000_000),
            source: TranscriptSource(recognizer: Recognizer.ID(rawValue: "sherpa/tiny"), recognizerName: "Tiny"),
            language: language,
            segments: segments
        )
    }
}
