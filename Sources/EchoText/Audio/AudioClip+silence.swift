extension AudioClip {
    /// Where the sound begins and ends, quiet at the edges left out.
    ///
    /// - Parameters:
    ///   - threshold: Root-mean-square amplitude of a window that counts as sound; 0.01 is −40 dBFS.
    ///   - window: Samples looked at at once.
    /// - Returns: A range in samples, empty when there is no sound; its ends lie on multiples of `window` or at the end.
    package func soundRange(threshold: Float = 0.004, window: Int = 256) -> Range<Int> {
        let limit = threshold * threshold
        func isSound(at start: Int) -> Bool {
            let stretch = samples[start..<min(start + window, samples.count)]
            return stretch.reduce(0) { $0 + $1 * $1 } > limit * Float(stretch.count)
        }
        let starts = stride(from: 0, to: samples.count, by: window)
        guard let first = starts.first(where: isSound), let last = starts.reversed().first(where: isSound) else {
            return 0..<0
        }
        return first..<min(last + window, samples.count)
    }
}
