import EchoText
import Foundation

/// The code that opens a vault on any machine: 130 random bits, written as 28 letters and digits.
///
/// The alphabet is Crockford's base 32. The first 26 characters are random; the last two are check characters that make
/// the 28 values, read as the coefficients of a polynomial over GF(32), divisible by (x − 1)(x − α), where α is a root
/// of x⁵ + x² + 1. Such a Reed–Solomon code has distance 3, so every change of one or two characters is detected,
/// including a swap of two neighbors.
///
/// The characters are held in ``SecretBytes``; nothing but ``revealed()`` shows them.
package struct RecoveryCode: Sendable {
    static let randomCount = 26
    static let count = 28
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

    /// The 28 values, each 0 to 31, one per byte.
    let symbols: SecretBytes

    /// A new code of the system's random numbers.
    package init() {
        symbols = SecretBytes(count: Self.count) { bytes in
            SecretBytes.fillWithRandomNumbers(bytes)
            for index in 0..<Self.randomCount { bytes[index] &= 31 }
            let sums = GF32.syndromes(of: bytes[..<Self.randomCount])
            let (x, y) = Self.checks(for: sums)
            bytes[Self.randomCount] = x
            bytes[Self.randomCount + 1] = y
        }
    }

    /// Reads a code as it was typed: case, spaces and hyphens do not count, O is 0, I and L are 1.
    ///
    /// - Throws: ``VaultError/misspeltRecoveryCode``.
    package init(typed: String) throws {
        symbols = try SecretBytes(count: Self.count) { bytes in
            var length = 0
            for scalar in typed.unicodeScalars where !Self.separates(scalar) {
                guard length < Self.count, let value = Self.value(of: scalar) else {
                    throw VaultError.misspeltRecoveryCode
                }
                bytes[length] = value
                length += 1
            }
            guard length == Self.count, GF32.syndromes(of: bytes[...]) == (0, 0) else {
                throw VaultError.misspeltRecoveryCode
            }
        }
    }

    /// The code in seven groups of four, to be shown once; a `String` cannot be wiped, so it is to be released at once.
    package func revealed() throws -> String {
        try symbols.withUnsafeBytes { bytes in
            let characters = bytes.map { Self.alphabet[Int($0)] }
            return stride(from: 0, to: Self.count, by: 4)
                .map { String(decoding: characters[$0..<$0 + 4], as: UTF8.self) }
                .joined(separator: "-")
        }
    }

    /// Checks that the person has typed the code back correctly.
    ///
    /// - Throws: ``VaultError/recoveryCodeNotConfirmed``.
    package func confirmed(by typed: String) throws -> ConfirmedRecoveryCode {
        guard let other = try? RecoveryCode(typed: typed),  // Invalid or different: it was not this code.
            try symbols.isEqual(to: other.symbols)
        else { throw VaultError.recoveryCodeNotConfirmed }
        return ConfirmedRecoveryCode(code: self)
    }

    private static func separates(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace || scalar.properties.generalCategory == .dashPunctuation
    }

    private static func value(of scalar: Unicode.Scalar) -> UInt8? {
        guard scalar.isASCII else { return nil }
        var letter = UInt8(scalar.value)
        if (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter) { letter -= 32 }
        switch letter {
        case UInt8(ascii: "O"): return 0
        case UInt8(ascii: "I"), UInt8(ascii: "L"): return 1
        default: return alphabet.firstIndex(of: letter).map { UInt8($0) }
        }
    }

    /// The two values at positions 26 and 27 that make both sums zero.
    private static func checks(for sums: (plain: UInt8, weighted: UInt8)) -> (UInt8, UInt8) {
        let (first, second) = (GF32.power(randomCount), GF32.power(randomCount + 1))
        let y = GF32.quotient(sums.weighted ^ GF32.product(first, sums.plain), first ^ second)
        return (sums.plain ^ y, y)
    }
}

extension RecoveryCode: CustomStringConvertible, CustomReflectable {
    package var description: String { "RecoveryCode" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// A recovery code that the person has typed back; only confirmed codes can be stored.
package struct ConfirmedRecoveryCode: Sendable {
    package let code: RecoveryCode

    fileprivate init(code: RecoveryCode) { self.code = code }
}

/// Arithmetic in the field of 32 elements, modulo x⁵ + x² + 1.
private enum GF32 {
    static func product(_ one: UInt8, _ other: UInt8) -> UInt8 {
        var (product, factor) = (0, Int(one))
        for bit in 0..<5 {
            if other >> UInt8(bit) & 1 == 1 { product ^= factor }
            factor <<= 1
            if factor & 32 != 0 { factor ^= 0b100101 }
        }
        return UInt8(product)
    }

    /// α to the power of `exponent`.
    static func power(_ exponent: Int) -> UInt8 { (0..<exponent).reduce(1) { power, _ in product(power, 2) } }

    /// - Precondition: `divisor` is not 0.
    static func quotient(_ dividend: UInt8, _ divisor: UInt8) -> UInt8 {
        // The field has 31 elements besides 0, so x³⁰ is x⁻¹.
        product(dividend, (0..<30).reduce(1) { power, _ in product(power, divisor) })
    }

    /// The sum of the values, and the sum of each times α to the power of its position.
    static func syndromes(of values: Slice<UnsafeMutableRawBufferPointer>) -> (plain: UInt8, weighted: UInt8) {
        var (plain, weighted): (UInt8, UInt8) = (0, 0)
        var weight: UInt8 = 1
        for value in values {
            plain ^= value
            weighted ^= product(value, weight)
            weight = product(weight, 2)
        }
        return (plain, weighted)
    }
}
