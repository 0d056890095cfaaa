extension AudioClip {
    /// Where the sound begins and ends, quiet at the edges left out.
    ///
    /// - Parameters:
    ///   - threshold: Root-mean-square amplitude of a window that counts as sound; 0.01 is −40 dBFS.
    ///   - window: Samples looked at at once.
    ///   - offset: Samples of the same breath before these: windows are counted from its beginning.
    /// - Returns: A range in samples, empty when there is no sound; its ends are at the ends of windows or of the clip.
    package func soundRange(threshold: Float = 0.004, window: Int = 256, offset: Int = 0) -> Range<Int> {
        let limit = threshold * threshold
        func isSound(at start: Int) -> Bool {
            let stretch = samples[max(start, 0)..<min(start + window, samples.count)]
            return stretch.reduce(0) { $0 + $1 * $1 } > limit * Float(stretch.count)
        }
        let starts = stride(from: -(offset % window), to: samples.count, by: window)
        guard let first = starts.first(where: isSound), let last = starts.reversed().first(where: isSound) else {
            return 0..<0
        }
        return max(first, 0)..<min(last + window, samples.count)
    }
}
