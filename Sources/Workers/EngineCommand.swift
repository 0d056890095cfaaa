package import EchoText

/// A command from the program to an engine worker.
package enum EngineCommand: Sendable, Hashable {
    /// Load a voice that handles `lanes` requests at once; without a layout, determine it.
    case open(VoiceFolder, lanes: Int, layout: ModelLayout?)
    case speak(PhonemeRequest)
    /// Load the rule-based engine and report its version and voices.
    case introduce
    /// Convert texts of a language to phonemes.
    case pronounce([String], language: String)
    /// Synthesizes a phrase with a voice of that engine; only the speed and pitch of the prosody are used.
    case say(SpokenText, voice: Voice.ID, prosody: Prosody)
    /// Cancel the request that the frame names.
    case cancel
    /// Exit.
    case shutdown

    /// The limit on the requests that an opened voice handles at once.
    static let maximumLanes = 1_024

    package func frame(request: UInt32) -> Frame {
        switch self {
        case .open(let folder, let lanes, let layout):
            var payload = PayloadWriter()
            payload.write(UInt32(lanes))
            payload.write(folder.path)
            payload.write(folder.name)
            payload.write(layout?.rawValue ?? "")
            return Frame(.open, request: request, payload: payload.bytes)
        case .speak(let wanted):
            var payload = PayloadWriter()
            payload.write(Int64(wanted.speaker))
            payload.write(wanted.speed)
            payload.write(wanted.liveliness)
            payload.write(wanted.rhythm)
            for phoneme in wanted.phonemes { payload.write(phoneme.value) }
            return Frame(.speak, request: request, payload: payload.bytes)
        case .introduce: return Frame(.introduce, request: request)
        case .pronounce(let texts, let language):
            var payload = PayloadWriter()
            payload.write(language)
            payload.write(texts)
            return Frame(.pronounce, request: request, payload: payload.bytes)
        case .say(let phrase, let voice, let prosody):
            var payload = PayloadWriter()
            payload.write(voice.rawValue)
            payload.write(prosody.speed)
            payload.write(prosody.pitch)
            payload.write(phrase)
            return Frame(.say, request: request, payload: payload.bytes)
        case .cancel: return Frame(.cancel, request: request)
        case .shutdown: return Frame(.shutdown, request: request)
        }
    }

    /// - Throws: ``WorkerError/protocolViolation``.
    package init(_ frame: Frame) throws(WorkerError) {
        var payload = PayloadReader(frame.payload)
        switch frame.kind {
        case .open:
            let lanes = Int(try payload.number())
            guard (1...Self.maximumLanes).contains(lanes) else { throw .protocolViolation }
            let path = try payload.string()
            let folder = VoiceFolder(path: path, name: try payload.string())
            self = .open(folder, lanes: lanes, layout: try payload.layout())
        case .speak:
            let speaker = Int(try payload.signedNumber())
            let speed = try payload.fraction()
            let liveliness = try payload.fraction()
            let rhythm = try payload.fraction()
            // After these four numbers come only whole symbols.
            let count = (frame.payload.count - 32) / 4
            guard count <= PhonemeRequest.longest else { throw .protocolViolation }
            var phonemes: [Unicode.Scalar] = []
            for _ in 0..<count {
                guard let phoneme = Unicode.Scalar(try payload.number()) else { throw .protocolViolation }
                phonemes.append(phoneme)
            }
            self = .speak(
                PhonemeRequest(
                    phonemes: phonemes,
                    speaker: speaker,
                    speed: speed,
                    liveliness: liveliness,
                    rhythm: rhythm
                )
            )
        case .introduce: self = .introduce
        case .pronounce:
            let language = try payload.string()
            self = .pronounce(try payload.strings(), language: language)
        case .say:
            let voice = Voice.ID(rawValue: try payload.string())
            let (speed, pitch) = (try payload.fraction(), try payload.fraction())
            guard let prosody = try? Prosody(speed: speed, pitch: pitch) else { throw .protocolViolation }
            self = .say(try payload.spokenText(), voice: voice, prosody: prosody)
        case .cancel: self = .cancel
        case .shutdown: self = .shutdown
        case .opened, .times, .audio, .introduced, .pronounced, .sound, .said, .done, .failed, .alive, .ask, .piece,
            .page, .text, .structure, .picture, .entry, .content, .clip, .recognized, .activity, .taken, .reached,
            .turns,
            .more, .facts, .samples, .want, .notice:
            throw .protocolViolation
        }
        try payload.finish()
    }
}

/// A reply of an engine worker.
package enum EngineReply: Sendable {
    case opened(OpenedVoice)
    /// The starts of the request's symbols, as in ``AcousticPiece/times(_:)``.
    case times([Int])
    /// The next samples of the request's sound.
    case audio([Float])
    /// The version and voices of the rule-based engine.
    case introduced(EngineIntroduction)
    /// The phonemes of the request's texts.
    case pronounced([String])
    /// The next samples of a phrase's sound.
    case sound([Int16])
    /// The sound of a phrase is complete, and these are the times of its words.
    case said([TimedWord])
    /// The request's sound is complete.
    case done
    case failed(SentEngineError)
    /// The engine has started the request or made progress with it.
    case alive

    /// The limit on the samples of one frame; longer sound is sent in several.
    static let longestAudio = 1 << 16

    package func frame(request: UInt32) -> Frame {
        switch self {
        case .opened(let voice):
            var payload = PayloadWriter()
            payload.write(UInt32(voice.sampleRate))
            payload.write(UInt32(voice.speakers))
            payload.write(voice.layout.rawValue)
            return Frame(.opened, request: request, payload: payload.bytes)
        case .times(let times):
            var payload = PayloadWriter()
            for time in times { payload.write(UInt32(clamping: time)) }
            return Frame(.times, request: request, payload: payload.bytes)
        case .audio(let samples):
            return Frame(.audio, request: request, payload: samples.withUnsafeBytes { Array($0) })
        case .introduced(let introduction):
            var payload = PayloadWriter()
            payload.write(introduction)
            return Frame(.introduced, request: request, payload: payload.bytes)
        case .pronounced(let phonemes):
            var payload = PayloadWriter()
            payload.write(phonemes)
            return Frame(.pronounced, request: request, payload: payload.bytes)
        case .sound(let samples):
            return Frame(.sound, request: request, payload: samples.withUnsafeBytes { Array($0) })
        case .said(let marks):
            var payload = PayloadWriter()
            payload.write(UInt32(marks.count))
            for mark in marks { payload.write(mark) }
            return Frame(.said, request: request, payload: payload.bytes)
        case .done: return Frame(.done, request: request)
        case .failed(let failure): return Frame(.failed, request: request, payload: failure.payload)
        case .alive: return Frame(.alive, request: request)
        }
    }

    /// - Throws: ``WorkerError/protocolViolation``.
    package init(_ frame: Frame) throws(WorkerError) {
        var payload = PayloadReader(frame.payload)
        switch frame.kind {
        case .opened:
            let (sampleRate, speakers) = (Int(try payload.number()), Int(try payload.number()))
            guard let layout = try payload.layout() else { throw .protocolViolation }
            self = .opened(try OpenedVoice(sampleRate: sampleRate, speakers: speakers, layout: layout))
            try payload.finish()
        case .times:
            guard frame.payload.count.isMultiple(of: 4) else { throw .protocolViolation }
            var times: [Int] = []
            for _ in 0..<frame.payload.count / 4 { times.append(Int(try payload.number())) }
            guard zip(times, times.dropFirst()).allSatisfy(<=) else { throw .protocolViolation }
            self = .times(times)
        case .audio:
            guard frame.payload.count.isMultiple(of: MemoryLayout<Float>.stride) else { throw .protocolViolation }
            self = .audio(frame.samples())
        case .introduced:
            self = .introduced(try payload.introduction())
            try payload.finish()
        case .pronounced:
            self = .pronounced(try payload.strings())
            try payload.finish()
        case .sound:
            guard frame.payload.count.isMultiple(of: MemoryLayout<Int16>.stride) else { throw .protocolViolation }
            self = .sound(frame.samples())
        case .said:
            self = .said(try payload.marks())
            try payload.finish()
        case .done: self = .done
        case .failed: self = .failed(try SentEngineError(payload: frame.payload))
        case .alive: self = .alive
        case .open, .speak, .introduce, .pronounce, .say, .cancel, .shutdown, .ask, .piece, .page, .text, .structure,
            .picture, .entry, .content, .clip, .recognized, .activity, .taken, .reached, .turns, .more, .facts,
            .samples,
            .want, .notice:
            throw .protocolViolation
        }
    }
}

/// A worker's description of the voice that it has loaded.
package struct OpenedVoice: Sendable, Hashable {
    /// The allowed sample rates, in hertz.
    static let sampleRates = 1...768_000

    /// Samples per second, in hertz, ``sampleRates``.
    package let sampleRate: Int
    /// 1 to 1,000,000.
    package let speakers: Int
    package let layout: ModelLayout

    /// - Throws: ``WorkerError/protocolViolation`` for values that no voice has.
    package init(sampleRate: Int, speakers: Int, layout: ModelLayout) throws(WorkerError) {
        guard Self.sampleRates.contains(sampleRate), (1...1_000_000).contains(speakers) else {
            throw .protocolViolation
        }
        self.sampleRate = sampleRate
        self.speakers = speakers
        self.layout = layout
    }
}

extension PayloadReader {
    /// Reads a layout's name; an empty one gives `nil`.
    fileprivate mutating func layout() throws(WorkerError) -> ModelLayout? {
        let name = try string()
        guard !name.isEmpty else { return nil }
        guard let layout = ModelLayout(rawValue: name) else { throw .protocolViolation }
        return layout
    }
}

extension Frame {
    /// The payload as samples; both sides run on one machine, whose byte order is little-endian.
    fileprivate func samples<Sample: BitwiseCopyable>() -> [Sample] {
        let count = payload.count / MemoryLayout<Sample>.stride
        return [Sample](unsafeUninitializedCapacity: count) { samples, filled in
            payload.withUnsafeBytes { UnsafeMutableRawBufferPointer(samples).copyMemory(from: $0) }
            filled = count
        }
    }
}

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

    mutating func write(_ mark: TimedWord) {
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
    mutating func marks() throws(WorkerError) -> [TimedWord] {
        var marks: [TimedWord] = []
        for _ in 0..<(try number()) {
            let source = try textRange()
            let (start, end) = (Int(try number()), Int(try number()))
            guard start <= end, start >= marks.last?.samples.upperBound ?? 0 else { throw .protocolViolation }
            marks.append(TimedWord(source: source, samples: start..<end, precision: .exact))
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
