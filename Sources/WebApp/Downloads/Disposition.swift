import Foundation

/// The field that makes a browser store an answer under a name.
enum Disposition {
    /// Makes the value of a `Content-Disposition` field.
    ///
    /// - Parameter name: Any text; other characters than a field allows are encoded.
    /// - Returns: ASCII without control characters.
    /// - SeeAlso: RFC 6266; RFC 8187 for the encoding.
    static func attachment(_ name: String) -> String {
        let plain = String(
            name.unicodeScalars.map { scalar in
                let isSafe =
                    scalar.isASCII && scalar.value >= 0x20 && scalar.value < 0x7f
                    && !"\"\\%".contains(Character(scalar))
                return isSafe ? Character(scalar) : "_"
            }
        )
        let letters = CharacterSet(charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")
        let encoded = name.addingPercentEncoding(withAllowedCharacters: letters) ?? plain
        return "attachment; filename=\"\(plain)\"; filename*=UTF-8''\(encoded)"
    }
}
