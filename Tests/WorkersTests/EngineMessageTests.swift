import EchoText
import Testing

@testable import Workers

@Suite("Engine messages")
struct EngineMessageTests {
    static let commands: [EngineCommand] = [
        .open(VoiceFolder(path: "/voices/õ ä", name: "et_EE-kõneleja"), lanes: 1, layout: nil),
        .open(VoiceFolder(path: "/v", name: "v"), lanes: 2, layout: .parts),
        .open(VoiceFolder(path: "/v", name: "v"), lanes: 3, layout: .whole(.difference)),
        .open(VoiceFolder(path: "", name: ""), lanes: EngineCommand.maximumLanes, layout: nil),
        .speak(PhonemeRequest("")),
        .speak(PhonemeRequest(phonemes: Array("həlˈəʊ😀".unicodeScalars), speaker: -1, speed: .infinity)),
        .speak(PhonemeRequest(phonemes: ["a"], speaker: 0, speed: 1, liveliness: 0.5, rhythm: 1.5)),
        .speak(PhonemeRequest(String(repeating: "a", count: PhonemeRequest.longest), speaker: .max)),
        .introduce,
        .pronounce([], language: ""),
        .pronounce(["Tere, maailm!", "", "tere", "maailm"], language: "et"),
        .say(
            SpokenText(pieces: [
                .init(.phonemes("həlˈəʊ"), source: 3..<8), .init(.written(" wörld "), source: 8..<15),
                .init(.words("and so on"), source: 15..<19),
            ]),
            voice: Voice.ID(rawValue: "espeak/en-US+f3"),
            prosody: .natural
        ),
        .cancel,
        .shutdown,
    ]

    @Test("to a worker arrive as they were sent", arguments: commands)
    func arrive(command: EngineCommand) throws {
        #expect(try EngineCommand(command.frame(request: 7)) == command)
    }

    static let failures: [SentEngineError] =
        [.cancelled]
        + [
            VoiceFolderError.notAVoiceFolder, .missingFile("a.onnx"), .unreadableFile("b"), .badDescription("c.json"),
            .badTokens("tokens.txt"), .unsupportedPhonemes("d.json", type: "pinyin"), .badModel("ö.onnx"),
            .disabled("e.onnx", deaths: 3),
        ].map(SentEngineError.voiceFolder)
        + [
            SynthesisError.nothingToSay, .tooMuchSilence, .voiceNotInstalled(Voice.ID(rawValue: "piper/x")),
            .noSpeakerCalled("Dora", of: Voice.ID(rawValue: "piper/x"), names: ["Anna", "Bert"]),
            .voiceChanged(Voice.ID(rawValue: "piper/x")),
            .voiceNotInstalled(Voice.ID(rawValue: "x"), similar: [Voice.ID(rawValue: "y"), Voice.ID(rawValue: "z")]),
            .noSuchSpeaker(-1, of: Voice.ID(rawValue: "v"), count: 1), .speedOutOfRange(9), .pitchOutOfRange(-1),
            .rateOutOfRange(0), .chanceOutOfRange(3), .engineFailed(.piper, status: nil),
            .engineFailed(.espeakNG, status: -5), .engineDied(.espeakNG), .engineDied(.piper, over: "Some words."),
            .timedOut(.piper, phase: .phonemizing, seconds: 60.5),
        ].map(SentEngineError.synthesis)
        + [
            EngineLibraryError.missing(.sherpaOnnx), .missing(.onnxRuntime), .missing(.espeakNG),
            .wrongVersion(.sherpaOnnx, found: "1.13.4", wanted: "2.0.1"),
        ].map(SentEngineError.engine)

    @Test("of failure arrive as the error they were", arguments: failures)
    func arrive(failure: SentEngineError) throws {
        #expect(try SentEngineError(payload: failure.payload) == failure)
    }

    @Test("of failure keep numbers that are none")
    func failureKeepNumbers() throws {
        let sent = SentEngineError.synthesis(.speedOutOfRange(.nan))
        let received = try SentEngineError(payload: sent.payload)
        guard case .synthesis(.speedOutOfRange(let speed)) = received else {
            Issue.record("\(received) was received")
            return
        }
        #expect(speed.isNaN)
    }

    @Test("of failure lose what a terminal would obey, and length beyond reason")
    func failureLoseTerminal() throws {
        let sent = SentEngineError.voiceFolder(
            .badModel("\u{1B}[2Ja\u{202E}b\n" + String(repeating: "ä", count: 1_000))
        )
        let received = try SentEngineError(payload: sent.payload)
        #expect(received == .voiceFolder(.badModel("[2Jab" + String(repeating: "ä", count: 253))))
    }

    @Test("of failure that no worker of ours would send are refused", arguments: ["\u{1B}[2J", "a\nb", "\u{202E}"])
    func hostileWords(words: String) {
        var payload = PayloadWriter()
        payload.write("voice.bad-model")
        payload.write(words)
        #expect(throws: WorkerError.protocolViolation) { try SentEngineError(payload: payload.bytes) }
    }

    @Test("with something left over, or cut short, are refused")
    func somethingLeftOver() {
        for command in Self.commands {
            var frame = command.frame(request: 1)
            frame.payload.append(0)
            #expect(throws: WorkerError.protocolViolation) { try EngineCommand(frame) }
        }
        for failure in Self.failures {
            for length in failure.payload.indices {
                #expect(throws: WorkerError.protocolViolation) {
                    try SentEngineError(payload: Array(failure.payload.prefix(length)))
                }
            }
        }
    }

    @Test("of voices that cannot be are refused")
    func voicesCannotBe() {
        for (rate, speakers) in [(0, 1), (1, 0), (768_001, 1), (16_000, 1_000_001), (Int.min, Int.max)] {
            #expect(throws: WorkerError.protocolViolation) {
                try OpenedVoice(sampleRate: rate, speakers: speakers, layout: .parts)
            }
        }
    }

    @Test("of a voice arrive with how its model is run", arguments: ModelLayout.Obstacle.allCases)
    func layouts(_ obstacle: ModelLayout.Obstacle) throws {
        for layout in [ModelLayout.parts, .whole(obstacle)] {
            let voice = try OpenedVoice(sampleRate: 22_050, speakers: 904, layout: layout)
            guard case .opened(let received) = try EngineReply(EngineReply.opened(voice).frame(request: 1)) else {
                Issue.record("it is another message")
                return
            }
            #expect(received == voice)
        }
    }

    @Test("of times that go back are refused")
    func timesGoBack() throws {
        let frame = EngineReply.times([0, 512, 256]).frame(request: 1)
        #expect(throws: WorkerError.protocolViolation) { try EngineReply(frame) }
        guard case .times(let times) = try EngineReply(EngineReply.times([0, 256, 256, 1 << 31]).frame(request: 1))
        else {
            Issue.record("it is another message")
            return
        }
        #expect(times == [0, 256, 256, 1 << 31])
    }

    @Test("of an engine arrive with its voices")
    func engineArriveVoices() throws {
        let introduction = EngineIntroduction(
            version: "1.51",
            voices: ["espeak/en-US", "espeak/et"].map {
                Voice(id: .init(rawValue: $0), name: "Nimi", language: "et", engine: .espeakNG, sampleRate: 22_050)
            }
        )
        guard case .introduced(introduction) = try EngineReply(EngineReply.introduced(introduction).frame(request: 1))
        else {
            Issue.record("it is another message")
            return
        }
    }

    @Test("of an engine with voices that are not its own are refused", arguments: ["piper/en_US-x", "", "en"])
    func strangeVoices(id: String) throws {
        let voice = Voice(id: .init(rawValue: id), name: "x", language: "en", engine: .espeakNG, sampleRate: 22_050)
        let frame = EngineReply.introduced(.init(version: "1", voices: [voice])).frame(request: 1)
        #expect(throws: WorkerError.protocolViolation) { try EngineReply(frame) }
    }

    @Test("of sound arrive as they were made")
    func soundArriveAs() throws {
        let samples: [Int16] = [0, 16_384, .min, .max]
        guard case .sound(samples) = try EngineReply(EngineReply.sound(samples).frame(request: 1)) else {
            Issue.record("it is another message, or another sound")
            return
        }
    }

    @Test("of words that are heard in no order are refused")
    func wordsHeardNo() throws {
        func marks(_ ranges: [Range<Int>]) -> [TimedWord] {
            ranges.map { TimedWord(source: 0..<1, samples: $0, precision: .exact) }
        }
        let fine = marks([0..<10, 10..<10, 12..<20])
        guard case .said(fine) = try EngineReply(EngineReply.said(fine).frame(request: 1)) else {
            Issue.record("it is another message")
            return
        }
        let frame = EngineReply.said(marks([0..<10, 9..<20])).frame(request: 1)
        #expect(throws: WorkerError.protocolViolation) { try EngineReply(frame) }
    }
}
