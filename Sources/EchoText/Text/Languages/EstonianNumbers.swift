/// Estonian numbers, dates and times in words.
enum EstonianNumbers {
    static let digits = ["null", "üks", "kaks", "kolm", "neli", "viis", "kuus", "seitse", "kaheksa", "üheksa"]
    private static let genitives = [
        "nulli", "ühe", "kahe", "kolme", "nelja", "viie", "kuue", "seitsme", "kaheksa", "üheksa",
    ]

    static func cardinal(_ number: Int) -> String {
        guard number > 0 else { return digits[0] }
        var groups: [String] = []
        for (size, one, many) in scales where number / size > 0 {
            let count = number / size % 1_000
            guard count > 0 else { continue }
            groups.append(count == 1 ? one : "\(belowThousand(count)) \(many)")
        }
        if number % 1_000 > 0 { groups.append(belowThousand(number % 1_000)) }
        return groups.joined(separator: " ")
    }

    private static let scales = [
        (1_000_000_000_000, "triljon", "triljonit"), (1_000_000_000, "miljard", "miljardit"),
        (1_000_000, "miljon", "miljonit"), (1_000, "tuhat", "tuhat"),
    ]

    private static func belowThousand(_ number: Int) -> String {
        parts(number, one: "", hundred: "sada", ten: "kümme", tens: "kümmend", teens: "teist", names: digits)
    }

    static func genitive(_ number: Int) -> String {
        var groups: [String] = []
        for (size, name) in [(1_000_000_000, "miljardi"), (1_000_000, "miljoni"), (1_000, "tuhande")] {
            let count = number / size % 1_000
            guard count > 0 else { continue }
            groups.append(count == 1 ? name : "\(genitiveBelowThousand(count)) \(name)")
        }
        if number % 1_000 > 0 || number == 0 { groups.append(genitiveBelowThousand(number % 1_000)) }
        return groups.joined(separator: " ")
    }

    private static func genitiveBelowThousand(_ number: Int) -> String {
        number == 0
            ? genitives[0]
            : parts(
                number,
                one: "",
                hundred: "saja",
                ten: "kümne",
                tens: "kümne",
                teens: "teistkümne",
                names: genitives
            )
    }

    private static func parts(
        _ number: Int,
        one: String,
        hundred: String,
        ten: String,
        tens: String,
        teens: String,
        names: [String]
    ) -> String {
        var words: [String] = []
        if number >= 100 { words.append((number >= 200 ? names[number / 100] : one) + hundred) }
        switch number % 100 {
        case 0: break
        case 1...9: words.append(names[number % 10])
        case 10: words.append(ten)
        case 11...19: words.append(names[number % 10] + teens)
        default:
            words.append(names[number % 100 / 10] + tens)
            if number % 10 > 0 { words.append(names[number % 10]) }
        }
        return words.joined(separator: " ")
    }

    /// A number in the case of an ending, or before an adjective that it makes one word with: “viiele”, “kümneaastane”.
    static func compound(_ number: Int, _ part: String) -> String? {
        switch part {
        case "t": partitive(number)
        case "ne": genitive(number) + part
        case "sse", "s", "st", "le", "l", "lt", "ks", "ni", "na", "ta", "ga": genitive(number) + part
        default: ordinal(number, ending: part) ?? (part.utf16.count > 4 ? genitive(number) + part : nil)
        }
    }

    /// A number whose ending is right behind its digits: “kella 9st 11ni”, “90ndatel”.
    static func withEnding(_ number: Int, _ ending: String) -> String? {
        let isCase = ["ga", "ks", "le", "lt", "na", "ni", "sse", "st", "ta"].contains(ending)
        return isCase && number < 1_100 ? genitive(number) + ending : ordinal(number, ending: ending)
    }

    /// The partitive of a number that is one word; `nil` for others.
    private static func partitive(_ number: Int) -> String? {
        switch number {
        case 1...10:
            ["üht", "kaht", "kolme", "nelja", "viit", "kuut", "seitset", "kaheksat", "üheksat", "kümmet"][number - 1]
        case 100: "sadat"
        case 1_000: "tuhandet"
        default: nil
        }
    }

    static func fraction(_ numerator: Int, _ denominator: Int) -> String? {
        switch (numerator, denominator) {
        case (1, 2): return "pool"
        case (1, 4): return "veerand"
        case (3, 4): return "kolmveerand"
        case (_, 3), (_, 5...20), (_, 100):
            let part = ordinalStem(denominator) + "ndik"
            return numerator == 1 ? part : "\(cardinal(numerator)) \(part)ku"
        default: return nil
        }
    }
}
