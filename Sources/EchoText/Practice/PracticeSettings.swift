/// How a person practices.
///
/// A value may hold anything; ``checked()`` says whether it can be practiced with.
package struct PracticeSettings: Sendable, Hashable {
    /// The unit that is read at once.
    package enum Granularity: String, Sendable, Hashable, Codable, CaseIterable {
        case sentence, paragraph
    }

    /// The pause that follows a segment.
    package enum Echo: String, Sendable, Hashable, Codable, CaseIterable {
        /// A pause as long as the segment, times the factor.
        case timed
        /// A pause until the speaker has fallen silent.
        case wait
        /// No pause.
        case off
    }

    /// Which readings have pauses after their segments.
    package enum Order: String, Sendable, Hashable, Codable, CaseIterable {
        case listenAndRepeat
        /// The person reads along: there are no pauses.
        case together
        /// Everything is read once without pauses and then with them.
        case listenFirst
    }

    package static let rates = 0.1...1.0
    package static let factors = 0.5...3.0
    package static let repetitions = 1...10
    /// How much faster each repetition is with ``faster``.
    package static let step = 0.05

    /// ``rates``; 0.5 is the voice's own pace.
    ///
    /// - SeeAlso: ``Prosody/init(practiceRate:pitch:)``.
    package var rate = 0.5
    package var granularity = Granularity.sentence
    package var echo = Echo.timed
    /// How long the pause is, in lengths of the segment; ``factors``.
    package var factor = 1.0
    /// How often each segment is practiced before the next; ``repetitions``.
    package var repeats = 1
    /// The segments that are practiced again and again.
    package var loop: PracticeLoop?
    package var order = Order.listenAndRepeat
    /// Whether the text is not shown.
    package var hidesText = false
    /// Whether each repetition, and each pass of a loop, is ``step`` faster than the previous one.
    package var faster = false
    /// Whether the microphone records during the pauses.
    package var records = false
    /// Whether takes are stored in the library; otherwise they are discarded once scored.
    package var keepsTakes = true
    /// The cue at the end of a segment: a sound, a vibration, a pulse of the view.
    package var earcon = true
    package var vibration = true
    package var pulse = true

    package init() {}

    /// The same settings, if each is in its range.
    ///
    /// - Throws: ``PracticeError/outOfRange(setting:allowed:)``.
    package func checked() throws(PracticeError) -> PracticeSettings {
        try Self.check(rate: rate)
        guard Self.factors.contains(factor) else { throw .outOfRange(setting: "factor", allowed: "0.5 to 3") }
        guard Self.repetitions.contains(repeats) else { throw .outOfRange(setting: "repeats", allowed: "1 to 10") }
        if let loop, loop.first < 1 || loop.last < loop.first {
            throw .outOfRange(setting: "loop", allowed: "two numbers of sentences or paragraphs, such as 2–5")
        }
        return self
    }

    /// - Throws: ``PracticeError/outOfRange(setting:allowed:)`` for a rate that is none of ``rates``.
    package static func check(rate: Double) throws(PracticeError) {
        guard rates.contains(rate) else { throw .outOfRange(setting: "rate", allowed: "0.1 to 1") }
    }
}

/// A closed range of segment numbers.
package struct PracticeLoop: Sendable, Hashable, Codable {
    /// From 1.
    package var first: Int
    package var last: Int

    package init(first: Int, last: Int) {
        (self.first, self.last) = (first, last)
    }
}

extension PracticeSettings: Codable {
    /// Settings of which only some are given, as a request or an older library has them.
    package struct Changes: Sendable, Hashable, Decodable {
        package var rate: Double?
        package var granularity: Granularity?
        package var echo: Echo?
        package var factor: Double?
        package var repeats: Int?
        /// `nil` for no change, `.some(nil)` for no loop.
        package var loop: PracticeLoop??
        package var order: Order?
        package var hidesText: Bool?
        package var faster: Bool?
        package var records: Bool?
        package var keepsTakes: Bool?
        package var earcon: Bool?
        package var vibration: Bool?
        package var pulse: Bool?

        package init() {}

        private enum CodingKeys: CodingKey {
            case rate, granularity, echo, factor, repeats, loop, order, hidesText, faster, records, keepsTakes
            case earcon, vibration, pulse
        }

        package init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            rate = try fields.decodeIfPresent(Double.self, forKey: .rate)
            granularity = try fields.decodeIfPresent(Granularity.self, forKey: .granularity)
            echo = try fields.decodeIfPresent(Echo.self, forKey: .echo)
            factor = try fields.decodeIfPresent(Double.self, forKey: .factor)
            repeats = try fields.decodeIfPresent(Int.self, forKey: .repeats)
            if fields.contains(.loop) {
                loop = .some(try fields.decodeIfPresent(PracticeLoop.self, forKey: .loop))
            }
            order = try fields.decodeIfPresent(Order.self, forKey: .order)
            hidesText = try fields.decodeIfPresent(Bool.self, forKey: .hidesText)
            faster = try fields.decodeIfPresent(Bool.self, forKey: .faster)
            records = try fields.decodeIfPresent(Bool.self, forKey: .records)
            keepsTakes = try fields.decodeIfPresent(Bool.self, forKey: .keepsTakes)
            earcon = try fields.decodeIfPresent(Bool.self, forKey: .earcon)
            vibration = try fields.decodeIfPresent(Bool.self, forKey: .vibration)
            pulse = try fields.decodeIfPresent(Bool.self, forKey: .pulse)
        }
    }

    /// Missing keys have their default values.
    ///
    /// - Throws: ``PracticeError/outOfRange(setting:allowed:)``.
    package init(from decoder: any Decoder) throws {
        self = try PracticeSettings().applying(Changes(from: decoder))
    }

    /// These settings with `changes`.
    ///
    /// - Throws: ``PracticeError/outOfRange(setting:allowed:)``.
    package func applying(_ changes: Changes) throws(PracticeError) -> PracticeSettings {
        var settings = self
        settings.rate = changes.rate ?? rate
        settings.granularity = changes.granularity ?? granularity
        settings.echo = changes.echo ?? echo
        settings.factor = changes.factor ?? factor
        settings.repeats = changes.repeats ?? repeats
        settings.loop = changes.loop ?? loop
        settings.order = changes.order ?? order
        settings.hidesText = changes.hidesText ?? hidesText
        settings.faster = changes.faster ?? faster
        settings.records = changes.records ?? records
        settings.keepsTakes = changes.keepsTakes ?? keepsTakes
        settings.earcon = changes.earcon ?? earcon
        settings.vibration = changes.vibration ?? vibration
        settings.pulse = changes.pulse ?? pulse
        return try settings.checked()
    }
}

/// The source of a practiced text.
package enum PracticeSource: Sendable, Hashable, Codable {
    /// A text that is nowhere else, with its language (BCP 47).
    case text(String, language: String)
    case speech(Speech.ID)
    /// A document, or the parts of it that a selection has.
    case document(Document.ID, DocumentSelection?)
    /// The text of a recording: that of a narration, or of a transcript.
    case recording(AudioItem.ID)
    /// A text of the history.
    case history(HistoryEntry.ID)
    /// The hard segments that are due.
    case hard
    /// The text of another session; a new session gets that session's source.
    case session(PracticeRecord.ID)
}
