#if TESTABLE
internal import EchoText
internal import Foundation

@testable internal import Workers

/// The bytes of a worker's pipe, split anywhere: the frames and their decoded values.
enum FrameTarget: FuzzTarget {
    private static let sides: [Set<Frame.Kind>] = [
        Frame.Kind.ofProgram, Frame.Kind.ofWorker, Frame.Kind.toReader, Frame.Kind.ofReader, Frame.Kind.toUnpacker,
        Frame.Kind.ofUnpacker,
    ]

    /// First the sending side and the length of the pieces; then frames after their preamble.
    static var seeds: [[UInt8]] {
        get throws {
            let unpacked: [ArchivePiece] = [.folder("a"), .file("a/b"), .bytes([1, 2])]
            let request = ReaderRequest(task: .draw(page: 3, width: 100), length: 10, password: "a")
            let asked = Frame(.ask, request: 1, payload: Array(try JSONEncoder().encode(request))).encoded
            let replies = try replies.map { $0.frame(request: 2) }
            var seeds = replies.map { stream(1, [$0]) }
            seeds.append(stream(0, try commands.map { $0.frame(request: 1) }))
            seeds.append(stream(1, replies))
            seeds.append([2, 40] + FrameFormat.preamble + asked)
            seeds.append(stream(3, try document))
            seeds.append(stream(3, try refusals))
            seeds.append([5, 200] + FrameFormat.preamble + unpacked.flatMap(\.frame))
            return seeds
        }
    }

    private static var commands: [EngineCommand] {
        get throws {
            let phonemes = PhonemeRequest(phonemes: ["a", "ː"], speaker: 1, speed: 1, liveliness: 0.6, rhythm: 0.8)
            let phrase = SpokenText(pieces: [.init(.written("one"), source: 0..<3), .init(.words("1"), source: 3..<4)])
            return [
                .open(VoiceFolder(path: "/voices/vits-piper-en", name: "vits-piper-en"), lanes: 2, layout: .parts),
                .speak(phonemes), .introduce, .pronounce(["one", "two"], language: "en"),
                .say(phrase, voice: voice.id, prosody: try Prosody(speed: 1, pitch: 1)), .cancel, .shutdown,
            ]
        }
    }

    private static var replies: [EngineReply] {
        get throws {
            let opened = try OpenedVoice(sampleRate: 22_050, speakers: 1, layout: .whole(.format))
            let failures: [any Error] = [
                CancellationError(), VoiceFolderError.unsupportedPhonemes("a", type: "b"),
                SynthesisError.timedOut(.piper, phase: .loading, seconds: 2),
                SynthesisError.voiceNotInstalled(voice.id, similar: [voice.id]),
                SynthesisError.noSuchSpeaker(2, of: voice.id, count: 1), SynthesisError.speedOutOfRange(9),
            ]
            let replies: [EngineReply] = [
                .opened(opened), .times([0, 5, 9]), .audio([0, 0.5]), .sound([0, -16_384]), .pronounced(["wˈʌn"]),
                .introduced(EngineIntroduction(version: "1.52", voices: [voice])),
                .said([TimedWord(source: 0..<3, samples: 0..<10, precision: .exact)]), .done, .alive,
            ]
            return replies + failures.map { EngineReply.failed(SentEngineError($0)) }
        }
    }

    private static var voice: Voice {
        let id = Voice.ID(rawValue: "espeak/en")
        return Voice(id: id, name: "English", language: "en", engine: .espeakNG, sampleRate: 22_050)
    }

    private static var document: [Frame] {
        get throws {
            let text = "One page.\n\nAnd words."
            let structure = DocumentStructure(
                kind: .pdf,
                title: "A title",
                language: "en",
                pages: [DocumentPage(number: 1, label: "i", range: 0..<text.utf16.count)],
                chapters: [DocumentChapter(title: "One", level: 1, range: 0..<10)],
                blocks: [TextBlock(.heading, level: 1, range: 0..<9)],
                marks: [TextMark(.pageNumber, range: 11..<14)],
                notices: [.unreadablePages([1, 2, 4]), .guessedEncoding("CP1252"), .endsBefore(page: 9)]
            )
            return [
                Frame(.page, request: 1, payload: [1, 0, 0, 0]), Frame(.text, request: 1, payload: Array(text.utf8)),
                Frame(.structure, request: 1, payload: Array(try JSONEncoder().encode(structure))),
                Frame(.done, request: 1),
            ]
        }
    }

    private static var refusals: [Frame] {
        get throws {
            let errors: [DocumentError] = [.tooSlow(seconds: 3), .tooManyPages(limit: 5), .damaged(.pdf)]
            return try errors.map { Frame(.failed, request: 1, payload: Array(try JSONEncoder().encode($0))) }
        }
    }

    private static func stream(_ side: UInt8, _ frames: [Frame]) -> [UInt8] {
        [side, 7] + FrameFormat.preamble + frames.flatMap(\.encoded)
    }

    static func run(_ input: FuzzInput) throws {
        var input = input
        let accepted = sides[input.choice(of: sides.count)]
        let step = max(Int(input.byte()), 1)
        let (frames, failure) = decoded(input.rest, accepting: accepted, by: step)
        let (whole, sameFailure) = decoded(input.rest, accepting: accepted, by: max(input.rest.count, 1))
        demand(frames == whole && failure == sameFailure, "where a stream is cut changes nothing")
        var answer = ReaderAnswer(of: .pdf, size: 0)
        for frame in frames {
            readCommand(frame)
            readReply(frame)
            readReaders(frame, into: &answer)
            if let piece = try? ArchivePiece(frame) {
                demand(piece.frame == Frame(frame.kind, request: 1, payload: frame.payload).encoded, "pieces travel")
            }
        }
        if let document = try? answer.document(.pdf) {
            demand(document.invariantViolation == nil, "documents keep their promises")
            for notice in document.notices { demandShown(notice.message) }
        }
        _ = try? answer.picture()
    }

    private static func decoded(
        _ bytes: ArraySlice<UInt8>,
        accepting accepted: Set<Frame.Kind>,
        by step: Int
    ) -> ([Frame], WorkerError?) {
        var decoder = FrameDecoder(accepting: accepted)
        var frames: [Frame] = []
        var rest = bytes
        while !rest.isEmpty {
            rest.prefix(step).withUnsafeBytes { decoder.append($0) }
            rest = rest.dropFirst(step)
            do {
                while let frame = try decoder.next() {
                    demand(accepted.contains(frame.kind), "only what may be said is heard")
                    demand(frame.payload.count <= frame.kind.longestPayload, "a payload has a limit")
                    frames.append(frame)
                }
            } catch {
                demand(decoder.heldBytes == 0, "nothing is kept after an error")
                return (frames, error)
            }
        }
        return (frames, nil)
    }

    private static func readCommand(_ frame: Frame) {
        guard let command = try? EngineCommand(frame) else { return }
        let again = command.frame(request: frame.request)
        demand((try? EngineCommand(again))?.frame(request: frame.request) == again, "commands travel")
    }

    private static func readReply(_ frame: Frame) {
        guard let reply = try? EngineReply(frame) else { return }
        if case .failed(let failure) = reply, let error = failure.error as? any UserFacingError {
            demandShown(error.message)
            demandShown(error.suggestion ?? "none")
        }
        let again = reply.frame(request: frame.request)
        demand((try? EngineReply(again))?.frame(request: frame.request) == again, "replies travel")
    }

    private static func readReaders(_ frame: Frame, into answer: inout ReaderAnswer) {
        switch frame.kind {
        case .ask:
            _ = try? JSONDecoder().decode(ReaderRequest.self, from: Data(frame.payload))
            _ = try? JSONDecoder().decode(UnpackerRequest.self, from: Data(frame.payload))
        case .text:
            try? answer.text.append(frame.payload)
            demand(answer.text.units == answer.text.text.utf16.count, "a text's length is counted as it comes")
        case .structure: answer.structure.append(contentsOf: frame.payload)
        case .picture: answer.png.append(contentsOf: frame.payload)
        case .failed:
            guard let error = try? JSONDecoder().decode(DocumentError.self, from: Data(frame.payload)) else { return }
            if case .unsupported = error { return }  // which a worker may not say
            demandShown(error.message)
            demandShown(error.suggestion ?? "none")
        default: break
        }
    }

    private static func demandShown(_ words: String) {
        let isPlain = words.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        demand(!words.isEmpty && isPlain, "what a person is shown are words")
    }
}
#endif
