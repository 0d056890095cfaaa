import Foundation

/// Brings a quiet sound to a level at which a model finds speech in it; what is heard and kept stays as it is.
///
/// The level is that of the louder windows of the last seconds, so that neither pauses nor a cough set it. Loud sound is left alone.
package struct DetectionLevel: Sendable {
    /// What the louder windows are brought to, in dBFS.
    private static let target: Float = -32
    /// In decibels.
    private static let mostGain: Float = 40
    /// Windows that are remembered: 5 s.
    private static let memory = 156
    /// The share of windows that are quieter than the louder ones.
    private static let quietShare = 0.8
    /// What is quieter is no sound of a room, in dBFS.
    private static let faintest: Float = -90
    /// The highest sample that comes of a gain.
    private static let highest: Float = 0.9
    /// The most that the gain rises from one window to the next, in decibels.
    private static let rise: Float = 3

    /// The levels of the last windows, in their order.
    private var levels: [Float] = []
    /// The same, from the quietest to the loudest.
    private var sorted: [Float] = []
    /// In decibels; `nil` before the first window.
    private var gain: Float?

    package init() {}

    /// A window's samples as the detector is to get them.
    ///
    /// - Parameters:
    ///   - window: The next window's samples.
    ///   - level: Its level, in dBFS.
    /// - Returns: As many samples, within -1 and 1 where those of `window` are.
    package mutating func leveled(_ window: ArraySlice<Float>, level: Float) -> [Float] {
        if level > Self.faintest { remember(level) }
        let peak = window.reduce(Float(0)) { max($0, abs($1)) }
        let limit = peak > 0 ? 20 * log10(Self.highest / peak) : Self.mostGain
        let wanted = max(0, min(Self.mostGain, min(limit, Self.target - louder)))
        let old = gain ?? wanted
        let new = min(wanted, old + Self.rise)
        gain = new
        guard old != 0 || new != 0 else { return Array(window) }
        let (first, last) = (pow(10, old / 20), pow(10, new / 20))
        let step = (last - first) / Float(max(1, window.count))
        return window.enumerated().map { index, sample in
            max(-1, min(1, sample * (first + step * Float(index + 1))))
        }
    }

    /// The level of the louder windows, in dBFS; the target where there are none.
    private var louder: Float {
        sorted.isEmpty ? Self.target : sorted[min(sorted.count - 1, Int(Double(sorted.count) * Self.quietShare))]
    }

    private mutating func remember(_ level: Float) {
        levels.append(level)
        let index = place(of: level)
        sorted.insert(level, at: index)
        guard levels.count > Self.memory else { return }
        let oldest = levels.removeFirst()
        sorted.remove(at: place(of: oldest))
    }

    /// Where `level` is, or belongs, among the sorted ones.
    private func place(of level: Float) -> Int {
        var (low, high) = (0, sorted.count)
        while low < high {
            let middle = (low + high) / 2
            if sorted[middle] < level { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
