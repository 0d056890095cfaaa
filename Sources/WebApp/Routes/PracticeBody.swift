import EchoText

/// An order for practice, in a request's body.
struct PracticeBody: Decodable {
    let order: PracticeSessions.Order

    private enum Key: CodingKey {
        case source, settings, voice, speaker, from
    }

    private enum SourceKey: CodingKey {
        case kind, id, text, language, selection
    }

    init(from decoder: any Decoder) throws {
        let body = try decoder.container(keyedBy: Key.self)
        let source = try body.nestedContainer(keyedBy: SourceKey.self, forKey: .source)
        let language = try source.decodeIfPresent(String.self, forKey: .language)
        var order = PracticeSessions.Order(try Self.source(in: source, language))
        order.language = language
        order.settings =
            try body.decodeIfPresent(PracticeSettings.Changes.self, forKey: .settings) ?? PracticeSettings.Changes()
        order.voice = try body.decodeIfPresent(String.self, forKey: .voice)
        order.speaker = try body.decodeIfPresent(Int.self, forKey: .speaker).map(VoiceSpeaker.number)
        order.first = try body.decodeIfPresent(Int.self, forKey: .from) ?? 1
        guard order.first >= 1 else { throw WebError.badRequest(what: "“from” is a segment's number, from 1") }
        self.order = order
    }

    private static func source(
        in source: KeyedDecodingContainer<SourceKey>,
        _ language: String?
    ) throws -> PracticeSource {
        switch try source.decode(String.self, forKey: .kind) {
        case "text":
            return .text(
                try source.decode(String.self, forKey: .text),
                language: language.map { LanguageTag.canonical($0) } ?? "und"
            )
        case "speech": return .speech(Speech.ID(rawValue: try source.decode(String.self, forKey: .id)))
        case "document":
            return .document(
                try source.decode(Document.ID.self, forKey: .id),
                try source.decodeIfPresent(DocumentSelection.self, forKey: .selection)
            )
        case "recording": return .recording(try source.decode(AudioItem.ID.self, forKey: .id))
        case "history":
            guard let id = Int(try source.decode(String.self, forKey: .id)) else { throw LibraryError.textNotFound }
            return .history(id)
        case "hard": return .hard
        case "session": return .session(KeptPractice.ID(rawValue: try source.decode(String.self, forKey: .id)))
        default:
            let kinds = "text, speech, document, recording, history, hard or session"
            throw WebError.badRequest(what: "“kind” of “source” is \(kinds)")
        }
    }
}

/// Events of a session, in a request's body.
struct PracticeEventsBody: Decodable {
    /// A request reports the events of a few moments.
    private static let maximumCount = 100

    let happened: [PracticeSessions.TimedEvent]

    private enum Key: CodingKey {
        case events
    }

    private struct Event: Decodable {
        let kind: String
        let at: Double
        let token: Int?
        let segment: Int?
        let seconds: Double?
        let reason: PracticeSession.Interruption?
        let settings: PracticeSettings.Changes?
        let isKept: Bool?

        var timed: PracticeSessions.TimedEvent {
            get throws {
                // Seconds since 1970, at most.
                guard (0...1e11).contains(at) else { throw WebError.badRequest(what: "“at” is a time in seconds") }
                return PracticeSessions.TimedEvent(try meaning(), at: .seconds(at))
            }
        }

        private func meaning() throws -> PracticeSessions.TimedEvent.Kind {
            switch kind {
            case "begin": .event(.begin)
            case "playbackFinished":
                .event(.playbackFinished(try need(token, "token"), seconds: try need(seconds, "seconds")))
            case "playbackFailed": .event(.playbackFailed(try need(token, "token")))
            case "echoElapsed": .event(.echoElapsed(try need(token, "token")))
            case "silenceHeard": .event(.silenceHeard(try need(token, "token")))
            case "pause": .event(.pause)
            case "resume": .event(.resume)
            case "interrupt": .event(.interrupt(try need(reason, "reason")))
            case "next": .event(.next)
            case "previous": .event(.previous)
            case "jump": .event(.jump(try need(segment, "segment")))
            case "setSettings": .change(try need(settings, "settings"), isKept: isKept ?? true)
            case "end": .event(.end)
            default: throw WebError.badRequest(what: "there is no event “\(kind.prefix(40))”")
            }
        }

        private func need<Value>(_ value: Value?, _ name: String) throws -> Value {
            guard let value else { throw WebError.badRequest(what: "“\(kind)” needs “\(name)”") }
            return value
        }
    }

    init(from decoder: any Decoder) throws {
        let events = try decoder.container(keyedBy: Key.self).decode([Event].self, forKey: .events)
        guard events.count <= Self.maximumCount else {
            throw WebError.badRequest(what: "at most \(Self.maximumCount) events at once")
        }
        happened = try events.map { try $0.timed }
    }
}

extension PracticeSessions.TimedEvent {
    /// Whether a person has done it, or said something.
    var isByPerson: Bool {
        switch kind {
        case .event(.playbackFinished), .event(.playbackFailed), .event(.echoElapsed), .event(.interrupt): false
        default: true
        }
    }
}
