import EchoText
import Foundation
import LibraryStore
import Testing

@Suite("Recovery codes")
struct RecoveryCodeTests {
    @Test("are 28 characters in groups of four, and can be typed back")
    func roundTrip() throws {
        for _ in 0..<50 {
            let text = try RecoveryCode().revealed()
            #expect(text.count == 34)
            #expect(text.split(separator: "-").map(\.count) == Array(repeating: 4, count: 7))
            #expect(try RecoveryCode(typed: text).revealed() == text)
        }
    }

    @Test("differ each time")
    func random() throws {
        let codes = try (0..<200).map { _ in try RecoveryCode().revealed() }
        #expect(Set(codes).count == 200)
        // Every letter of the alphabet occurs: for 200 × 26 draws the probability that one is missing is below 10⁻⁶⁹.
        #expect(Set(codes.joined()).subtracting(["-"]).count == 32)
    }

    @Test("forgive case, spaces, hyphens, and letters that look like digits")
    func forgiving() throws {
        let text = try codeWithDigits()
        let other = text.replacingOccurrences(of: "-", with: " ").lowercased()
        #expect(try RecoveryCode(typed: other).revealed() == text)
        #expect(try RecoveryCode(typed: "\u{2013} \(other)\n").revealed() == text)
        let misread = text.replacingOccurrences(of: "0", with: "O").replacingOccurrences(of: "1", with: "l")
        #expect(try RecoveryCode(typed: misread).revealed() == text)
        let again = text.replacingOccurrences(of: "0", with: "o").replacingOccurrences(of: "1", with: "I")
        #expect(try RecoveryCode(typed: again).revealed() == text)
    }

    @Test("notice every wrong character and every swap of neighbors")
    func checks() throws {
        let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
        for _ in 0..<Counts.of(20) {
            let code = Array(try RecoveryCode().revealed().filter { $0 != "-" })
            for index in code.indices {
                for letter in alphabet where letter != code[index] {
                    var wrong = code
                    wrong[index] = letter
                    #expect(throws: VaultError.misspeltRecoveryCode) { try RecoveryCode(typed: String(wrong)) }
                }
                guard index > 0, code[index] != code[index - 1] else { continue }
                var swapped = code
                swapped.swapAt(index, index - 1)
                #expect(throws: VaultError.misspeltRecoveryCode) { try RecoveryCode(typed: String(swapped)) }
            }
        }
    }

    @Test("of a wrong length or with a strange letter are refused")
    func strange() throws {
        let code = try RecoveryCode().revealed()
        let cases = [
            "", "-", String(code.dropLast()), code + "0", "U" + code.dropFirst(), "é" + code.dropFirst(),
            code + "\u{0}",
        ]
        for text in cases {
            #expect(throws: VaultError.misspeltRecoveryCode, "\(text)") { try RecoveryCode(typed: text) }
        }
    }

    @Test("are confirmed by the same code only")
    func confirmation() throws {
        let (code, other) = (RecoveryCode(), RecoveryCode())
        _ = try code.confirmed(by: code.revealed().lowercased())
        for typed in [try other.revealed(), "", "0000"] {
            #expect(throws: VaultError.recoveryCodeNotConfirmed) { try code.confirmed(by: typed) }
        }
    }

    @Test("and passcodes show nothing of themselves when they are printed")
    func descriptions() throws {
        let code = RecoveryCode()
        let letters = try code.revealed()
        let passcode = try Passcode(typed: "violet hammock")
        var dumped = ""
        dump(code, to: &dumped)
        dump(passcode, to: &dumped)
        dump(KeyStore.Credential.passcode(passcode), to: &dumped)
        dumped += "\(code) \(String(reflecting: code)) \(passcode) \(KeyStore.Credential.recoveryCode(code))"
        #expect(!dumped.contains(letters.prefix(4)) && !dumped.contains("violet"))
    }

    /// A code that has both a 0 and a 1.
    private func codeWithDigits() throws -> String {
        for _ in 0..<10_000 {
            let text = try RecoveryCode().revealed()
            if text.contains("0"), text.contains("1") { return text }
        }
        throw VaultError.misspeltRecoveryCode
    }
}
