extension String {
    /// The string as XML text: markup is escaped, and characters that XML does not allow are omitted.
    var xml: String {
        let allowed = String.UnicodeScalarView(
            unicodeScalars.filter { scalar in
                switch scalar.value {
                case 0x9, 0xA, 0xD: true
                case 0..<0x20, 0x7F..<0xA0, 0xFFFE, 0xFFFF: false
                default: true
                }
            }
        )
        return String(allowed).replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
    }
}
