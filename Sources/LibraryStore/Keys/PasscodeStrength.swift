import EchoText
import Foundation

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
