import Foundation

extension TextScanner {
    /// The ranges that belong to addresses and to the dictionary, which are read before all else.
    func claims() -> [Rewrite] {
        let seeksAddresses = steps.contains(.addresses) && mayHoldAddress
        guard seeksAddresses || dictionary != nil else { return [] }
        var claims: [Rewrite] = []
        var index = 0
        var reader = self
        reader.end = units.count
        while index < units.count {
            if units[index].isSpace {
                index += 1
                continue
            }
            let address = seeksAddresses ? reader.address(at: index) : nil
            let entry = dictionary?.match(in: units, at: index)
            if let claim = [entry, address].compactMap(\.self).max(by: { $0.range.upperBound < $1.range.upperBound }) {
                claims.append(claim)
                index = claim.range.upperBound
            } else if steps.contains(.markup), index > 0, units[index] == 0x28, units[index - 1] == 0x5D,
                let close = reader.addressEnd(from: index + 1)
            {
                index = close
            } else {
                index = units[index].isLetterOrDigit ? reader.wordEnd(from: index) : index + 1
            }
        }
        return claims
    }

    private var mayHoldAddress: Bool {
        units.contains { $0 == 0x40 || $0 == 0x2E || $0 == 0x3A }
    }

    /// The address that begins at `start`, whose words are its parts.
    private func address(at start: Int) -> Rewrite? {
        guard units[start].isASCIILetter || units[start].isDigit, start == 0 || startsAddress(after: units[start - 1])
        else {
            return nil
        }
        var index = start
        var dots = 0
        while index < units.count, Self.isAddressUnit(units[index]) {
            if units[index] == 0x2E { dots += 1 }
            index += 1
        }
        if has("@", at: index) { return dots + index > start ? mail(start, at: index) : nil }
        if has(":", at: index), has("/", at: index + 1), has("/", at: index + 2) {
            guard index - start <= 8, Self.isASCIILetters(units[start..<index]) else { return nil }
            let scheme = lowercased(start..<index)
            guard ["http", "https", "ftp", "ftps", "sftp", "ws", "wss", "file", "git", "ssh"].contains(scheme) else {
                return nil
            }
            return web(start, from: index + 3, hasScheme: true)
        }
        if lowercased(start..<min(index, start + 7)) == "mailto", has(":", at: index) { return nil }
        return dots > 0 ? web(start, from: start, hasScheme: false) : nil
    }

    private func startsAddress(after unit: UInt16) -> Bool {
        !(unit.isDigit || unit.isASCIILetter || unit == 0x2E || unit == 0x2D || unit == 0x5F || unit == 0x2F)
            && unit != 0x40 && unit != 0x25 && unit != 0x2B
    }

    private static func isAddressUnit(_ unit: UInt16) -> Bool {
        unit.isASCIILetter || unit.isDigit || unit == 0x2E || unit == 0x2D || unit == 0x5F || unit == 0x2B
            || unit == 0x25
    }

    private static func isASCIILetters(_ units: ArraySlice<UInt16>) -> Bool {
        !units.isEmpty && units.allSatisfy(\.isASCIILetter)
    }

    private func mail(_ start: Int, at sign: Int) -> Rewrite? {
        guard sign > start, sign - start <= 64, let end = hostEnd(from: sign + 1) else { return nil }
        let host = text(sign + 1..<end)
        guard host.split(separator: ".").count > 1 else { return nil }
        let local = text(start..<sign)
        guard let signs = rules?.signs else { return Rewrite(range: start..<end, content: .words("\(local)@\(host)")) }
        let words = "\(signs.spell(local)) \(signs.at) \(signs.spell(host))"
        return Rewrite(range: start..<end, content: .words(words))
    }

    /// A web address; without a scheme it must begin with `www.` or end in a well-known name.
    private func web(_ start: Int, from hostStart: Int, hasScheme: Bool) -> Rewrite? {
        guard var hostEnd = hostEnd(from: hostStart) else { return nil }
        var name = text(hostStart..<hostEnd)
        let isPlain = name.utf16.count <= 4 || !name.lowercased().hasPrefix("www.")
        if !hasScheme, isPlain {
            guard let last = name.split(separator: ".").last, name.contains("."),
                Self.topDomains.contains(String(last)),
                name.contains(where: \.isLetter)
            else { return nil }
        }
        if !isPlain { name.removeFirst(4) }
        var port = ""
        if has(":", at: hostEnd), unit(hostEnd + 1).isDigit, digitsEnd(from: hostEnd + 1) - hostEnd <= 6 {
            port = text(hostEnd + 1..<digitsEnd(from: hostEnd + 1))
            hostEnd = digitsEnd(from: hostEnd + 1)
        }
        let end = addressTail(from: hostEnd)
        let path = pathWords(hostEnd..<end)
        let range = start..<end
        guard let signs = rules?.signs else {
            return Rewrite(range: range, content: .words(([name] + path).joined(separator: "/")))
        }
        var words = signs.spell(name)
        if !port.isEmpty { words += " \(signs.colon) \(port)" }
        for part in path {
            words += " \(signs.slash) \(signs.spell(part))"
        }
        return Rewrite(range: range, content: .words(words))
    }

    private func hostEnd(from start: Int) -> Int? {
        var index = start
        while index < units.count, index - start <= 253, units[index].isLetterOrDigit || isInsideHost(index, start) {
            index += 1
        }
        return index > start && index - start <= 253 && !unit(index).isLetterOrDigit && !has("@", at: index)
            ? index : nil
    }

    private func isInsideHost(_ index: Int, _ start: Int) -> Bool {
        (units[index] == 0x2E || units[index] == 0x2D) && index > start && unit(index + 1).isLetterOrDigit
    }

    /// The end of path, query and fragment, without the punctuation of the sentence around them.
    private func addressTail(from start: Int) -> Int {
        guard has("/", at: start) || has("?", at: start) && unit(start + 1).isLetterOrDigit || has("#", at: start)
        else {
            return start
        }
        var index = start
        while index < units.count, !units[index].isSpace, !Self.endsAddress(units[index]) {
            index += 1
        }
        while index > start, Self.isSentenceSign(units[index - 1]) {
            index -= 1
        }
        return index
    }

    private static func endsAddress(_ unit: UInt16) -> Bool {
        switch unit {
        case 0x22, 0x3C, 0x3E, 0x5B, 0x5D, 0x60, 0x7B...0x7D, 0xAB, 0xBB, 0x2018...0x201F, 0x3000...0x3020, 0x4E00...:
            true
        default: false
        }
    }

    private static func isSentenceSign(_ unit: UInt16) -> Bool {
        switch unit {
        case 0x21, 0x27, 0x28, 0x29, 0x2A, 0x2C, 0x2E, 0x3A, 0x3B, 0x3F, 0x5F: true
        default: false
        }
    }

    /// The parts of a path, without query and fragment, up to four parts and sixty characters.
    private func pathWords(_ range: Range<Int>) -> [String] {
        let head = range.prefix(1_000).prefix { units[$0] != 0x3F && units[$0] != 0x23 }
        guard let first = head.first, let last = head.last else { return [] }
        let path = text(first..<last + 1)
        var parts: [String] = []
        var length = 0
        for part in (path.removingPercentEncoding ?? path).split(separator: "/") {
            length += part.count
            guard parts.count < 4, length <= 60 else { break }
            parts.append(String(part))
        }
        return parts
    }

    /// Names at the end of an address that is clear without a scheme; those that are also words of a language are not here.
    private static let topDomains: Set<String> = [
        "ai", "app", "au", "biz", "br", "ca", "ch", "cn", "com", "cz", "de", "dev", "edu", "ee", "es", "eu", "fi", "fr",
        "gov", "info", "io", "jp", "lt", "lv", "mil", "net", "nl", "nz", "org", "pl", "pt", "ru", "se", "shop", "tv",
        "ua", "uk", "xyz",
    ]
}

extension SignWords {
    /// An address's part with its signs in words.
    func spell(_ part: String) -> String {
        var words: [String] = []
        var word = ""
        for character in part {
            let sign: String?
            switch character {
            case ".": sign = dot
            case "-": sign = dash
            case "_": sign = underscore
            case "+": sign = plus
            case "/": sign = slash
            case ":": sign = colon
            default: sign = character.isLetter || character.isNumber ? nil : ""
            }
            guard let sign else {
                word.append(character)
                continue
            }
            if !word.isEmpty { words.append(word) }
            if !sign.isEmpty { words.append(sign) }
            word = ""
        }
        if !word.isEmpty { words.append(word) }
        return words.joined(separator: " ")
    }
}

/// Numbers that count nothing: versions, network addresses, telephone numbers.
extension TextScanner {
    /// Three or more numbers with full stops between: “2.0.1”, “192.168.0.1”.
    mutating func dottedDigits(_ start: Int, _ rules: LanguageRules) -> Bool {
        var parts: [String] = []
        var index = start
        while parts.count < 8 {
            let end = digitsEnd(from: index)
            guard end > index, end - index <= 6 else { return false }
            parts.append(text(index..<end))
            index = end
            guard has(".", at: end), unit(end + 1).isDigit else { break }
            index += 1
        }
        let isGrouped = rules.numerals.decimalMark == "," && parts.dropFirst().allSatisfy { $0.count == 3 }
        let isDate = parts.count == 3 && parts[2].count == 4 && parts[0].count <= 2
        guard parts.count >= 3, !isGrouped, !isDate, !unit(index).isLetterOrDigit else { return false }
        let lengths = parts.map(\.utf8.count)
        if lengths == [3, 3, 4] || lengths == [2, 2, 2, 2, 2] && parts[0].first == "0" {
            // “321.434.5049” and “06.12.34.56.78”, which are telephone numbers
            say(parts.map { spelled($0, rules.numerals) }.joined(separator: ", "), for: start..<index)
            lastNumberEnd = index
            return true
        }
        if lengths[1...] == [3, 3], parts[2] == "000", parts[0].first != "0", let whole = Int(parts.joined()) {
            // “10.000.000”, which other languages write so
            say(rules.numerals.cardinal(whole, nil), for: start..<index)
            lastNumberEnd = index
            return true
        }
        let dot = rules.numerals.decimalMark == "." ? rules.signs.point : rules.signs.dot
        let words = parts.map { part in
            part.first == "0" || part.count > 4
                ? spelled(part, rules.numerals) : rules.numerals.cardinal(Int(part) ?? 0, nil)
        }
        say(words.joined(separator: " \(dot) "), for: start..<index)
        lastNumberEnd = index
        return true
    }

    /// A telephone number: “+372 5123 4567”, “555-123-4567”, “(555) 123-4567”.
    ///
    /// It begins with a digit, an opening bracket or a plus sign.
    mutating func telephone(_ start: Int, _ rules: LanguageRules) -> Bool {
        var groups: [String] = []
        var separators: [UInt16] = []
        var index = start
        let isInternational = has("+", at: start)
        let isCalled = rules.numerals.telephonesFollow.contains(abbreviatedWord(before: start))
        if isInternational || has("(", at: start) { index += 1 }
        while groups.count < 8 {
            let end = digitsEnd(from: index)
            guard end > index, end - index <= 12 else { break }
            groups.append(text(index..<end))
            index = end
            let next = has(")", at: end) ? skipBlanks(from: end + 1) : end + 1
            let opened = has("(", at: next) ? next + 1 : next
            let mayHoldSlash = isCalled || Self.isTrunk(groups[0])
            // “0621 / 4 56 78-20”
            if mayHoldSlash, unit(end).isBlank, has("/", at: end + 1), unit(end + 2).isBlank, unit(end + 3).isDigit {
                separators.append(unit(end + 1))
                index = end + 3
                continue
            }
            guard Self.isTelephoneSeparator(unit(end)) || mayHoldSlash && has("/", at: end), unit(opened).isDigit
            else { break }
            separators.append(unit(end))
            index = opened
        }
        let digitCount = groups.reduce(0) { $0 + $1.utf8.count }
        guard !unit(index).isLetterOrDigit, digitCount <= (Self.isHyphenated(separators) ? 20 : 15) else {
            return false
        }
        let isNational =
            isCalled && digitCount >= 5 && !isCount(groups, separators, start..<index, rules)
            || Self.isNational(groups, separators, has("(", at: start))
            || rules.code == "es" && Self.isSpanish(groups, separators)
            || isInThrees(groups, separators, start..<index, rules)
        // “5123 4567”, as mobile telephones have it in Estonia
        let isEstonian =
            rules.code == "et" && groups.count == 2 && groups.allSatisfy { $0.utf8.count == 4 }
            && groups[0].first == "5" && !groups[0].hasSuffix("00") && separators[0].isBlank
        guard isInternational ? digitCount >= 7 : isNational || isEstonian else { return false }
        let spoken = groups.map { spelled($0, rules.numerals) }.joined(separator: ", ")
        say((isInternational ? rules.signs.plus + " " : "") + spoken, for: start..<index)
        lastNumberEnd = index
        return true
    }

    /// Whether the digits behind a word for a telephone count what follows them, since the word is a verb or another
    /// noun: “phone 10 000 people”.
    private func isCount(
        _ groups: [String],
        _ separators: [UInt16],
        _ range: Range<Int>,
        _ rules: LanguageRules
    ) -> Bool {
        guard let first = groups.first, let last = groups.last, first.first != "0", unit(range.lowerBound).isDigit,
            groups.dropFirst().allSatisfy({ $0.utf8.count == 3 }), groups.count == 1 || first.utf8.count <= 3,
            separators.allSatisfy(\.isBlank)
        else { return false }
        // After a full stop or a colon it is a telephone number, whatever it looks like.
        guard !previousWord(before: range.lowerBound).isEmpty else { return false }
        // Telephone numbers are longer or not so round.
        guard last.hasSuffix("00") || groups.reduce(0, { $0 + $1.utf8.count }) == 5 else { return false }
        let next = range.upperBound + 1
        guard unit(range.upperBound).isBlank, unit(next).isLowercase else { return false }
        return !SentenceOpeners.contains(word(at: next), language: rules.code)
    }

    /// Groups as Spain writes them: “91 555 12 34”, “600 12 34 56”.
    private static func isSpanish(_ groups: [String], _ separators: [UInt16]) -> Bool {
        let lengths = groups.map(\.utf8.count)
        return (lengths == [2, 3, 2, 2] || lengths == [3, 2, 2, 2]) && separators.allSatisfy(\.isBlank)
            && ["6", "7", "8", "9"].contains(groups[0].prefix(1))
    }

    /// Whether they are a telephone number of which most groups have three digits: “0 800 123 456”, “600 123 456”.
    private func isInThrees(
        _ groups: [String],
        _ separators: [UInt16],
        _ range: Range<Int>,
        _ rules: LanguageRules
    ) -> Bool {
        guard separators.allSatisfy(\.isBlank), let last = groups.last else { return false }
        let lengths = groups.map(\.utf8.count)
        switch rules.code {
        case "fr": return lengths == [1, 3, 3, 3] && groups[0] == "0" && groups[1].first == "8"
        case "es":
            guard lengths == [3, 3, 3], Self.spanishDigits.contains(groups[0].prefix(1)), !last.hasSuffix("000") else {
                return false
            }
            // “600 123 456 habitantes” and “un total de 600 123 456” are counted.
            let stop = range.upperBound
            let noun = nextWord(from: stop)
            let word = abbreviatedWord(before: range.lowerBound)
            let isBeforeNoun =
                unit(stop).isBlank && unit(stop + 1).isLowercase && (noun.count > 3 || noun == "hab" || noun == "uds")
            // “llama al 600 123 456 para reservar”
            let isCount =
                isBeforeNoun && !["al", "llama", "llame", "número", "whatsapp"].contains(word)
                || Self.spanishCountsFollow.contains(word)
            // “734 512 908,50”, “734 512 908 USD”
            let hasDecimals = (has(",", at: stop) || has(".", at: stop)) && unit(stop + 1).isDigit
            let sign = skipBlanks(from: stop)
            let signEnd = max(wordEnd(from: sign), min(sign + 1, end))
            let isMoney = rules.money.currencies[text(sign..<signEnd)] != nil
            let before = unit(range.lowerBound - 1)
            return (before.isSpace || before == 0x28 || before == 0x3A) && !isCount && !hasDecimals && !isMoney
                && unit(sign) != 0x25 && unit(sign) != 0x3D
                && unitAfter(WrittenNumber(plain: range, "2"), rules) == nil
        default: return false
        }
    }

    private static let spanishCountsFollow: Set<String> = [
        "alcanza", "alcanzó", "casi", "de", "habitantes", "hasta", "hay", "había", "las", "los", "más", "población",
        "son", "suma", "supera", "superó", "total", "unas", "unos",
    ]

    /// The first digits of Spanish telephone numbers.
    private static let spanishDigits: Set<Substring> = ["6", "7", "8", "9"]

    private static func isTelephoneSeparator(_ unit: UInt16) -> Bool {
        unit.isBlank || unit == 0x2D || unit == 0x2011 || unit == 0x29
    }

    private static func isHyphenated(_ separators: [UInt16]) -> Bool {
        !separators.isEmpty && separators.allSatisfy { $0 == 0x2D || $0 == 0x2011 }
    }

    /// Whether digits may be those of a town, which begin with a zero: “0711/123456”.
    private static func isTrunk(_ digits: String) -> Bool {
        digits.first == "0" && (3...6).contains(digits.utf8.count)
    }

    /// The first digits of numbers whose calls cost the same everywhere: “1300 555 019”.
    private static let sharedCosts: Set<String> = ["1300", "1800"]

    /// Three, three and four digits, or three and four, with hyphens: as North America writes them; pairs after a zero,
    /// as France does; a town's digits with a zero; or many digits in three and more groups with hyphens, as cards, accounts and
    /// books have them.
    private static func isNational(_ groups: [String], _ separators: [UInt16], _ isBracketed: Bool) -> Bool {
        let lengths = groups.map(\.utf8.count)
        let count = lengths.reduce(0, +)
        let isHyphenated = Self.isHyphenated(separators)
        // “1914-1918-1945” are years.
        let areYears = groups.allSatisfy { $0.utf8.count == 4 && (1_100...2_099).contains(Int($0) ?? 0) }
        if groups.count >= 3, isHyphenated, count >= 9 { return !areYears }
        // “0900-1700” are two times.
        let areTimes = lengths == [4, 4] && isHyphenated
        if groups.count >= 2, isTrunk(groups[0]), (7...12).contains(count), !areTimes { return true }
        switch lengths {
        case [3, 3, 4]:
            // “321 434-5049”
            return isHyphenated || isBracketed && separators.first == 0x29
                || separators[0].isBlank && (separators[1] == 0x2D || separators[1] == 0x2011)
        case [3, 4]: return isHyphenated
        case [4, 3, 3]: return Self.sharedCosts.contains(groups[0]) && separators[0] == separators[1]
        case [1, 3, 3, 4]: return isHyphenated && groups[0] == "1"
        case [2, 2, 2, 2, 2]: return groups[0].first == "0"
        default: return false
        }
    }
}

/// Digits that are said as a code by what stands before them: rooms, postal codes, emergency calls, versions, short years.
extension TextScanner {
    mutating func code(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        let next = number.range.upperBound
        if longPostalCode(number, rules) { return true }
        guard !number.isGrouped, !unit(next).isLetterOrDigit, !(unit(next).isDash && unit(next + 1).isDigit) else {
            return false
        }
        let before = abbreviatedWord(before: number.range.lowerBound)
        guard !before.isEmpty, let words = codeWords(number, after: before, rules) else { return false }
        say(words, for: number.range)
        lastNumberEnd = next
        return true
    }

    /// A postal code with the four digits behind it: “CO 80202-1234”.
    private mutating func longPostalCode(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        let (start, dash) = (number.range.lowerBound, number.range.upperBound)
        guard number.isPlainInteger, number.digits.count == 5, unit(dash) == 0x2D,
            digitsEnd(from: dash + 1) == dash + 5, !unit(dash + 5).isLetterOrDigit,
            rules.numerals.postalCodesFollow.contains(abbreviatedWord(before: start)), isAllCapitals(lastWord)
        else { return false }
        let parts = [number.digits, text(dash + 1..<dash + 5)].map { spelled($0, rules.numerals) }
        say(parts.joined(separator: ", "), for: start..<dash + 5)
        lastNumberEnd = position
        return true
    }

    private func codeWords(_ number: WrittenNumber, after before: String, _ rules: LanguageRules) -> String? {
        let numerals = rules.numerals
        guard number.decimals.isEmpty else {
            // “Version 10.15” comes after 10.9.
            guard numerals.versionsFollow.contains(before), number.decimals.count <= 3, number.decimals.first != "0",
                let whole = number.whole, let part = Int(number.decimals)
            else { return nil }
            return "\(numerals.cardinal(whole, nil)) \(rules.signs.point) \(numerals.cardinal(part, nil))"
        }
        switch number.digits.count {
        case 2 where numerals.romanCardinalsFollow.contains(before) && number.hasLeadingZero:
            // “Chapter 01”
            return number.whole.map { numerals.cardinal($0, nil) }
        case 8... where Self.namesOfCodes.contains(before):
            return spelled(number.digits, numerals)
        case 4 where numerals.roomsPrecede.contains(before) && !number.hasLeadingZero:
            return number.whole.flatMap { numerals.year?($0) }
        case 5 where numerals.postalCodesFollow.contains(before) && isAllCapitals(lastWord):
            return spelled(number.digits, numerals)
        case 3
        where numerals.emergencyNumbers.contains(number.digits)
            && (numerals.callsPrecede.contains(before) || isOtherEmergencyNumber(after: before, numerals)):
            // “unter 110 km/h”, and in German “unter 112 Gästen”
            let isCount = unitAfter(number, rules) != nil || rules.code == "de" && isName(at: number.range.upperBound)
            return isCount ? nil : spelled(number.digits, numerals)
        case 3 where rules.code == "de" && before == "die" && numerals.emergencyNumbers.contains(number.digits):
            // “Rufen Sie die 112 an.”
            let next = skipBlanks(from: number.range.upperBound)
            // “die 112 an Bord”
            let isPlace = word(at: next) == "an" && isName(at: next + 2)
            let isCalled = Self.wordsOfCalls.contains(word(at: next)) && !isPlace
            return isCalled ? spelled(number.digits, numerals) : nil
        default: return nil
        }
    }

    /// Whether `before` joins a number to another one to call: “Dial 999 or 112”.
    private func isOtherEmergencyNumber(after before: String, _ numerals: Numerals) -> Bool {
        let first = lastNumberEnd - 3
        guard Self.choices.contains(before), first > 0, lastNumberEnd == lastWord.lowerBound - 1,
            numerals.emergencyNumbers.contains(text(first..<lastNumberEnd))
        else { return false }
        let end = first - 1
        var start = end
        while start > 0, unit(start - 1).isLetter { start -= 1 }
        return unit(end).isBlank && start < end && numerals.callsPrecede.contains(lowercased(start..<end))
    }

    private static let choices: Set<String> = ["oder", "or", "või"]

    private static let wordsOfCalls: Set<String> = [
        "an", "angerufen", "anrufen", "gewählt", "rief", "riefen", "rufen", "ruft", "wählen", "wählt", "wählte",
    ]

    /// Words before long digits that count nothing, in every language.
    private static let namesOfCodes: Set<String> = ["code", "ean", "isbn", "issn", "kood", "código"]

    private func isAllCapitals(_ word: Range<Int>) -> Bool { word.allSatisfy { units[$0].isUppercase } }

    /// A year without its century, and a decade: “’05”, “the ’60s”.
    mutating func shortYear(at start: Int, _ rules: LanguageRules) -> Bool {
        let numerals = rules.numerals
        let end = digitsEnd(from: start + 1)
        guard let shortYear = numerals.shortYear, end == start + 3, !unit(start - 1).isLetterOrDigit,
            let year = Int(text(start + 1..<end))
        else { return false }
        if has("s", at: end), !unit(end + 1).isLetterOrDigit, year >= 20, year % 10 == 0,
            let words = numerals.decade?(year)
        {
            say(words, for: start..<end + 1)
            lastNumberEnd = position
            return true
        }
        let before = abbreviatedWord(before: start)
        guard !unit(end).isLetterOrDigit, unit(end) != 0x27, unit(end) != 0x2019,
            numerals.yearsFollow.contains(before) || numerals.shortYearsFollow.contains(before)
                || rules.dates.months[before] != nil,
            let words = shortYear(year)
        else { return false }
        say(words, for: start..<end)
        lastNumberEnd = position
        return true
    }
}

extension TextScanner {
    /// “3:2”, a score or the parts of a mixture, where no time of day can be meant.
    mutating func ratioWithColon(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        let colon = number.range.upperBound
        let end = digitsEnd(from: colon + 1)
        guard number.isPlainInteger, number.digits.count <= 3, !number.hasLeadingZero, has(":", at: colon),
            end == colon + 2 || isLargeScore(number, endingAt: end, rules)
                || (3...4).contains(end - colon) && isDilution(at: number.range.lowerBound),
            !has(":", at: number.range.lowerBound - 1),
            !unit(end).isLetter, !(has(":", at: end) || has(".", at: end)) || !unit(end + 1).isDigit
        else { return false }
        let before = wordOrAbbreviation(before: number.range.lowerBound)
        guard !isVerse(at: number.range.lowerBound, rules), !rules.numerals.romanCardinalsFollow.contains(before)
        else { return false }
        pass(number: number.range)
        say(rules.signs.score, for: colon..<colon + 1)
        return true
    }

    /// Whether German and Estonian numbers of two digits and more are a score: those that no clock shows, and any behind a verb.
    ///
    /// “78:71” and “verlor 20:18” are some, “lief 25:13” is none.
    private func isLargeScore(_ number: WrittenNumber, endingAt end: Int, _ rules: LanguageRules) -> Bool {
        let start = number.range.upperBound + 1
        guard let verbs = Self.scoresFollow[rules.code], (2...3).contains(end - start), !has("0", at: start),
            let first = number.whole, let second = Int(text(start..<end)), first >= 10
        else { return false }
        let before = previousWord(before: number.range.lowerBound)
        if rules.times.dottedTimesFollow.contains(before) { return false }
        return first >= 60 && second >= 20 || second >= 60 || verbs.contains(before)
    }

    /// Whether a ratio begins here, and no time of day: “dilute at 1:10”, “diluez à 1:10”, “a ratio of 1:50”.
    func isDilution(at start: Int) -> Bool {
        guard ["a", "at", "of", "to", "à"].contains(previousWord(before: start)) else { return false }
        if Self.ratiosFollow.contains(wordBeforeName) { return true }
        let words = text(max(0, start - 80)..<start).lowercased()
        let clause = words.split(whereSeparator: { ".!?;\n".contains($0) }).last ?? ""
        return clause.split(separator: " ").contains { $0.hasPrefix("dilu") }
    }

    /// The word before `start`, of which a full stop may follow.
    func wordOrAbbreviation(before start: Int) -> String {
        has(".", at: lastWord.upperBound) ? abbreviatedWord(before: start) : previousWord(before: start)
    }

    /// Whether “3:6” is a verse: behind a name, or behind other verses of a book.
    ///
    /// “John 3:6” and “Rom. 8:1; 8:4” are some; German and Estonian set them apart by commas.
    func isVerse(at start: Int, _ rules: LanguageRules) -> Bool {
        guard !rules.signs.scoresFollowNames else { return false }
        let before = wordOrAbbreviation(before: start)
        guard !before.isEmpty else { return areVerses(from: lastWord, to: start) }
        if unit(lastWord.lowerBound).isUppercase { return !Self.ratiosFollow.contains(before) }
        return Self.joints.contains(before) && areVerses(from: wordBeforeLast, to: lastWord.lowerBound)
    }

    /// Whether “3:16” is a verse of a book of which the language knows: “Jean 3:16; 4:12”.
    func isVerseOfBook(at start: Int, _ rules: LanguageRules) -> Bool {
        let isJoined = Self.joints.contains(previousWord(before: start))
        let book = isJoined ? wordBeforeLast : lastWord
        guard !book.isEmpty, unit(book.lowerBound).isUppercase else { return false }
        let name = lowercased(book)
        // “Il a vu Jean. 8:30”
        let isCutShort = rules.times.versesFollowStops.contains(name)
        guard isCutShort || rules.times.versesFollow.contains(name) && !has(".", at: book.upperBound) else {
            return false
        }
        if isJoined { return areVerses(from: book, to: lastWord.lowerBound) }
        return !wordOrAbbreviation(before: start).isEmpty || areVerses(from: book, to: start)
    }

    /// Whether nothing but chapters and verses stands between the name of a book and `end`.
    private func areVerses(from book: Range<Int>, to end: Int) -> Bool {
        let start = book.upperBound
        guard !book.isEmpty, start < end, end - start <= 64, unit(book.lowerBound).isUppercase,
            unit(start).isBlank || has(".", at: start), !Self.ratiosFollow.contains(lowercased(book))
        else { return false }
        let between = units[start..<end]
        let hasVerse = between.indices.contains { has(":", at: $0) && unit($0 - 1).isDigit && unit($0 + 1).isDigit }
        return hasVerse
            && between.allSatisfy { unit in
                unit.isDigit || unit.isBlank || unit.isDash || [0x2C, 0x2E, 0x3A, 0x3B].contains(unit)
            }
    }

    /// Words for ratios and scores, which may begin a sentence, in every language.
    static let ratiosFollow: Set<String> = [
        "dilute", "dilution", "escala", "marcador", "maßstab", "mix", "mõõtkava", "mõõtkavas", "odds", "proportion",
        "proporción", "ratio", "ratios", "resultado", "result", "results", "résultat", "scale", "score", "scores",
        "suhe",
        "suhtes", "verhältnis", "échelle",
    ]

    /// Numbers that name a rule: “the 10/20/30 rule”, “80/20-Regel”, “the 4-7-8 method”.
    ///
    /// Two of them are the name only if they are the shares of a hundred.
    mutating func numbersOfRule(_ start: Int, _ rules: LanguageRules) -> Bool {
        let mark = unit(digitsEnd(from: start))
        guard mark == 0x2F || mark == 0x2D, !unit(start - 1).isLetterOrDigit, unit(start - 1) != mark else {
            return false
        }
        var parts: [Int] = []
        var index = start
        while parts.count < 6 {
            let end = digitsEnd(from: index)
            // “9/11/01” is a date.
            guard (1...3).contains(end - index), end == index + 1 || !has("0", at: index),
                let part = Int(text(index..<end))
            else { return false }
            parts.append(part)
            index = end
            guard unit(end) == mark, unit(end + 1).isDigit else { break }
            index += 1
        }
        let numerals = rules.numerals
        let next = unit(index).isBlank || has("-", at: index) ? index + 1 : index
        // “la règle des 10/10/10”, but “les règles du 10/11/12”
        let before = previousWord(before: start)
        let name = before == "de" || before == "des" ? wordBeforeName : before
        // “Since 1/2/24 rules apply.”
        guard mark != 0x2F || parts.count != 3 || !Self.datesFollow.contains(before) else { return false }
        let isNamed =
            next > index && numerals.numbersOfRulesPrecede.contains(word(at: next))
            || numerals.numbersOfRulesFollow.contains(name) && !unit(index).isLetterOrDigit
        guard isNamed, parts.count > 2 || parts.count == 2 && parts[0] + parts[1] == 100 else { return false }
        say(parts.map { numerals.cardinal($0, nil) }.joined(separator: " "), for: start..<index)
        lastNumberEnd = index
        return true
    }

    /// Words before dates rather than before the names of rules, in every language.
    private static let datesFollow: Set<String> = [
        "ab", "after", "am", "before", "bis", "by", "dated", "desde", "from", "hasta", "on", "seit", "since", "till",
        "until", "vom",
    ]
}
