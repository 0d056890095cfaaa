/// Which tokens may follow those that Whisper has written, so that it says when each passage begins and ends.
///
/// Stamps come in pairs around passages, never go back, and the first is at most a second from the start of the sound.
///
/// - SeeAlso: `ApplyTimestampRules` of `whisper/decoding.py` in github.com/openai/whisper.
struct TimestampRules: Sendable, Hashable {
    /// What may come next.
    struct Allowed: Sendable, Hashable {
        /// Whether text may.
        var text: Bool
        /// Whether the end may.
        var end: Bool
        /// Which stamps may.
        var stamps: Range<Int>
    }

    /// How many stamps after the first may begin: those of a second.
    private static let latestBeginning = 50

    /// The stamps of all times.
    let stamps: Range<Int>

    /// What may come next.
    ///
    /// - Parameter tokens: What has been written so far, without what came before the sound.
    /// - Returns: At least one of text, end and stamps, unless all stamps have passed.
    func allowed(after tokens: [Int]) -> Allowed {
        guard let last = tokens.last else {
            let latest = min(stamps.upperBound, stamps.lowerBound + Self.latestBeginning + 1)
            return Allowed(text: false, end: false, stamps: stamps.lowerBound..<latest)
        }
        var allowed = Allowed(text: true, end: true, stamps: stamps)
        let begins = stamps.contains(last) && (tokens.count < 2 || stamps.contains(tokens[tokens.count - 2]))
        if begins {
            allowed.stamps = stamps.upperBound..<stamps.upperBound
            return allowed
        }
        let isEnd = stamps.contains(last)
        allowed.text = !isEnd
        if let latest = tokens.last(where: { stamps.contains($0) }) {
            // A passage may begin where one ends, but takes some time.
            let earliest = min(isEnd ? latest : latest + 1, stamps.upperBound)
            allowed.stamps = earliest..<stamps.upperBound
        }
        return allowed
    }

    // MARK: - Passages

    /// Text between two stamps.
    struct Passage: Sendable, Hashable {
        /// Which stamp it begins at, from 0.
        var start: Int
        /// Which stamp it ends at; `nil` where the sound was left before it was written.
        var end: Int?
        /// Which of the tokens are its text.
        var tokens: Range<Int>
    }

    /// The passages of what was written; one without text is none.
    func passages(of tokens: [Int]) -> [Passage] {
        var passages: [Passage] = []
        var open: (start: Int, first: Int)?
        for (place, token) in tokens.enumerated() where stamps.contains(token) {
            let stamp = token - stamps.lowerBound
            if let begun = open, begun.first < place {
                passages.append(Passage(start: begun.start, end: stamp, tokens: begun.first..<place))
                open = nil
            } else {
                open = (stamp, place + 1)
            }
        }
        if let open, open.first < tokens.count {
            passages.append(Passage(start: open.start, end: nil, tokens: open.first..<tokens.count))
        }
        return passages
    }
}
