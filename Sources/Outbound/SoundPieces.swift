import EchoText

/// A sound cut into pieces that a service takes.
enum SoundPieces {
    /// Where cuts are looked for, as a share of a piece, counted from its end.
    private static let search = 0.1
    /// In seconds; a cut goes through the middle of the quietest window of this length.
    private static let window = 0.1

    /// - Parameters:
    ///   - clip: What is to be heard.
    ///   - limit: The most samples of a piece.
    /// - Returns: Ranges of samples that join; no more of them than have to be.
    static func ranges(of clip: AudioClip, limit: Int) -> [Range<Int>] {
        precondition(limit > 0, "a piece has at least one sample, got \(limit)")
        var ranges: [Range<Int>] = []
        var start = 0
        while clip.samples.count - start > limit {
            let end = quietest(in: clip, from: start + limit - Int(search * Double(limit)), to: start + limit)
            ranges.append(start..<end)
            start = end
        }
        ranges.append(start..<clip.samples.count)
        return ranges
    }

    private static func quietest(in clip: AudioClip, from first: Int, to last: Int) -> Int {
        let length = max(1, Int(window * Double(clip.sampleRate)))
        var best = (place: last, power: Float.infinity)
        var place = first
        while place + length <= last {
            let power = clip.samples[place..<place + length].reduce(0) { $0 + $1 * $1 }
            // The later of two that are alike, so that pieces are long.
            if power <= best.power { best = (place + length / 2, power) }
            place += max(1, length / 2)
        }
        return best.place
    }
}
