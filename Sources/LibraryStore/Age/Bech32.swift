/// Text for short keys, with a check that finds any misspelling of up to four letters: BIP 173, without its limit on length.
enum Bech32 {
    private static let alphabet = Array("qpzry9x8gf2tvdw0s3jn54khce6mua7l".utf8)
    private static let checkLetters = 6

    /// - Parameters:
    ///   - bytes: The bytes to encode.
    ///   - prefix: The kind of key, in lower case.
    /// - Returns: The text in lower case.
    static func encode(_ bytes: some Collection<UInt8>, prefix: String) -> String {
        var values = regroup(bytes, from: 8, to: 5, isPadded: true) ?? []
        let check = checksum(expand(prefix) + values + [UInt8](repeating: 0, count: checkLetters)) ^ 1
        values += (0..<checkLetters).map { UInt8(truncatingIfNeeded: check >> (5 * UInt32(5 - $0))) & 31 }
        return prefix + "1" + String(decoding: values.map { alphabet[Int($0)] }, as: UTF8.self)
    }

    /// - Parameters:
    ///   - text: All in lower case or all in upper case.
    ///   - prefix: The required prefix of `text`, in lower case.
    /// - Returns: `nil` when `text` is invalid or of another kind.
    static func decode(_ text: String, prefix: String) -> [UInt8]? {
        guard text.utf8.allSatisfy({ (33...126).contains($0) }) else { return nil }
        let lower = text.lowercased()
        guard text == lower || text == text.uppercased() else { return nil }
        guard let one = lower.utf8.lastIndex(of: UInt8(ascii: "1")), lower[..<one] == prefix else { return nil }
        var values: [UInt8] = []
        for letter in lower.utf8[lower.utf8.index(after: one)...] {
            guard let value = alphabet.firstIndex(of: letter) else { return nil }
            values.append(UInt8(value))
        }
        guard values.count >= checkLetters, checksum(expand(prefix) + values) == 1 else { return nil }
        return regroup(values.dropLast(checkLetters), from: 5, to: 8, isPadded: false)
    }

    private static func expand(_ prefix: String) -> [UInt8] {
        prefix.utf8.map { $0 >> 5 } + [0] + prefix.utf8.map { $0 & 31 }
    }

    /// The remainder of BIP 173's generator polynomial.
    private static func checksum(_ values: [UInt8]) -> UInt32 {
        let generator: [UInt32] = [0x3b6a_57b2, 0x2650_8e6d, 0x1ea1_19fa, 0x3d42_33dd, 0x2a14_62b3]
        return values.reduce(into: 1) { check, value in
            let top = check >> 25
            check = (check & 0x1ff_ffff) << 5 ^ UInt32(value)
            for bit in 0..<5 where (top >> UInt32(bit)) & 1 == 1 { check ^= generator[bit] }
        }
    }

    /// Regroups bits; returns `nil` when padding bits are not zero.
    private static func regroup(_ groups: some Collection<UInt8>, from: Int, to: Int, isPadded: Bool) -> [UInt8]? {
        var held: UInt32 = 0
        var count = 0
        var made: [UInt8] = []
        for group in groups {
            held = held << UInt32(from) | UInt32(group)
            count += from
            while count >= to {
                count -= to
                made.append(UInt8(truncatingIfNeeded: held >> UInt32(count)) & UInt8(truncatingIfNeeded: (1 << to) - 1))
            }
            held &= (1 << UInt32(count)) - 1
        }
        if isPadded {
            if count > 0 { made.append(UInt8(truncatingIfNeeded: held << UInt32(to - count))) }
            return made
        }
        return count < from && held == 0 ? made : nil
    }
}
