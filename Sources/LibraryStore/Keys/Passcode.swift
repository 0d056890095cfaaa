import CSodium
package import EchoText
import Foundation

/// The secret that a person types to open the vault: a PIN of 4 to 6 digits, or a password.
///
/// The text is normalized to NFC, so that the same letters give the same bytes on every keyboard; nothing else is
/// changed or removed. Its UTF-8 is held in ``SecretBytes``.
package struct Passcode: Sendable {
    /// Its kind, which decides the slot that it opens.
    package enum Kind: Sendable { case pin, password }

    /// The longest that is looked at, in bytes; more is refused as a wrong passcode would be.
    static let limit = 1_024

    package let kind: Kind
    let bytes: SecretBytes

    /// - Throws: ``VaultError/weakPasscode(_:)`` for an empty passcode; only the vault knows whether it is right.
    package init(typed: String) throws {
        let text = typed.precomposedStringWithCanonicalMapping
        guard !text.isEmpty, text.utf8.count <= Self.limit else { throw VaultError.weakPasscode(.tooShort) }
        kind = PasscodeStrength.isPIN(text) ? .pin : .password
        bytes = SecretBytes(copying: Data(text.utf8))
    }

    /// Why it must not be chosen, or `nil` when it may.
    package func weakness() throws -> PasscodeWeakness? {
        try bytes.withUnsafeBytes { PasscodeStrength.weakness(of: String(decoding: $0, as: UTF8.self)) }
    }
}

extension Passcode: CustomStringConvertible, CustomReflectable {
    package var description: String { "Passcode" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// The rules a new passcode has to pass.
///
/// A PIN (4 to 6 ASCII digits) must not be
/// - a repeated digit, an ascending or descending run (also across 9–0), or a shorter code repeated (1212, 123123);
/// - pairs of the same digit (1122, 112233) or a palindrome (1221, 12321);
/// - a year from 1900 to 2099, a day and month, or with six digits a day, month and year in any usual order;
/// - one of the lines and corners of a keypad in ``keypadFigures``.
///
/// A password has at least 12 characters, of which at least 5 differ; it must not be a run along the alphabet, the
/// digits or a row of keys, a shorter text repeated, or one of ``commonWords`` (alone, repeated or joined) with digits
/// and signs around it, letters written as digits included (“p4ssw0rd”).
enum PasscodeStrength {
    static func isPIN(_ text: String) -> Bool {
        (4...6).contains(text.utf8.count) && text.utf8.allSatisfy { (48...57).contains($0) }
    }

    static func weakness(of text: String) -> PasscodeWeakness? {
        if isPIN(text) { return isPatterned(pin: text.utf8.map { Int($0) - 48 }) ? .pattern : nil }
        guard text.count >= 12 else { return .tooShort }
        return weakness(ofPassword: text.lowercased())
    }

    // MARK: PINs

    private static let keypadFigures: Set<String> = [
        "2580", "0852", "1379", "1397", "7913", "1478", "3698", "147258", "147369", "159357",
    ]

    private static func isPatterned(pin digits: [Int]) -> Bool {
        let text = digits.map(String.init).joined()
        return isRun(digits, modulo: 10) || isRepetition(digits) || isPaired(digits) || digits == digits.reversed()
            || keypadFigures.contains(text) || isDate(digits)
    }

    /// Whether each value is the previous one plus the same step of −1, 0 or 1.
    private static func isRun(_ values: [Int], modulo: Int) -> Bool {
        let steps = Set(zip(values.dropFirst(), values).map { ($0 - $1 + modulo) % modulo })
        return steps.count == 1 && steps.isSubset(of: [0, 1, modulo - 1])
    }

    private static func isRepetition<Element: Equatable>(_ values: [Element]) -> Bool {
        guard values.count > 1 else { return false }
        return (1...values.count / 2).contains { period in
            values.count.isMultiple(of: period) && zip(values, values.dropFirst(period)).allSatisfy(==)
        }
    }

    private static func isPaired(_ digits: [Int]) -> Bool {
        digits.count.isMultiple(of: 2)
            && stride(from: 0, to: digits.count, by: 2).allSatisfy { digits[$0] == digits[$0 + 1] }
    }

    private static func isDate(_ digits: [Int]) -> Bool {
        let pairs = stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] * 10 + digits[$0 + 1] }
        func isDay(_ pair: Int) -> Bool { (1...31).contains(pair) }
        func isMonth(_ pair: Int) -> Bool { (1...12).contains(pair) }
        func isDayAndMonth(_ one: Int, _ other: Int) -> Bool {
            (isDay(one) && isMonth(other)) || (isMonth(one) && isDay(other))
        }
        switch digits.count {
        case 4: return [19, 20].contains(pairs[0]) || isDayAndMonth(pairs[0], pairs[1])
        case 6:
            let isYearAndMonth = [19, 20].contains(pairs[0]) && isMonth(pairs[2])
            return isYearAndMonth || isDayAndMonth(pairs[0], pairs[1]) || isDayAndMonth(pairs[1], pairs[2])
        default: return false
        }
    }

    // MARK: Passwords

    private static let rows = [
        "abcdefghijklmnopqrstuvwxyz", "01234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm", "qwertzuiop", "azertyuiop",
    ]

    /// Words that lists of stolen passwords begin with, folded as ``folded(_:)`` folds.
    private static let commonWords: Set<String> = [
        "password", "passwort", "passwd", "pass", "passphrase", "passcode", "motdepasse", "contrasena", "letmein",
        "welcome",
        "iloveyou", "monkey", "dragon", "football", "baseball", "basketball", "soccer", "superman", "batman",
        "princess",
        "sunshine", "shadow", "master", "michael", "jennifer", "jordan", "charlie", "trustno", "starwars", "pokemon",
        "freedom", "whatever", "computer", "internet", "admin", "administrator", "root", "login", "user", "guest",
        "default", "changeme", "secret", "hello", "world", "summer", "winter", "spring", "autumn", "love", "god", "my",
        "the", "is", "qwerty", "qwertz", "azerty", "asdf", "zxcv", "test", "echotext", "correcthorsebatterystaple",
    ]

    private static func weakness(ofPassword text: String) -> PasscodeWeakness? {
        let characters = Array(text)
        if Set(characters).count < 5 || isRepetition(characters) || isAlongRows(text) { return .pattern }
        let word = folded(text)
        return !word.isEmpty && isMadeOfCommonWords(word) ? .common : nil
    }

    /// Whether at least three in four steps between characters go along a row of keys, in either direction.
    private static func isAlongRows(_ text: String) -> Bool {
        let lines = rows.flatMap { [$0, String($0.reversed())] }
        let steps = zip(text, text.dropFirst()).map { String([$0, $1]) }
        return steps.count { step in lines.contains { $0.contains(step) } } * 4 >= steps.count * 3
    }

    /// Removes digits and symbols at both ends, replaces digits that represent letters, and removes the other symbols.
    private static func folded(_ text: String) -> String {
        let stands: [Character: Character] = [
            "0": "o", "1": "i", "3": "e", "4": "a", "5": "s", "7": "t", "@": "a", "$": "s", "!": "i",
        ]
        var core = Substring(text)
        while let last = core.last, !last.isLetter { core = core.dropLast() }
        while let first = core.first, !first.isLetter, first == "!" || stands[first] == nil { core = core.dropFirst() }
        if core.allSatisfy({ !$0.isLetter }) { return "" }
        return String(core.map { stands[$0] ?? $0 }.filter(\.isLetter))
    }

    private static func isMadeOfCommonWords(_ text: String) -> Bool {
        // `reached[n]` says whether the first n characters are whole words.
        let characters = Array(text)
        var reached = [true] + Array(repeating: false, count: characters.count)
        for end in characters.indices.map({ $0 + 1 }) {
            let starts = max(0, end - 26)..<end
            reached[end] = starts.contains { reached[$0] && commonWords.contains(String(characters[$0..<end])) }
        }
        return reached[characters.count]
    }
}

/// A passcode behind the slow hash that makes each guess at it dear.
struct HashedPasscode: Sendable {
    let kind: Passcode.Kind
    let cost: PasswordCost
    /// 16 random bytes.
    let salt: HexBytes
    /// 32 bytes.
    let hash: SecretBytes

    private let passcode: Passcode

    /// It takes the time that the cost implies.
    ///
    /// - Throws: As ``PasswordCost/hash(_:salt:count:)``.
    init(
        _ passcode: Passcode,
        cost: PasswordCost,
        salt: HexBytes = HexBytes(SecretBytes.randomBytes(PasswordCost.saltCount))
    ) throws {
        (self.passcode, self.cost, self.salt) = (passcode, cost, salt)
        kind = passcode.kind
        hash = try cost.hash(passcode.bytes, salt: salt.bytes, count: 32)
    }

    /// Hashes with a cost that is calibrated on this machine.
    ///
    /// The calibration measures a hash of the passcode itself, so that where the least cost is enough, nobody waits for
    /// another.
    ///
    /// - Throws: As ``PasswordCost/hash(_:salt:count:)``.
    static func calibrated(_ passcode: Passcode) throws -> HashedPasscode {
        let began = ContinuousClock.now
        let hashed = try HashedPasscode(passcode, cost: .floor)
        let duration = ContinuousClock.now - began
        let cost = PasswordCost.calibrated { _ in duration }
        return cost == hashed.cost ? hashed : try HashedPasscode(passcode, cost: cost)
    }

    /// Computed a second time, to detect a memory error during the first.
    func repeated() throws -> HashedPasscode { try HashedPasscode(passcode, cost: cost, salt: salt) }

    /// The value that the security chip gets instead of the passcode.
    var authorization: SecretBytes {
        get throws { try hash.derive("echotext/chip", salt: salt.bytes) }
    }
}

/// The cost of one guess at a passcode: the parameters of Argon2id (RFC 9106) for libsodium's `crypto_pwhash`.
package struct PasswordCost: Sendable, Hashable, Codable {
    /// Passes over the memory.
    package var passes: Int
    /// In bytes.
    package var memory: Int

    package init(passes: Int, memory: Int) {
        (self.passes, self.memory) = (passes, memory)
    }

    /// The minimum cost of new vaults, and of accepted ones: 256 MiB, three passes.
    package static let floor = PasswordCost(passes: 3, memory: 256 << 20)

    /// The most memory that a file may demand, in bytes: that of every vault.
    ///
    /// A file that demands more would exhaust this machine's memory.
    static let memoryCap = floor.memory

    /// The most work that a file may ask for, in bytes times passes: 8 GiB, about 10 seconds at the 0.8 GiB/s of a slow machine.
    static let workCap = 8 << 30

    /// libsodium's own least, for tests.
    package static let least = PasswordCost(passes: 1, memory: 8_192)

    func isWithinCap() -> Bool {
        guard passes >= 1, memory >= 8_192, memory <= Self.memoryCap else { return false }
        let (work, overflows) = passes.multipliedReportingOverflow(by: memory)
        return !overflows && work <= Self.workCap
    }

    func isAtLeast(_ floor: PasswordCost) -> Bool { passes >= floor.passes && memory >= floor.memory }

    /// Calibrates a cost of 0.7 to 1.0 seconds on this machine, as far as whole passes allow, but at least ``floor``.
    ///
    /// - Parameter measure: Returns the time of a hash with a cost.
    /// - Returns: The cost.
    /// - Throws: What `measure` throws.
    static func calibrated(measure: (PasswordCost) throws -> Duration) rethrows -> PasswordCost {
        var cost = floor
        let pass = try measure(cost) / cost.passes
        guard pass > .zero else { return cost }
        while pass * cost.passes < .milliseconds(700) {
            cost.passes += 1
            guard cost.isWithinCap() else { return PasswordCost(passes: cost.passes - 1, memory: cost.memory) }
        }
        return cost
    }

    static let saltCount = Int(crypto_pwhash_SALTBYTES)

    /// Computes Argon2id, version 1.3, with one lane.
    ///
    /// - Throws: ``VaultError/slotsDamaged`` for a cost beyond the cap, and ``VaultError/system(errno:)`` when there is
    ///   not enough memory.
    func hash(_ password: SecretBytes, salt: [UInt8], count: Int) throws -> SecretBytes {
        precondition(
            salt.count == Self.saltCount,
            "Argon2id takes \(Self.saltCount) bytes of salt here, got \(salt.count)"
        )
        guard isWithinCap() else { throw VaultError.slotsDamaged }
        return try password.withUnsafeBytes { password in
            try SecretBytes(count: count) { output in
                guard let start = output.baseAddress, let typed = password.baseAddress else { throw VaultError.locked }
                let status = crypto_pwhash(
                    start.assumingMemoryBound(to: UInt8.self),
                    UInt64(output.count),
                    typed.assumingMemoryBound(to: CChar.self),
                    UInt64(password.count),
                    salt,
                    UInt64(passes),
                    memory,
                    crypto_pwhash_ALG_ARGON2ID13
                )
                guard status == 0 else { throw VaultError.system(errno: ENOMEM) }
            }
        }
    }
}
