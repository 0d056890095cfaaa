extension String {
    /// The text without anything that espeak-ng would interpret as an instruction; its length in UTF-16 units stays
    /// the same.
    ///
    /// `[[` begins phonemes. A control character may begin a command, and a command that changes the volume or speed
    /// affects everything that the process speaks later.
    ///
    /// - SeeAlso: espeak-ng's `readclause.c`, which reads `CTRL_EMBEDDED` (U+0001).
    var withoutEspeakInstructions: String {
        guard unicodeScalars.contains(where: { $0 == "[" || $0.isCommand }) else { return self }
        var plain = UnicodeScalarView()
        var previous: Unicode.Scalar = " "
        for scalar in unicodeScalars {
            let isSecondBracket = scalar == "[" && previous == "["
            plain.append(scalar.isCommand || isSecondBracket ? " " : scalar)
            previous = isSecondBracket ? " " : scalar
        }
        return String(plain)
    }
}

extension Unicode.Scalar {
    fileprivate var isCommand: Bool { value < 0x20 && !(0x09...0x0D).contains(value) || value == 0x7F }
}
