extension LanguageRules {
    static let english = LanguageRules(
        numerals: Numerals(
            decimalMark: ".",
            groupMark: ",",
            decimals: .digitByDigit,
            cardinal: { number, _ in EnglishNumbers.cardinal(number) },
            ordinal: { number, _ in EnglishNumbers.ordinal(number) },
            fraction: EnglishNumbers.fraction,
            wholeAndFraction: "and",
            year: EnglishNumbers.year,
            decade: EnglishNumbers.decade,
            yearsFollow: [
                "in", "since", "by", "between", "from", "until", "till", "of", "year", "before", "after", "around",
                "circa",
                "during", "early", "late", "mid", "spring", "summer", "autumn", "fall", "winter", "january", "february",
                "march", "april", "may", "june", "july", "august", "september", "october", "november", "december",
                "born",
                "died", "anno", "c", "ca",
            ],
            yearsPrecede: ["ad", "bc", "ce", "bce"],
            romanCardinalsFollow: [
                "chapter", "part", "volume", "book", "act", "scene", "section", "appendix", "phase", "type", "class",
                "war", "figure", "table", "level", "article", "title", "stage", "grade", "episode", "season", "group",
                "division", "unit", "lesson", "verse", "canto", "vatican", "bowl", "mark", "apollo", "sonata",
            ],
            romanOrdinalsFollow: [
                "king", "queen", "pope", "emperor", "empress", "tsar", "czar", "prince", "duke", "sultan", "pharaoh",
                "henry", "louis", "charles", "elizabeth", "george", "edward", "james", "william", "richard", "mary",
                "john",
                "paul", "pius", "benedict", "leo", "napoleon", "philip", "frederick", "nicholas", "alexander",
                "catherine",
                "gregory", "innocent", "clement", "urban", "peter", "ivan", "otto", "ferdinand", "alfonso", "ramesses",
                "ramses", "xerxes", "darius", "ptolemy", "wilhelm", "gustav", "christian", "haakon", "harald", "robert",
                "stephen", "boniface", "julius", "sixtus", "edmund", "francis", "joseph", "leopold", "maximilian",
                "mehmed",
                "murad", "carl", "umberto", "victor", "baldwin", "constantine", "theodosius", "artaxerxes", "thutmose",
            ],
            ruler: { "the " + EnglishNumbers.ordinal($0) },
            timesTenToThe: "times ten to the power of",
            digitNames: EnglishNumbers.digits
        ),
        signs: SignWords(
            minus: "minus",
            point: "point",
            to: "to",
            dot: "dot",
            at: "at",
            slash: "slash",
            dash: "dash",
            underscore: "underscore",
            colon: "colon",
            plus: "plus",
            hashtag: "hashtag",
            number: "number",
            others: [
                "→": "to", "←": "from", "⇒": "implies", "•": "", "◦": "", "▪": "", "●": "", "■": "", "★": "star",
                "☆": "star", "≈": "about", "≠": "not equal to", "≤": "less than or equal to",
                "≥": "greater than or equal to", "÷": "divided by", "√": "square root of", "∞": "infinity", "∑": "sum",
                "π": "pi", "‰": "per mille", "²": " squared", "³": " cubed", "†": "", "‡": "", "✓": "check mark",
                "✔": "check mark", "✗": "cross", "¶": "paragraph", "№": "number", "℠": "service mark",
                "®": "registered", "™": "trademark",
            ],
            between: [
                "<": "less than", ">": "greater than", "*": "times", "^": "to the power of",
                "~": "about", "|": "or", "−": "minus",
            ]
        ),
        dates: EnglishNumbers.dates,
        times: TimeWords(
            time: { EnglishNumbers.time($0, $1, hasHalf: $2) },
            seconds: { "and \(EnglishNumbers.cardinal($0)) \($0 == 1 ? "second" : "seconds")" },
            halves: ["am": "AM", "pm": "PM"]
        ),
        money: MoneyWords(
            currencies: englishCurrencies,
            scales: [
                "k": CountedNoun("thousand", "thousand"), "K": CountedNoun("thousand", "thousand"),
                "m": CountedNoun("million", "million"), "M": CountedNoun("million", "million"),
                "mn": CountedNoun("million", "million"), "b": CountedNoun("billion", "billion"),
                "B": CountedNoun("billion", "billion"), "bn": CountedNoun("billion", "billion"),
                "tn": CountedNoun("trillion", "trillion"), "T": CountedNoun("trillion", "trillion"),
                "hundred": CountedNoun("hundred", "hundred"), "thousand": CountedNoun("thousand", "thousand"),
                "million": CountedNoun("million", "million"), "billion": CountedNoun("billion", "billion"),
                "trillion": CountedNoun("trillion", "trillion"),
            ],
            joint: "and",
            saysMinor: true
        ),
        abbreviations: englishAbbreviations,
        units: englishUnits,
        perUnit: { "\($0) per \($1)" }
    )
}
