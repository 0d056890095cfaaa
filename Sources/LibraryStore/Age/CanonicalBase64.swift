import Foundation

/// Base64 with exactly one encoding of each byte string: the alphabet of RFC 4648 §4, with unused bits zero.
enum CanonicalBase64 {
    /// Without padding.
    static func encode(_ bytes: some Sequence<UInt8>) -> String {
        var text = Data(bytes).base64EncodedString()
        while text.hasSuffix("=") { text.removeLast() }
        return text
    }

    /// - Parameters:
    ///   - text: The letters, in ASCII.
    ///   - isPadded: Whether `=` pads the last four letters, or there is no padding.
    /// - Returns: `nil` when `text` is not a canonical encoding.
    static func decode(_ text: some Collection<UInt8>, isPadded: Bool = false) -> [UInt8]? {
        guard isPadded || !text.contains(UInt8(ascii: "=")), !isPadded || text.count.isMultiple(of: 4) else {
            return nil
        }
        let missing = isPadded ? 0 : (4 - text.count % 4) % 4
        let padded = Data(text) + Data(repeating: UInt8(ascii: "="), count: missing)
        guard let data = Data(base64Encoded: padded), data.base64EncodedData() == padded else { return nil }
        return [UInt8](data)
    }
}
