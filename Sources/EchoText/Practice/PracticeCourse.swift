/// The path through the segments of a text: the current position and the next ones.
struct PracticeCourse: Sendable, Hashable, Codable {
    private(set) var settings: PracticeSettings
    private(set) var position: PracticeSession.Position
    /// How many segments are known; the present one may be the one after them while more may follow.
    private(set) var known: Int
    private(set) var isComplete: Bool
    /// The segment that readings of the whole text begin with.
    private var origin: Int

    /// More segments, or passes, than any session has.
    private static let most = 1 << 40

    init(_ settings: PracticeSettings, from segment: Int, known: Int, isComplete: Bool) {
        let last = isComplete ? max(1, known) : Int.max
        self.settings = settings
        self.isComplete = isComplete
        origin = min(max(1, segment), last)
        position = .init(segment: origin)
        self.known = max(known, isComplete ? 0 : origin - 1)
    }

    // MARK: - Facts

    /// Whether it is known that the text has no segment.
    var isEmpty: Bool { isComplete && known == 0 }

    /// Whether the segment is only read, without a pause for repetition.
    var isWithoutEcho: Bool { settings.order == .together || settings.echo == .off || isListening }

    /// Whether everything is read for the first time, with the pauses to come.
    private var isListening: Bool { settings.order == .listenFirst && position.pass == 1 }

    /// The rate of the present repetition.
    var rate: Double {
        guard settings.faster else { return settings.rate }
        let passes = position.pass - (settings.order == .listenFirst ? 2 : 1)
        let steps = Double(max(0, passes) + position.repetition - 1)
        let rate = settings.rate + PracticeSettings.step * steps
        return min(PracticeSettings.rates.upperBound, (rate * 1_000).rounded() / 1_000)
    }

    /// The next segment that differs from the present one, if it is known, and its rate.
    var upcoming: (segment: Int, rate: Double)? {
        var later = self
        for _ in 0...PracticeSettings.repetitions.upperBound {
            guard later.advance(), later.position.segment <= later.known else { return nil }
            if later.position.segment != position.segment || later.rate != rate {
                return (later.position.segment, later.rate)
            }
        }
        return nil
    }

    /// The segments that are practiced again and again, as far as the text has them.
    private var loop: ClosedRange<Int>? {
        guard let loop = settings.loop, loop.first >= 1, loop.first <= loop.last else { return nil }
        guard isComplete else { return loop.first...loop.last }
        return loop.first <= known ? loop.first...min(loop.last, known) : nil
    }

    // MARK: - Moves

    /// Advances to the next repetition, or after the last one to the next segment.
    ///
    /// - Returns: Whether there is one; otherwise nothing changes.
    mutating func advance() -> Bool {
        guard position.repetition < settings.repeats, !isListening else { return goForward() }
        position.repetition += 1
        return true
    }

    /// Advances to the next segment; after the last of the loop, and from outside it, to the loop's first.
    ///
    /// - Returns: Whether there is one; otherwise nothing changes.
    mutating func goForward() -> Bool {
        var next = PracticeSession.Position(segment: position.segment + 1, pass: position.pass)
        if let loop {
            if !(loop.lowerBound..<loop.upperBound).contains(position.segment) {
                next.segment = loop.lowerBound
                if position.segment == loop.upperBound { next.pass += 1 }
            }
        } else if isComplete, next.segment > known {
            guard isListening, known > 0 else { return false }
            next = .init(segment: min(origin, known), pass: 2)
        }
        // An unknown segment is played as soon as it is known; segments after it cannot be.
        if !isComplete, next.segment > known + 1 { next.segment = max(1, known + 1) }
        position = next
        return true
    }

    /// Goes back to the previous segment; from the first segment, and the first of the loop, to its beginning.
    mutating func goBack() {
        let first = loop.flatMap { $0.contains(position.segment) ? $0.lowerBound : nil } ?? 1
        go(to: max(first, position.segment - 1))
    }

    mutating func go(to segment: Int) {
        position = .init(segment: min(max(1, segment), max(1, known)), pass: position.pass)
    }

    /// Goes to the start of the reading, or to `segment` in a reading with pauses.
    mutating func startOver(at segment: Int? = nil) {
        position = .init(segment: 1)
        if let segment {
            position.pass = settings.order == .listenFirst ? 2 : 1
            go(to: segment)
        } else {
            go(to: loop?.lowerBound ?? origin)
        }
    }

    // MARK: - Changes

    /// Changes whether the turns are recorded, and nothing else.
    mutating func record(_ records: Bool) { settings.records = records }

    /// Brings numbers that were stored within what can be reckoned with.
    mutating func bound() {
        settings = (try? settings.checked()) ?? PracticeSettings()
        known = min(max(0, known), Self.most)
        origin = min(max(1, origin), Self.most)
        position = .init(
            segment: min(max(1, position.segment), Self.most),
            repetition: min(max(1, position.repetition), PracticeSettings.repetitions.upperBound),
            pass: min(max(1, position.pass), Self.most)
        )
    }

    /// Records that the present segment exists.
    mutating func confirm() { if !isComplete { known = max(known, position.segment) } }

    /// Updates the number of known segments.
    ///
    /// - Returns: Whether the present segment exists or may still exist.
    mutating func learn(_ count: Int, isComplete: Bool) -> Bool {
        guard !self.isComplete else { return true }
        self.isComplete = isComplete
        known = isComplete ? max(0, count) : max(known, count)
        guard isComplete, position.segment > known else { return true }
        position.segment = max(1, known)
        origin = min(origin, max(1, known))
        return false
    }

    /// Changes the settings.
    ///
    /// - Parameters:
    ///   - settings: The new settings.
    ///   - segment: The number of the present segment if the text is segmented again.
    /// - Returns: Whether the text has to be segmented again.
    mutating func change(to settings: PracticeSettings, segment: Int?) -> Bool {
        let old = self.settings
        self.settings = settings
        guard settings.granularity != old.granularity else { return false }
        // The old numbers refer to other segments.
        if settings.loop == old.loop { self.settings.loop = nil }
        position.segment = max(1, segment ?? 1)
        position.repetition = 1
        origin = 1
        known = position.segment - 1
        isComplete = false
        return true
    }
}
