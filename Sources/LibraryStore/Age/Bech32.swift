/// The encoding of age's keys: a readable prefix, five bits a character, and a checksum.
///
/// - SeeAlso: BIP 173; age drops its limit of 90 characters.
enum Bech32 {
    private static let alphabet = Array("qpzry9x8gf2tvdw0s3jn54khce6mua7l".utf8)
    private static let generator: [UInt32] = [0x3b6a_57b2, 0x2650_8e6d, 0x1ea1_19fa, 0x3d42_33dd, 0x2a14_62b3]

    /// - Parameters:
    ///   - prefix: Lower case.
    ///   - bytes: What is encoded.
    /// - Returns: Lower case.
    static func encode(prefix: String, _ bytes: some Sequence<UInt8>) -> String {
        let values = regroup(bytes, from: 8, to: 5, pads: true) ?? []
        let sum = checksum(expanded(prefix) + values + [0, 0, 0, 0, 0, 0]) ^ 1
        let tail = (0..<6).map { UInt8(sum >> (5 * (5 - UInt32($0))) & 31) }
        return prefix + "1" + String(decoding: (values + tail).map { alphabet[Int($0)] }, as: UTF8.self)
    }

    /// The bytes of `text`, which may be all upper or all lower case; `nil` when it is anything else.
    static func decode(prefix: String, _ text: String) -> [UInt8]? {
        let lowered = text.lowercased()
        guard text == lowered || text == text.uppercased() else { return nil }
        guard lowered.hasPrefix(prefix + "1") else { return nil }
        var values: [UInt8] = []
        for character in lowered.utf8.dropFirst(prefix.utf8.count + 1) {
            guard let value = alphabet.firstIndex(of: character) else { return nil }
            values.append(UInt8(value))
        }
        guard values.count >= 6, checksum(expanded(prefix) + values) == 1 else { return nil }
        return regroup(values.dropLast(6), from: 5, to: 8, pads: false)
    }

    private static func expanded(_ prefix: String) -> [UInt8] {
        prefix.utf8.map { $0 >> 5 } + [0] + prefix.utf8.map { $0 & 31 }
    }

    private static func checksum(_ values: [UInt8]) -> UInt32 {
        values.reduce(UInt32(1)) { sum, value in
            let top = sum >> 25
            let next = (sum & 0x1ff_ffff) << 5 ^ UInt32(value)
            return generator.indices.reduce(next) { top >> UInt32($1) & 1 == 1 ? $0 ^ generator[$1] : $0 }
        }
    }

    private static func regroup(
        _ values: some Sequence<UInt8>,
        from width: Int,
        to newWidth: Int,
        pads: Bool
    ) -> [UInt8]? {
        var (buffer, bits) = (0, 0)
        var result: [UInt8] = []
        for value in values {
            buffer = (buffer << width | Int(value)) & 0xfff
            bits += width
            while bits >= newWidth {
                bits -= newWidth
                result.append(UInt8(buffer >> bits & (1 << newWidth - 1)))
            }
        }
        let rest = buffer & (1 << bits - 1)
        if pads {
            if bits > 0 { result.append(UInt8(rest << (newWidth - bits) & (1 << newWidth - 1))) }
        } else if bits >= width || rest != 0 {
            return nil
        }
        return result
    }
}
