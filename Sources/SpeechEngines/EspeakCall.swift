import CEspeakNG
import EchoText
import Foundation

/// A call of `espeak_Synth` and its parameters.
struct EspeakCall: Sendable {
    let phrase: SpokenText
    let prosody: Prosody
    let voice: Voice.ID
    let identifier: String

    @EspeakThread
    func run(by library: EspeakLibrary, sampleRate: Int) throws -> PhraseSpeech {
        try Task.checkCancellation()
        EngineProgress.report()
        guard library.select(identifier) == EE_OK else { throw SynthesisError.voiceNotInstalled(voice) }
        setProsody(of: library)
        let text = EspeakText(phrase, spelling: .ofVoice(identifier, by: library))
        var recording = EspeakRecording()
        library.setCallback(record)
        let status = withUnsafeMutablePointer(to: &recording) { library.say(text.string, to: $0) }
        try Task.checkCancellation()
        guard status == EE_OK else {
            throw SynthesisError.engineFailed(.espeakNG, status: Int32(status.rawValue))
        }
        return recording.speech(of: text.engineText, sampleRate: sampleRate)
    }

    @EspeakThread
    private func setProsody(of library: EspeakLibrary) {
        let wordsPerMinute = Int32((Double(espeakRATE_NORMAL) * prosody.speed).rounded())
        _ = library.setParameter(espeakRATE, min(max(wordsPerMinute, espeakRATE_MINIMUM), espeakRATE_MAXIMUM), 0)
        // 0 to 100, an octave below to an octave above the voice's own pitch at 50.
        let pitch = Int32((50 + 50 * log2(prosody.pitch)).rounded())
        _ = library.setParameter(espeakPITCH, min(max(pitch, 0), 100), 0)
    }
}

/// The output that the callback receives during a call.
private struct EspeakRecording {
    struct Event {
        /// In characters from the start of the text.
        let range: Range<Int>
        let sample: Int
    }

    var samples: [Int16] = []
    var words: [Event] = []
    /// Where the last sentence or clause ended.
    var end: Int?

    /// A word lasts until the next begins; the last one lasts until the clause ends.
    func speech(of text: EngineText, sampleRate: Int) -> PhraseSpeech {
        let audible = text.coveringSilentWords(of: merged)
        var end = 0
        let marks = audible.compactMap { word in
            text.source(of: word.range).map { source in
                let start = max(end, word.samples.lowerBound)
                end = max(start, word.samples.upperBound)
                return TimedWord(source: source, samples: start..<end, precision: .exact)
            }
        }
        return PhraseSpeech(samples: samples, sampleRate: sampleRate, marks: marks)
    }

    /// The events, with those of the same characters merged: several spoken words for one written word, or a number
    /// whose positions the library counts backwards.
    private var merged: [AudibleWord] {
        var audible: [AudibleWord] = []
        for (index, word) in words.enumerated() {
            let until = min(index + 1 < words.count ? words[index + 1].sample : end ?? samples.count, samples.count)
            guard word.sample <= until else { continue }
            if let last = audible.last, word.range.lowerBound < last.range.upperBound {
                audible[audible.count - 1] = AudibleWord(
                    range: last.range.lowerBound..<max(last.range.upperBound, word.range.upperBound),
                    samples: last.samples.lowerBound..<until
                )
            } else {
                audible.append(AudibleWord(range: word.range, samples: word.sample..<until))
            }
        }
        return audible
    }
}

/// A part of the spoken text, and when it is heard.
private struct AudibleWord {
    /// In scalars of the engine's text.
    var range: Range<Int>
    var samples: Range<Int>
}

extension EngineText {
    /// `audible`, with words that the library merged into their neighbor (“was a”) added to that neighbor's range.
    fileprivate func coveringSilentWords(of audible: [AudibleWord]) -> [AudibleWord] {
        var covering = audible
        for index in covering.indices {
            let end = covering[index].range.upperBound
            let next = index + 1 < covering.count ? covering[index + 1].range.lowerBound : scalars.count
            guard end < next, next <= scalars.count,
                let last = scalars[end..<next].lastIndex(where: {
                    $0.properties.isAlphabetic || $0.properties.numericType != nil
                })
            else { continue }
            covering[index].range = covering[index].range.lowerBound..<last + 1
        }
        return covering
    }
}

/// Receives one block of speech and its events, on the synthesizing thread.
///
/// `user_data` of the events is the ``EspeakRecording``. Returns 0 to continue or 1 to stop, as
/// `espeak_SetSynthCallback` asks. It runs within the task that made the call, so it sees that task's cancellation.
private func record(
    _ block: UnsafeMutablePointer<Int16>?,
    _ count: Int32,
    _ events: UnsafeMutablePointer<espeak_EVENT>?
) -> Int32 {
    guard let events, let destination = events.pointee.user_data else { return 0 }
    let recording = destination.assumingMemoryBound(to: EspeakRecording.self)
    EngineProgress.report()
    if let block {
        recording.pointee.samples.append(contentsOf: UnsafeBufferPointer(start: block, count: Int(count)))
    }
    var event = events
    while event.pointee.type != espeakEVENT_LIST_TERMINATED {
        let position = Int(event.pointee.text_position) - 1
        switch event.pointee.type {
        case espeakEVENT_WORD:
            recording.pointee.words.append(
                .init(
                    range: max(0, position)..<max(0, position) + Int(event.pointee.length),
                    sample: Int(event.pointee.sample)
                )
            )
        case espeakEVENT_END: recording.pointee.end = Int(event.pointee.sample)
        default: break
        }
        event += 1
    }
    return Task.isCancelled ? 1 : 0
}

/// A phrase as `espeak_Synth` reads it, phonemes spelled in espeak-ng's own way between `[[` and `]]`.
///
/// Consecutive phonemes are one word. A word of more than ``longestWord`` phonemes is split, since espeak-ng does not
/// speak words of more than some 230, and writes beyond its buffer from some 350 on.
struct EspeakText {
    /// The limit on the phonemes of a word, in Unicode scalars.
    private static let longestWord = 200

    private(set) var engineText = EngineText()

    init(_ phrase: SpokenText, spelling: EspeakPhonemeSpelling) {
        var word = 0
        for piece in phrase.pieces {
            if case .phonemes(let ipa) = piece.content {
                let count = ipa.unicodeScalars.count
                if word > 0, word + count > Self.longestWord {
                    engineText.endWord()
                    word = 0
                }
                word += count
            } else {
                word = 0
            }
            switch piece.content {
            case .written(let text):
                engineText.append(written: text.withoutEspeakInstructions, at: piece.source.lowerBound)
            case .words(let text): engineText.append(text.withoutEspeakInstructions, for: piece.source)
            case .phonemes(let ipa): engineText.append("[[\(spelling.mnemonics(for: ipa))]]", for: piece.source)
            }
        }
    }

    var string: String { engineText.string }
}

extension String {
    /// The text without anything that espeak-ng would interpret as an instruction; its length in UTF-16 units stays
    /// the same.
    ///
    /// `[[` begins phonemes. A control character may begin a command, and a command that changes the volume or speed
    /// affects everything that the process speaks later.
    ///
    /// - SeeAlso: espeak-ng's `readclause.c`, which reads `CTRL_EMBEDDED` (U+0001).
    var withoutEspeakInstructions: String {
        guard unicodeScalars.contains(where: { $0 == "[" || $0.isCommand }) else { return self }
        var plain = UnicodeScalarView()
        var previous: Unicode.Scalar = " "
        for scalar in unicodeScalars {
            let isSecondBracket = scalar == "[" && previous == "["
            plain.append(scalar.isCommand || isSecondBracket ? " " : scalar)
            previous = isSecondBracket ? " " : scalar
        }
        return String(plain)
    }
}

extension Unicode.Scalar {
    fileprivate var isCommand: Bool { value < 0x20 && !(0x09...0x0D).contains(value) || value == 0x7F }
}

/// The marks that Piper's voices know, for the marks that end a clause in many scripts.
struct ClauseMarks: Sendable {
    private let marks: [Unicode.Scalar: String]

    /// - Parameter language: A BCP 47 tag; Greek writes a question mark as a semicolon.
    init(language: String) {
        let isGreek = ["el", "grc"].contains(LanguageTag.language(of: language))
        marks = isGreek ? Self.common.merging([";": "?", "·": ";", "\u{387}": ";"]) { $1 } : Self.common
    }

    /// The first mark of `scalars`, unless a letter or a number comes before it.
    func first(in scalars: some Sequence<Unicode.Scalar>) -> String? {
        for scalar in scalars {
            if let mark = marks[scalar] { return mark }
            if scalar.properties.isAlphabetic || scalar.properties.numericType != nil { return nil }
        }
        return nil
    }

    private static let common: [Unicode.Scalar: String] = [
        ".": ".", "。": ".", "｡": ".", "．": ".", "।": ".", "॥": ".", "…": ".", "۔": ".", "։": ".", "።": ".", "။": ".",
        "!": "!", "！": "!", "¡": "!", "՜": "!",
        "?": "?", "？": "?", "؟": "?", "¿": "?", "՞": "?", "፧": "?", "\u{37E}": "?",
        ",": ",", "，": ",", "、": ",", "､": ",", "،": ",", "፣": ",", "—": ",", "–": ",", "(": ",", ")": ",",
        ";": ";", "；": ";", "؛": ";", "፤": ";",
        ":": ":", "：": ":",
    ]
}
