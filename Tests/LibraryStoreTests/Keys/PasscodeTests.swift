import EchoText
import LibraryStore
import Testing

@Suite("Passcodes")
struct PasscodeTests {
    @Test(
        "with a pattern are weak",
        arguments: [
            "0000", "55555", "1234", "9876", "890123", "210987", "1212", "123123", "1122", "112233", "1221", "12321",
            "1999", "2024", "2412", "0107", "311299", "991231", "123199", "201407", "2580", "159357", "4747",
        ]
    )
    func patternedPIN(_ text: String) throws {
        #expect(try Passcode(typed: text).weakness() == .pattern)
    }

    @Test("of digits without one are not", arguments: ["4071", "8362", "59274", "74806", "830572", "974016"])
    func goodPIN(_ text: String) throws {
        let passcode = try Passcode(typed: text)
        #expect(passcode.kind == .pin)
        #expect(try passcode.weakness() == nil)
    }

    @Test(
        "that are neither are too short",
        arguments: ["1", "123", "8362915", "83629154071", "short", "elevenchars", "４０７１"]
    )
    func short(_ text: String) throws {
        #expect(try Passcode(typed: text).weakness() == .tooShort)
    }

    @Test(
        "that are tried first are weak",
        arguments: [
            "password1234", "P4ssw0rd2024!", "passwordpassword", "ILoveYou1234567", "letmein-letmein", "Welcome12345",
            "correcthorsebatterystaple", "mysecretpassword", "administrator", "!!Football2024!!",
        ]
    )
    func common(_ text: String) throws {
        let weakness = try Passcode(typed: text).weakness()
        #expect(weakness == .common || weakness == .pattern)
    }

    @Test(
        "that run along something or repeat themselves are weak",
        arguments: [
            "abcdefghijkl", "qwertyuiopas", "aaaaaaaaaaaa", "abcabcabcabc", "123456789012", "zyxwvutsrqpo",
            "1qaz1qaz1qaz",
        ]
    )
    func patternedPassword(_ text: String) throws {
        #expect(try Passcode(typed: text).weakness() == .pattern)
    }

    @Test(
        "of twelve characters and more are good",
        arguments: ["violet hammock", "Übergrößenträger", "крокодил летает", "k9#vQ2!mX7$pL4"]
    )
    func goodPassword(_ text: String) throws {
        let passcode = try Passcode(typed: text)
        #expect(passcode.kind == .password)
        #expect(try passcode.weakness() == nil)
    }

    @Test("that are empty, or far too long, are none")
    func limits() {
        #expect(throws: VaultError.weakPasscode(.tooShort)) { try Passcode(typed: "") }
        #expect(throws: VaultError.weakPasscode(.tooShort)) {
            try Passcode(typed: String(repeating: "x", count: 1_025))
        }
    }

    @Test("open however their accents were composed")
    func composition() async throws {
        let room = KeyRoom()
        _ = try await room.lock(with: "U\u{308}bergro\u{308}ßentra\u{308}ger")
        _ = try await room.keyStore().open(with: .passcode(Passcode(typed: "Übergrößenträger")))
    }
}
