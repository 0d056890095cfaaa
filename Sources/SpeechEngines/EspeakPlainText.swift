extension String {
    /// The text with nothing in it that espeak-ng takes for an instruction, as many UTF-16 units as before.
    ///
    /// `[[` begins phonemes. A control character may begin a command, and one that changes the loudness or the pace stays
    /// in force for all that the process says later.
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
