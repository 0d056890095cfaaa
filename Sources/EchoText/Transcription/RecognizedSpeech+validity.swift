extension RecognizedSpeech {
    /// Returns whether it is valid for a clip, as ``RecognitionSession`` requires.
    ///
    /// - Parameter seconds: The duration of the clip.
    /// - Returns: Whether all invariants of the text and its words hold.
    package func isPossible(in seconds: Double) -> Bool {
        guard text.first?.isWhitespace != true, text.last?.isWhitespace != true else { return false }
        guard !words.isEmpty else { return true }
        guard timing != .none else { return false }
        let units = Array(text.utf16)
        var last = (source: 0, start: 0.0)
        return words.allSatisfy { word in
            defer { last = (word.source.upperBound, word.start) }
            return word.source.lowerBound >= last.source && word.isWritten(in: units)
                && word.isPossible(in: seconds, after: last.start)
        }
    }
}

extension RecognizedWord {
    /// Whether its range is within the text, without white space at its ends, and divides no surrogate pair.
    fileprivate func isWritten(in units: [UInt16]) -> Bool {
        guard !source.isEmpty, source.upperBound <= units.count, !UTF16.isTrailSurrogate(units[source.lowerBound]),
            source.upperBound == units.count || !UTF16.isTrailSurrogate(units[source.upperBound])
        else { return false }
        return !units[source].contains { Unicode.Scalar($0)?.properties.isWhitespace == true }
    }

    /// Whether its times are within the clip and in order.
    ///
    /// Comparisons with NaN are false.
    fileprivate func isPossible(in seconds: Double, after start: Double) -> Bool {
        let isOrdered = start <= self.start && self.start <= end && end <= seconds
        return isOrdered && (confidence.map { (0...1).contains($0) } ?? true)
    }
}
