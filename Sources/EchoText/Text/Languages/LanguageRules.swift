/// The rules of one language for abbreviations, numbers, dates, money, units and signs: tables, and a few functions where a
/// language inflects.
///
/// ## Adding a language
/// 1. Write `Languages/NAME.swift` with `extension LanguageRules { static let name = LanguageRules(…) }`; `Spanish.swift`
///    is a good one to start from. Every table may stay empty: what it would rewrite is left to the engine.
/// 2. Put it into ``all`` under its two-letter code.
/// 3. Add a table of cases to the tests (`TextNAMETests.swift`): they are the documentation of how it reads.
///
/// Before writing an entry, listen to what espeak-ng says by itself (`espeak-ng -v CODE "…"`): an entry is needed only
/// where that is wrong or ambiguous.
struct LanguageRules: Sendable {
    static let all: [String: LanguageRules] = [
        "de": .german, "en": .english, "es": .spanish, "et": .estonian, "fr": .french,
    ]

    /// Its two-letter code.
    var code: String
    var numerals: Numerals
    var signs: SignWords
    var dates: DateWords
    var times: TimeWords
    var money: MoneyWords
    /// Abbreviations by their letters in lower case without the last full stop (`e.g`, `dr`); the first reading whose
    /// condition holds is taken.
    var abbreviations: [String: [Abbreviation]]
    /// Ends of words that are cut short, in lower case without the last full stop, and the whole ends (`str`).
    var abbreviationEndings: [String: String] = [:]
    /// Two letters with a slash between that stand for words (`w/o`).
    var slashed: [String: String] = [:]
    /// Adjectives that are cut short, in lower case, and their stems (`máx`).
    var shortAdjectives: [String: String] = [:]
    /// Such an adjective in the form that it takes in a place, before a capital letter or a number; `nil` for what is left
    /// to ``abbreviations``.
    var adjective: (@Sendable (_ stem: String, _ place: Numerals.Place, _ next: NextKind) -> String?)?
    /// Units of measure by their exact signs (`km`, `°C`, `m²`).
    var units: [String: CountedNoun]
    /// Those that are words as well, and units only before a full stop or the end of a phrase (`in`).
    var unitsThatAreWords: Set<String> = []
    /// Words for a number and a sign with an ending behind a hyphen (“5 kg-ni”); `nil` for what is left alone.
    var inflected: (@Sendable (_ number: Int, _ sign: String, _ ending: String) -> String?)?
    /// Words before which a sign has no ending, but the number and its unit have the case that it stands for (`kaugusel`).
    var genitivesPrecede: Set<String> = []
    /// Words that engines spell in capitals, in lower case (`us`).
    var spelledInCapitals: Set<String> = []
    /// Acronyms that people say as words and engines spell, in lower case (`onu`), and how engines say them as people do.
    var acronyms: [String: String] = [:]
    /// Says `A/b` units that have no entry of their own, given the plural of the one and the singular of the other; `nil`
    /// for what is left alone.
    var perUnit: (@Sendable (_ many: String, _ one: String) -> String?)?
    /// Words for the points of the compass behind degrees, by their capital letters.
    var directions: [Unicode.Scalar: String] = [:]
}

/// The kind of what stands behind an adjective.
enum NextKind: Sendable {
    case name
    case number
    case other
}

/// A noun as it stands after a number.
struct CountedNoun: Sendable {
    enum Gender: Sendable {
        case masculine
        case feminine
        case neuter
    }

    let one: String
    let many: String
    let gender: Gender

    init(_ one: String, _ many: String, _ gender: Gender = .masculine) {
        self.one = one
        self.many = many
        self.gender = gender
    }
}

/// The meaning of an abbreviation, and where it applies.
struct Abbreviation: Sendable {
    enum Condition: Sendable {
        case anywhere
        /// A word with a capital letter follows.
        case beforeName
        /// The same, where no month or season follows, and the word is not all in capitals.
        case beforeSurname
        /// A word with a capital letter stands before it, on the same line.
        case afterName
        /// A word with a small letter follows.
        case beforeWord
        /// A word for “of” follows, as in “av. de la Paz”.
        case beforeOf
        case beforeNumber
        /// The same, and before small Roman numerals, too.
        case beforePage
        /// A number follows, and one that counts the paragraphs of a law stands before it: “Abs. 1 S. 2”.
        case betweenNumbersOfLaw
        case afterNumber
        /// An amount of money stands before it.
        case afterMoney
        /// A number of up to three digits stands before it, which is no year.
        case afterCount
        /// A single one stands before it.
        case afterOne
        /// A number of one digit stands before it, and no slash follows: “3 hab.”.
        case afterDigit
        /// Capital letters follow, two at most, as in “Gr. XL”, and no initial.
        case beforeLetters
        /// A time of day in digits follows.
        case beforeTime
        /// A month and its year in digits follow: “Exp. 08/27”.
        case beforeMonth
        /// A number with a full stop stands before it: “in der 90. Min.”.
        case afterOrdinal
        /// An ordinal behind an article in the genitive stands before it: “des 19. Jh.”.
        case inGenitive
        /// A number behind a German preposition stands before it: “in 14 Tg.”.
        case inDative
        /// A number of two digits and more stands before it, and a mark or the end behind it: “412 S.,”.
        case afterPages
        /// A word for a part of a century follows: “19. saj lõpul”.
        case beforePart
        /// A name stands before it, and behind it a year in brackets or a verb of what authors do: “Meier u. a. zeigten”.
        case afterAuthor
        /// A German word for what was written or said follows: “Lt. Vertrag”, “Lt. Polizei”.
        case beforeSource
        /// An Estonian word for a number or a time follows: “u kell kaks”, “u pool tundi”.
        case beforeEstimate
        /// A German noun in the genitive follows: “am Ufer d. Sees”.
        case beforeGenitive
        /// Somebody or something that has a number stands before it: “Ann's no.”.
        case afterOwner
        /// A count of rooms stands before it: “appartement, 3 p.”.
        case ofDwelling
        /// An age or the year of a birth or a death follows: “d. at age 54”.
        case beforeLife
        /// The number of a note follows, behind a bracket, a page or a word for where to look: “(see n. 14)”.
        case ofNote
        /// A Spanish article stands before it, and a name that counts no chapter follows: “el Cap. Soto”.
        case beforePerson
        /// A day and “de” stand before it, and “de” and a year follow: “6 de en. de 1897”.
        case ofDate
        /// A name stands before it, and an Estonian word for “along” before that: “mööda Kase tn”.
        case alongName
        /// It neither ends the sentence nor stands before a capital letter that may begin the next.
        case midSentence
    }

    let words: String
    let condition: Condition
    /// Whether it is one without a full stop, too.
    var dotIsOptional = false
    /// Whether it must begin with a capital letter, or with none.
    var isCapitalised = false
    var isLowercased = false
    /// Whether a hyphen may join it to the name (“St-Étienne”).
    var mayHaveHyphen = false
    /// Whether its letters are initials instead where they are capitals and a name follows.
    ///
    /// “D. H. Lawrence” has some, “d. h.” has none.
    var mayBeInitials = false

    private init(_ words: String, _ condition: Condition) {
        self.words = words
        self.condition = condition
    }

    static func anywhere(_ words: String) -> Abbreviation { Abbreviation(words, .anywhere) }
    static func beforeName(_ words: String) -> Abbreviation { Abbreviation(words, .beforeName) }
    static func beforeSurname(_ words: String) -> Abbreviation { Abbreviation(words, .beforeSurname) }
    static func afterName(_ words: String) -> Abbreviation { Abbreviation(words, .afterName) }
    static func afterAuthor(_ words: String) -> Abbreviation { Abbreviation(words, .afterAuthor) }
    static func beforePage(_ words: String) -> Abbreviation { Abbreviation(words, .beforePage) }
    static func betweenNumbersOfLaw(_ words: String) -> Abbreviation { Abbreviation(words, .betweenNumbersOfLaw) }
    static func beforeNumber(_ words: String) -> Abbreviation { Abbreviation(words, .beforeNumber) }
    static func beforeWord(_ words: String) -> Abbreviation { Abbreviation(words, .beforeWord) }
    static func beforeOf(_ words: String) -> Abbreviation { Abbreviation(words, .beforeOf) }
    static func beforeMonth(_ words: String) -> Abbreviation { Abbreviation(words, .beforeMonth) }
    static func afterNumber(_ words: String) -> Abbreviation { Abbreviation(words, .afterNumber) }
    static func afterMoney(_ words: String) -> Abbreviation { Abbreviation(words, .afterMoney) }
    static func afterCount(_ words: String) -> Abbreviation { Abbreviation(words, .afterCount) }
    static func afterOne(_ words: String) -> Abbreviation { Abbreviation(words, .afterOne) }
    static func inDative(_ words: String) -> Abbreviation { Abbreviation(words, .inDative) }
    static func afterDigit(_ words: String) -> Abbreviation { Abbreviation(words, .afterDigit) }
    static func beforeLetters(_ words: String) -> Abbreviation { Abbreviation(words, .beforeLetters) }
    static func beforeTime(_ words: String) -> Abbreviation { Abbreviation(words, .beforeTime) }
    static func afterOrdinal(_ words: String) -> Abbreviation { Abbreviation(words, .afterOrdinal) }
    static func inGenitive(_ words: String) -> Abbreviation { Abbreviation(words, .inGenitive) }
    static func afterPages(_ words: String) -> Abbreviation { Abbreviation(words, .afterPages) }
    static func beforePart(_ words: String) -> Abbreviation { Abbreviation(words, .beforePart) }
    static func beforeSource(_ words: String) -> Abbreviation { Abbreviation(words, .beforeSource) }
    static func beforeEstimate(_ words: String) -> Abbreviation { Abbreviation(words, .beforeEstimate) }
    static func beforeGenitive(_ words: String) -> Abbreviation { Abbreviation(words, .beforeGenitive) }
    static func afterOwner(_ words: String) -> Abbreviation { Abbreviation(words, .afterOwner) }
    static func ofDwelling(_ words: String) -> Abbreviation { Abbreviation(words, .ofDwelling) }
    static func beforeLife(_ words: String) -> Abbreviation { Abbreviation(words, .beforeLife) }
    static func ofNote(_ words: String) -> Abbreviation { Abbreviation(words, .ofNote) }
    static func beforePerson(_ words: String) -> Abbreviation { Abbreviation(words, .beforePerson) }
    static func ofDate(_ words: String) -> Abbreviation { Abbreviation(words, .ofDate) }
    static func alongName(_ words: String) -> Abbreviation { Abbreviation(words, .alongName) }
    static func midSentence(_ words: String) -> Abbreviation { Abbreviation(words, .midSentence) }

    /// A form of address, with or without a full stop.
    static func title(_ words: String) -> Abbreviation { Abbreviation(words, .beforeName).bare.capitalised }

    /// The same, and without a full stop, too.
    var bare: Abbreviation {
        var copy = self
        copy.dotIsOptional = true
        return copy
    }

    /// The same, and joined to the name by a hyphen, too.
    var hyphenated: Abbreviation {
        var copy = self
        copy.mayHaveHyphen = true
        return copy
    }

    /// The same, unless its letters are a person's initials.
    var orInitials: Abbreviation {
        var copy = self
        copy.mayBeInitials = true
        return copy
    }

    /// The same, only with a small letter, where a capital is an initial.
    var lowercased: Abbreviation {
        var copy = self
        copy.isLowercased = true
        return copy
    }

    /// The same, only with a capital letter.
    var capitalised: Abbreviation {
        var copy = self
        copy.isCapitalised = true
        return copy
    }
}

/// How numbers are written and said.
struct Numerals: Sendable {
    /// Where an ordinal stands, which decides its ending.
    struct Place: Sendable {
        /// The word before and the word after, in lower case; empty when there is none.
        var before = ""
        var after = ""
    }

    enum Decimals: Sendable {
        case digitByDigit
        /// Up to two digits are said as a number.
        case asNumber
    }

    var decimalMark: Unicode.Scalar
    var groupMark: Unicode.Scalar
    var decimals: Decimals
    /// Words for numbers of up to fifteen digits, agreeing with a noun of the gender if there is one.
    var cardinal: @Sendable (Int, CountedNoun.Gender?) -> String
    var ordinal: @Sendable (Int, Place) -> String
    /// Whether “21.” between two words is an ordinal there.
    var isDottedOrdinal: (@Sendable (_ before: String, _ after: String, _ isCapitalised: Bool) -> Bool)?
    /// The letters behind the digits of an ordinal, in lower case, and the word its gender is taken from.
    var ordinalEndings: [String: String] = [:]
    /// Words between two ordinals that share their noun and what stands before them (`und`).
    var ordinalJoints: Set<String> = []
    /// Words for a number with an ending or a word behind a hyphen (“21-aastane”); `nil` for what is left alone.
    var compound: (@Sendable (_ number: Int, _ part: String) -> String?)?
    /// Words for a number with letters right behind its digits (“1980er”); `nil` for what is left alone.
    var withEnding: (@Sendable (_ number: Int, _ ending: String) -> String?)?
    /// Words for a number in the case of the noun behind it, given the word after that; `nil` for what is left alone.
    var inCase: (@Sendable (_ number: Int, _ noun: String, _ next: String) -> String?)?
    /// “Three quarters” for 3 and 4; `nil` for what is better left alone.
    var fraction: @Sendable (_ numerator: Int, _ denominator: Int) -> String?
    var wholeAndFraction: String
    /// The half behind a whole number, where it is not the one by itself (“un et demi”).
    var halfOfMixed: String?
    /// The same before a feminine noun (“une et demie tasse”).
    var feminineHalfOfMixed: String?
    /// Words for a half that agree with its noun and the word before; `nil` where they do not change.
    var half: (@Sendable (_ gender: CountedNoun.Gender?, _ noun: String, _ before: String) -> String?)?
    /// Whether a noun behind a fraction below one has the form for several things (“pool liitrit”).
    var fractionsTakePlural = false
    /// Words for a year that are not those of the number; `nil` where they are the same.
    var year: (@Sendable (Int) -> String?)?
    /// Words for a decade written “1990s”.
    var decade: (@Sendable (Int) -> String?)?
    /// Words before or after four digits that make a year of them.
    var yearsFollow: Set<String> = []
    var yearsPrecede: Set<String> = []
    /// Words before a number from 1001 to 1099 that make a year of it, if nothing is counted by it.
    var earlyYearsFollow: Set<String> = []
    /// Whether four digits between two words are a year (“the 1908 fire”); a name has one capital letter.
    var isYearPlace: (@Sendable (_ year: Int, _ before: String, _ after: String, _ isName: Bool) -> Bool)?
    /// Words for a year without its century (“’05”), and words that it follows besides ``yearsFollow``.
    var shortYear: (@Sendable (Int) -> String?)?
    var shortYearsFollow: Set<String> = []
    /// Words before four digits that are said in pairs (`room`).
    var roomsPrecede: Set<String> = []
    /// The words in capitals before five digits that are said one by one (`il`).
    var postalCodesFollow: Set<String> = []
    /// Words before ``emergencyNumbers``, which are said digit by digit (`call`).
    var callsPrecede: Set<String> = []
    var emergencyNumbers: Set<String> = []
    /// Words after which all digits are a telephone number (`tel`).
    var telephonesFollow: Set<String> = []
    /// Words before and behind numbers with slashes or hyphens that name a rule (`rule`).
    var numbersOfRulesFollow: Set<String> = []
    var numbersOfRulesPrecede: Set<String> = []
    /// Words before numbers whose parts are numbers of their own (`version`).
    var versionsFollow: Set<String> = []
    /// The gender that a number takes before a noun, where that is known; whether it has a capital letter tells nouns apart.
    var genderOfCounted: (@Sendable (_ number: Int, _ noun: String, _ isCapitalised: Bool) -> CountedNoun.Gender?)?
    /// Words behind which a number counts nothing (`número`).
    var numbersFollow: Set<String> = []
    /// Whether the noun is the one for a single thing.
    var isOne: @Sendable (Double) -> Bool = { $0 == 1 }
    /// Words after which a Roman numeral is a plain number (`chapter`).
    var romanCardinalsFollow: Set<String> = []
    /// The same for words that are cut short and have a full stop (`vol`).
    var romanCardinalsFollowStops: Set<String> = []
    /// Names and titles after which it is an ordinal (`henry`).
    var romanOrdinalsFollow: Set<String> = []
    /// Whether the word is one before which it is an ordinal (`sajandil`).
    var isBeforeOrdinalNoun: @Sendable (String) -> Bool = { _ in false }
    /// Whether “XIVe” is one.
    var romanOrdinalsHaveEndings = false
    /// Words for the number of a ruler of that name, and the word before the name.
    var ruler: @Sendable (_ number: Int, _ name: String, _ before: String) -> String
    /// The same before something of the ruler's (“Karl XII armee”); `nil` before other words.
    var rulerBefore: (@Sendable (_ number: Int, _ next: String) -> String?)?
    /// Roman numerals of one letter that are words as well (`i`), and what follows a ruler's number nonetheless (`of`).
    var wordsOfOneCapital: Set<String> = []
    var numbersOfRulersPrecede: Set<String> = []
    /// Roman numerals that are abbreviations as well (`iv`), and the words behind and before which they are (`start`, `fluids`).
    var romanAbbreviations: Set<String> = []
    var romanAbbreviationsFollow: Set<String> = []
    var romanAbbreviationsPrecede: Set<String> = []
    /// Words after which small letters are Roman numerals (`pages`).
    var pagesPrecede: Set<String> = []
    /// Words for “× 10 to the power of”.
    var timesTenToThe: String
    var digitNames: [String]
}

/// Words for signs.
struct SignWords: Sendable {
    var minus: String
    /// Between a number and its exponent.
    var power: String
    var point: String
    /// Between the ends of a range.
    var to: String
    /// Between length and width (“9x13”).
    var by: String
    /// Between the numbers of a score.
    var score: String
    /// Whether “3:2” is a score behind a name, too, where verses of the Bible are written otherwise.
    var scoresFollowNames = false
    var dot: String
    var at: String
    var slash: String
    var dash: String
    var underscore: String
    var colon: String
    var plus: String
    /// Said before the word of a hashtag.
    var hashtag: String
    /// Said for `#` before a number.
    var number: String
    /// Said for `§§`, which most engines do not speak.
    var sections = ""
    /// Single signs by themselves, where the engine says nothing or something wrong.
    var others: [Unicode.Scalar: String] = [:]
    /// Signs that are read only between spaces or numbers (`<`).
    var between: [Unicode.Scalar: String] = [:]
    /// Between a mark and the best there is (“4.5/5”).
    var outOf: String?
    /// The noun for the “x” behind a number (“3x a day”).
    var repeated: CountedNoun?
    /// Signs right before a number that nothing precedes (`<` in “kids <5”).
    var beforeNumbers: [Unicode.Scalar: String] = [:]
}

/// How dates are written and said.
struct DateWords: Sendable {
    /// Names of the months, January first.
    var names: [String]
    /// Abbreviations and inflected forms, in lower case without full stop, and the number of their month.
    var otherNames: [String: Int] = [:]
    /// Whether months are written with a small letter.
    var monthsAreLowercase: Bool
    /// Words for a date; the year may be missing.
    var date: @Sendable (_ day: Int, _ month: Int, _ year: Int?, _ place: Numerals.Place, _ monthFirst: Bool) -> String
    /// Words for the day before a month that is said as it is written, and whether one of ``joiners`` stands between;
    /// `nil` leaves the day to the engine.
    var day: @Sendable (Int, Numerals.Place, _ isJoined: Bool) -> String? = { _, _, _ in nil }
    var readsDayBeforeMonth = true
    var readsDayAfterMonth = false
    /// Words that may stand between day, month and year (`de`, `of`).
    var joiners: Set<String> = []
    /// Words behind which “24.12.” is a day (`am`), and those of them that other numbers follow, too (`dem`).
    var dottedDaysFollow: Set<String> = []
    var articles: Set<String> = []
    /// Words behind which “08/27” is the month in which something ends (`exp`, `gültig bis`).
    var expiriesFollow: Set<String> = []
    /// Words for parts of a text, whose numbers look like days (`Abschnitt`).
    var partsPrecede: Set<String> = []
    /// The word between a month and its year (`de`).
    var beforeYear = ""
    /// The letters that may stand right behind the digits of the day (`st`).
    var dayEndings: Set<String> = []
    /// Whether digits before a month are a day only with a full stop.
    var dayNeedsDot = false
    /// The days of the week by what they are cut short to, in lower case; single letters stand only in spans (“L–V”).
    var days: [String: String] = [:]

    /// Every name and abbreviation to its month.
    let months: [String: Int]
    /// Names of at most four letters, which are no abbreviations.
    let fullShortNames: Set<String>

    func name(_ month: Int) -> String { names[month - 1] }

    init(
        names: [String],
        otherNames: [String: Int],
        monthsAreLowercase: Bool,
        date: @escaping @Sendable (Int, Int, Int?, Numerals.Place, Bool) -> String
    ) {
        self.names = names
        self.otherNames = otherNames
        self.monthsAreLowercase = monthsAreLowercase
        self.date = date
        var months = otherNames
        for (index, name) in names.enumerated() {
            months[name.lowercased()] = index + 1
        }
        self.months = months
        let short = names.map { $0.lowercased() }.filter { $0.utf16.count <= 4 }
        // “mail” is “mai” in another case.
        fullShortNames = Set(months.keys.filter { name in short.contains { name.hasPrefix($0) } })
    }

    /// Dates that are always in the order of day, month and year, with months in small letters.
    ///
    /// - Parameters:
    ///   - names: ``names``.
    ///   - otherNames: ``otherNames``.
    ///   - joint: What stands between day and month, and month and year (` de `).
    ///   - first: The word for the first day where it is no cardinal (`premier`).
    ///   - cardinal: Words for the other days, and for years.
    init(
        names: [String],
        otherNames: [String: Int],
        joint: String,
        first: String? = nil,
        cardinal: @escaping @Sendable (Int) -> String
    ) {
        self.init(names: names, otherNames: otherNames, monthsAreLowercase: true) { day, month, year, _, _ in
            let spokenDay = (day == 1 ? first : nil) ?? cardinal(day)
            let words = spokenDay + joint + names[month - 1]
            return year.map { words + joint + cardinal($0) } ?? words
        }
        if let first { self.day = { day, _, _ in day == 1 ? first : nil } }
    }
}

/// How times of day are written and said.
struct TimeWords: Sendable {
    /// Words for an hour and a minute; `nil` leaves it to the engine.
    var time: @Sendable (_ hour: Int, _ minute: Int, _ hasHalf: Bool) -> String?
    /// “and ten seconds”.
    var seconds: @Sendable (Int) -> String
    /// Words for lengths of time (“2:00:35”).
    var lengths: LengthWords
    /// Words that make a time of “14.30”; empty when that is never one.
    var dottedTimesFollow: Set<String> = []
    var dottedTimesPrecede: Set<String> = []
    /// The letter that stands between hour and minute (`h` in “14h30”).
    var hourLetter: Unicode.Scalar?
    /// Words behind a time that its words already hold (`uhr`).
    var repeatedWords: Set<String> = []
    /// Books of the Bible, whose verses are no times where those are said otherwise (`jean`).
    var versesFollow: Set<String> = []
    /// Names of books that are cut short, of which a full stop may follow (`jn`).
    var versesFollowStops: Set<String> = []
    /// Words for “am” and “pm” behind a time.
    var halves: [String: String] = [:]
}

/// How lengths of time are said that are written as times of day are.
struct LengthWords: Sendable {
    let hour: CountedNoun
    let minute: CountedNoun
    let second: CountedNoun
    /// Between the last two of them.
    let joint: String
    /// Words before a time of day (`at`), and before a length whose hours have two digits (`in`).
    let clocksFollow: Set<String>
    let lengthsFollow: Set<String>
    /// Words behind a length that its words already hold, for hours and for minutes.
    let hours: Set<String>
    let minutes: Set<String>
}

/// How amounts of money are written and said.
struct MoneyWords: Sendable {
    struct Currency: Sendable {
        let major: CountedNoun
        let minor: CountedNoun?
    }

    /// The currencies by sign and by code (`$`, `US$`, `USD`).
    var currencies: [String: Currency]
    /// The nouns for thousands and more, by their exact writing behind an amount (`m`, `billion`).
    var scales: [String: CountedNoun]
    /// The currency's name behind a scale (“millones *de euros*”).
    var afterScale: @Sendable (_ scale: String, _ currency: String) -> String = { $1 }
    /// The word that joins “five dollars” and “fifty cents”.
    var joint: String
    /// Whether the name of the small coin is said (“cinq euros cinquante” does not).
    var saysMinor: Bool
    /// Words behind which an amount before a noun has the singular: “a fifty dollar ticket”.
    var attributesFollow: Set<String> = []
}

/// Differences of writing between countries of a language.
extension LanguageRules {
    /// The rules as they hold in a region, given as the further parts of a language tag in lower case.
    func adapted(to regions: some Sequence<Substring>) -> LanguageRules {
        var rules = self
        for region in regions.map(String.init) where code == "es" {
            if Self.pesoCountries.contains(region) { rules.money.currencies["$"] = Self.spanishPeso }
            guard Self.decimalPointCountries.contains(region) else { continue }
            rules.numerals.decimalMark = "."
            rules.numerals.groupMark = ","
            rules.signs.point = "punto"
        }
        return rules
    }

    /// Countries whose sign `$` is a peso.
    private static let pesoCountries: Set<String> = ["ar", "cl", "co", "cu", "do", "mx", "uy"]

    /// Spanish-speaking countries that write 1,234.5.
    private static let decimalPointCountries: Set<String> = [
        "do", "gt", "hn", "mx", "ni", "pa", "pe", "pr", "sv", "us",
    ]
}
