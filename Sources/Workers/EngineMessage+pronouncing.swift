internal import EchoText

extension PayloadWriter {
    /// Writes the count, then each string.
    mutating func write(_ strings: [String]) {
        write(UInt32(strings.count))
        for string in strings { write(string) }
    }

    mutating func write(_ text: SpokenText) {
        write(UInt32(text.pieces.count))
        for piece in text.pieces {
            switch piece.content {
            case .written(let text):
                write(PieceKind.written.rawValue)
                write(text)
            case .words(let text):
                write(PieceKind.words.rawValue)
                write(text)
            case .phonemes(let text):
                write(PieceKind.phonemes.rawValue)
                write(text)
            }
            write(piece.source)
        }
    }

    mutating func write(_ introduction: EngineIntroduction) {
        write(shown: introduction.version)
        write(UInt32(introduction.voices.count))
        for voice in introduction.voices {
            write(shown: voice.id.rawValue)
            write(shown: voice.name)
            write(shown: voice.language)
            write(UInt32(voice.sampleRate))
        }
    }

    mutating func write(_ mark: SpeechFragment.Mark) {
        write(mark.source)
        write(UInt32(clamping: mark.samples.lowerBound))
        write(UInt32(clamping: mark.samples.upperBound))
    }

    private mutating func write(_ range: TextRange) {
        write(Int64(range.lowerBound))
        write(Int64(range.upperBound))
    }
}

extension PayloadReader {
    /// The limit on the voices that an engine reports; espeak-ng has some 130.
    private static let maximumVoices: UInt32 = 10_000

    mutating func strings() throws(WorkerError) -> [String] {
        var strings: [String] = []
        for _ in 0..<(try number()) { strings.append(try string()) }
        return strings
    }

    mutating func spokenText() throws(WorkerError) -> SpokenText {
        var text = SpokenText(pieces: [])
        for _ in 0..<(try number()) {
            guard let kind = PieceKind(rawValue: try number()) else { throw .protocolViolation }
            let spoken = try string()
            let content: SpokenText.Piece.Content =
                switch kind {
                case .written: .written(spoken)
                case .words: .words(spoken)
                case .phonemes: .phonemes(spoken)
                }
            text.pieces.append(SpokenText.Piece(content, source: try textRange()))
        }
        return text
    }

    /// Reads voices of espeak-ng; voices of another engine are a violation.
    mutating func introduction() throws(WorkerError) -> EngineIntroduction {
        let version = try shownString()
        let count = try number()
        guard count <= Self.maximumVoices else { throw .protocolViolation }
        var voices: [Voice] = []
        for _ in 0..<count {
            let id = Voice.ID(rawValue: try shownString())
            let (name, language) = (try shownString(), try shownString())
            let sampleRate = Int(try number())
            guard Voice.Engine(of: id) == .espeakNG, OpenedVoice.sampleRates.contains(sampleRate) else {
                throw .protocolViolation
            }
            voices.append(Voice(id: id, name: name, language: language, engine: .espeakNG, sampleRate: sampleRate))
        }
        return EngineIntroduction(version: version, voices: voices)
    }

    /// Reads marks in order of time.
    mutating func marks() throws(WorkerError) -> [SpeechFragment.Mark] {
        var marks: [SpeechFragment.Mark] = []
        for _ in 0..<(try number()) {
            let source = try textRange()
            let (start, end) = (Int(try number()), Int(try number()))
            guard start <= end, start >= marks.last?.samples.upperBound ?? 0 else { throw .protocolViolation }
            marks.append(SpeechFragment.Mark(source: source, samples: start..<end, precision: .exact))
        }
        return marks
    }

    private mutating func textRange() throws(WorkerError) -> TextRange {
        let (start, end) = (Int(try signedNumber()), Int(try signedNumber()))
        guard start >= 0, start <= end else { throw .protocolViolation }
        return start..<end
    }
}

/// The encoded kind of a piece's content.
private enum PieceKind: UInt32 {
    case written = 0
    case words = 1
    case phonemes = 2
}
