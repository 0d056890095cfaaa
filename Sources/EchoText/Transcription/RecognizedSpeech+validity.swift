extension RecognizedSpeech {
    /// Whether it can have been heard in a clip, as ``RecognitionSession`` promises.
    ///
    /// - Parameter seconds: How long the clip lasts.
    /// - Returns: Whether every promise about the text and its words is kept.
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
    /// Whether it stands in the text, without white space, and beside no half of a character of two units.
    fileprivate func isWritten(in units: [UInt16]) -> Bool {
        guard !source.isEmpty, source.upperBound <= units.count, !UTF16.isTrailSurrogate(units[source.lowerBound]),
            source.upperBound == units.count || !UTF16.isTrailSurrogate(units[source.upperBound])
        else { return false }
        return !units[source].contains { Unicode.Scalar($0)?.properties.isWhitespace == true }
    }

    /// Whether its times lie in a clip, and in order.
    ///
    /// Comparisons with what is not a number are false.
    fileprivate func isPossible(in seconds: Double, after start: Double) -> Bool {
        let isOrdered = start <= self.start && self.start <= end && end <= seconds
        return isOrdered && (confidence.map { (0...1).contains($0) } ?? true)
    }
}
