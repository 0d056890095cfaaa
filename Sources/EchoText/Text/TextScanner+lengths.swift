/// Lengths of time that are written as times of day are: “a marathon in 2:00:35”, “a mile in 3:43.13”, “45:30 min”.
extension TextScanner {
    /// Whether Estonian “pärast” follows and belongs to the measure before it: “5 min pärast algab”.
    ///
    /// “Jooksis 5 km pärast tööd” and “2 km pärast Tartut” have it before a noun in the partitive.
    func isBeforeAfter(_ end: Int) -> Bool {
        guard nextWord(from: end) == "pärast" else { return false }
        let behind = wordEnd(from: skipBlanks(from: end))
        let next = nextWord(from: behind)
        let isGoal = isName(at: behind) && ["kke", "le", "sse"].contains(where: next.hasSuffix)
        return next.isEmpty && !unit(skipBlanks(from: behind)).isDigit || isGoal
            || EstonianNumbers.wordsBehindPartitives.contains(next)
            || ["b", "s", "sid", "takse", "vad"].contains { next.hasSuffix($0) }
    }

    /// Hours, minutes and seconds, of which the first or the last may be missing.
    private struct Length {
        /// The numbers between the colons, and the digits behind the decimal mark of the last.
        var parts: [Int]
        var fraction: String
        var range: Range<Int>
    }

    mutating func duration(_ start: Int, _ rules: LanguageRules) -> Bool {
        guard let length = length(at: start, rules) else { return false }
        let names = rules.times.lengths
        let noun = skipBlanks(from: length.range.upperBound)
        let next = word(at: noun)
        let isShort = length.parts.count == 2
        let isOfHours = names.hours.contains(next) && !(isShort && isMilitary(length, rules))
        let isNamed = isOfHours || isShort && names.minutes.contains(next)
        guard isNamed || (isShort ? isLap(length, rules) : isLength(length, before: next, rules)) else { return false }
        let isFromHours = length.parts.count == 3 || isOfHours
        guard let words = words(for: length, isFromHours: isFromHours, rules) else { return false }
        var end = isNamed ? wordEnd(from: noun) : length.range.upperBound
        // “45:30 min. lang”
        if isNamed, has(".", at: end), unit(end + 1).isBlank, unit(end + 2).isLowercase { end += 1 }
        say(words, for: start..<end)
        lastNumberEnd = end
        lastDurationEnd = end
        if unit(end).isDash, let other = self.length(at: end + 1, rules), other.parts.count == length.parts.count {
            say(rules.signs.to, for: end..<end + 1)
            lastDurationEnd = end + 1
        }
        return true
    }

    /// Two or three numbers with colons between, of which all but the first have two digits and are below sixty.
    private func length(at start: Int, _ rules: LanguageRules) -> Length? {
        let before = unit(start - 1)
        guard !before.isLetterOrDigit, before != 0x3A, before != 0x2E, before != 0x2C else { return nil }
        var parts: [Int] = []
        var index = start
        while parts.count < 3 {
            let end = digitsEnd(from: index)
            guard parts.isEmpty ? (1...3).contains(end - index) : end == index + 2,
                let part = Int(text(index..<end)), parts.isEmpty || part < 60
            else { return nil }
            parts.append(part)
            index = end
            guard parts.count < 3, has(":", at: end), unit(end + 1).isDigit else { break }
            index += 1
        }
        var fraction = ""
        if has(".", at: index) || unit(index) == UInt16(ascii: rules.numerals.decimalMark) {
            let end = digitsEnd(from: index + 1)
            fraction = text(index + 1..<end)
            // “1:25.000” is the scale of a map.
            let isOfGroup = unit(index) != UInt16(ascii: rules.numerals.decimalMark)
            if isOfGroup, fraction.utf8.count == 3, fraction.hasSuffix("00") { return nil }
            if !fraction.isEmpty { index = end }
        }
        guard parts.count > 1, fraction.utf8.count <= 3, !unit(index).isLetterOrDigit,
            !has(":", at: index) || !unit(index + 1).isLetterOrDigit
        else { return nil }
        return Length(parts: parts, fraction: fraction, range: start..<index)
    }

    /// Whether English says an hour of the day so: “at 14:30 hours”.
    private func isMilitary(_ length: Length, _ rules: LanguageRules) -> Bool {
        guard rules.code == "en" else { return false }
        let names = rules.times.lengths
        let start = length.range.lowerBound
        let before = previousWord(before: start)
        if names.clocksFollow.contains(before) { return true }
        return digitsEnd(from: start) == start + 2 && length.parts[0] <= 24 && !names.lengthsFollow.contains(before)
    }

    /// Whether two numbers are minutes and seconds: those of a race have decimals, and verses have none.
    private func isLap(_ length: Length, _ rules: LanguageRules) -> Bool {
        let start = length.range.lowerBound
        guard !length.fraction.isEmpty, length.parts[0] < 60, !isRatio(at: start) else { return false }
        if rules.times.lengths.lengthsFollow.contains(previousWord(before: start)) { return true }
        // “Johannes 3:16,18” has two verses.
        let isBehindName = !wordOrAbbreviation(before: start).isEmpty && unit(lastWord.lowerBound).isUppercase
        return !isBehindName && !isVerseOfBook(at: start, rules) && !isVerse(at: start, rules)
    }

    /// Whether it is joined to a time of day: “from 9:15:00 to 9:20:00”, “de 8:05:10 à 9:10:20”.
    private func isJoinedToTime(_ length: Length, before next: String, _ rules: LanguageRules) -> Bool {
        let before = previousWord(before: length.range.lowerBound)
        let isSecond = Self.joints.contains(before) || before == rules.signs.to
        if isSecond, lastTimeEnd > 0, lastTimeEnd == lastWord.lowerBound - 1 { return true }
        // “un temps de 2:00:35 à Paris” has no second.
        let joint = wordEnd(from: skipBlanks(from: length.range.upperBound))
        return ["de", "von"].contains(before) && next == rules.signs.to && unit(skipBlanks(from: joint)).isDigit
    }

    /// Whether it is behind words such as “a ratio of”.
    private func isRatio(at start: Int) -> Bool {
        Self.ratiosFollow.contains(previousWord(before: start)) || Self.ratiosFollow.contains(wordBeforeName)
    }

    /// Whether three numbers last and are no time of day.
    ///
    /// A time of day has a word before or behind it, a date before it, or two digits for its hour.
    private func isLength(_ length: Length, before next: String, _ rules: LanguageRules) -> Bool {
        let start = length.range.lowerBound
        let names = rules.times.lengths
        let before = previousWord(before: start)
        // “as of 14:30:00”
        let isClock = names.clocksFollow.contains(before) || before == "of" && wordBeforeName == "as"
        guard !isRatio(at: start), !isClock, !isJoinedToTime(length, before: next, rules),
            !rules.times.dottedTimesFollow.contains(before), next != "uhr"
        else { return false }
        let letter = skipBlanks(from: length.range.upperBound)
        let isHalf =
            !rules.times.halves.isEmpty
            && (["am", "pm"].contains(next) || ["a", "p"].contains(next) && has(".", at: letter + 1))
        let isBehindNumber = lastNumberEnd > 0 && start - lastNumberEnd <= 2 && lastDurationEnd < 0
        guard !isHalf, !isBehindNumber else { return false }
        return digitsEnd(from: start) == start + 1 || length.parts[0] > 24 || lastDurationEnd == start
            || names.lengthsFollow.contains(before)
    }

    private func words(for length: Length, isFromHours: Bool, _ rules: LanguageRules) -> String? {
        let names = rules.times.lengths
        let numerals = rules.numerals
        let nouns = isFromHours ? [names.hour, names.minute, names.second] : [names.minute, names.second]
        var words: [String] = []
        for (index, (part, noun)) in zip(length.parts, nouns).enumerated() {
            let isLast = index == length.parts.count - 1
            let decimals = isLast ? length.fraction : ""
            guard part > 0 || !decimals.isEmpty else { continue }
            let number = WrittenNumber(length.range, whole: String(part), decimals: decimals)
            // “in einer Minute und drei Sekunden”
            let one = oneInCase(number, noun.gender, rules)
            guard let said = one ?? self.words(for: number, numerals, gender: noun.gender) else { return nil }
            words.append("\(said) \(numerals.isOne(number.value) ? noun.one : noun.many)")
        }
        return joined(words, names.joint)
    }

    private func joined(_ words: [String], _ joint: String) -> String? {
        guard let last = words.last else { return nil }
        return words.count == 1 ? last : "\(words.dropLast().joined(separator: ", ")) \(joint) \(last)"
    }

    /// The minutes in “22h 30m”, which are no metres.
    mutating func minutesBehindHours(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        let sign = number.range.upperBound
        let start = number.range.lowerBound
        let hour = unit(start - 1).isBlank ? start - 2 : start - 1
        guard has("m", at: sign), !unit(sign + 1).isLetterOrDigit, number.isPlainInteger, has("h", at: hour),
            unit(hour - 1).isDigit, let noun = rules.units["min"]
        else { return false }
        pass(number: number.range)
        say(rules.numerals.isOne(number.value) ? noun.one : noun.many, for: sign..<sign + 1)
        lastNumberEnd = position
        return true
    }
}

/// French and Spanish times of races with the signs of minutes and seconds: “2h21'34"”, “32'15"”, “9"86”.
extension TextScanner {
    mutating func raceTime(_ start: Int, _ rules: LanguageRules) -> Bool {
        if rules.code == "et" { return estonianRaceTime(start, rules) }
        let before = unit(start - 1)
        guard rules.code == "es" || rules.code == "fr", before.isSpace || before == 0x28, unit(start - 2) != 0xB0
        else { return false }
        let names = rules.times.lengths
        var parts: [(count: Int, noun: CountedNoun)] = []
        var index = start
        var end = digitsEnd(from: index)
        guard end - index <= 3 else { return false }
        if has("h", at: end), unit(end + 1).isDigit, let hours = Int(text(index..<end)) {
            parts.append((hours, names.hour))
            index = end + 1
            end = digitsEnd(from: index)
            guard end == index + 2 else { return false }
        }
        if isPrime(end), unit(end + 1).isDigit, let minutes = Int(text(index..<end)) {
            parts.append((minutes, names.minute))
            index = end + 1
            end = digitsEnd(from: index)
            guard end == index + 2 else { return false }
        } else {
            guard parts.isEmpty else { return false }
        }
        guard let seconds = Int(text(index..<end)), parts.isEmpty || seconds < 60, let mark = endOfSecondMark(at: end)
        else { return false }
        parts.append((seconds, names.second))
        let hundredths = mark..<digitsEnd(from: mark)
        // A mark behind a number alone closes a quotation or stands for inches.
        guard parts.count > 1 || (1...2).contains(hundredths.count), hundredths.count <= 3,
            !unit(hundredths.upperBound).isLetterOrDigit, !has("/", at: hundredths.upperBound),
            endOfSecondMark(at: hundredths.upperBound) == nil
        else { return false }
        // “mesure 5'11"” is a height where feet are known, and “"cuesta 2'50"” ends a quotation.
        let isHeight =
            parts.count == 2 && (4...7).contains(parts[0].count) && (10...11).contains(seconds) && hundredths.isEmpty
            && previousWord(before: start) != "en"
        guard !isHeight, !isQuoted(at: start), var words = self.words(for: parts, joint: names.joint, rules.numerals)
        else { return false }
        if let rest = Int(text(hundredths)) {
            let isSpelled = has("0", at: mark)
            words += " " + (isSpelled ? spelled(text(hundredths), rules.numerals) : rules.numerals.cardinal(rest, nil))
        }
        say(words, for: start..<hundredths.upperBound)
        lastNumberEnd = position
        return true
    }

    /// An Estonian time of a race, which has a full stop behind the minutes and a comma behind the seconds: “3.41,27”.
    private mutating func estonianRaceTime(_ start: Int, _ rules: LanguageRules) -> Bool {
        let stop = digitsEnd(from: start)
        let comma = digitsEnd(from: stop + 1)
        let end = digitsEnd(from: comma + 1)
        let before = unit(start - 1)
        guard (1...2).contains(stop - start), has(".", at: stop), comma == stop + 3, has(",", at: comma),
            (2...4).contains(end - comma), !unit(end).isLetterOrDigit,
            !(has(".", at: end) || has(",", at: end)) || !unit(end + 1).isDigit, !before.isLetterOrDigit,
            before != 0x2C, before != 0x2E, !isBehindSectionSign(start), !isNumberedPart(previousWord(before: start)),
            let minutes = Int(text(start..<stop)), let seconds = Int(text(stop + 1..<comma)),
            seconds < 60, let parts = Int(text(comma + 1..<end))
        else { return false }
        let names = rules.times.lengths
        let numerals = rules.numerals
        // “05,045” has a zero that is heard.
        let zeros = text(comma + 1..<end - 1).prefix { $0 == "0" }.count
        let zero = String(repeating: numerals.cardinal(0, nil) + " ", count: zeros)
        let words = [
            numerals.cardinal(minutes, nil), minutes == 1 ? names.minute.one : names.minute.many,
            numerals.cardinal(seconds, nil), rules.signs.point, zero + numerals.cardinal(parts, nil),
            names.second.many,
        ]
        say(words.joined(separator: " "), for: start..<end)
        lastNumberEnd = position
        return true
    }

    private func words(
        for parts: [(count: Int, noun: CountedNoun)],
        joint: String,
        _ numerals: Numerals
    ) -> String? {
        let words = parts.map { count, noun in
            "\(numerals.cardinal(count, noun.gender)) \(numerals.isOne(Double(count)) ? noun.one : noun.many)"
        }
        return joined(words, joint)
    }

    /// The end of a mark of seconds, which may be that of minutes twice; `nil` where none begins.
    private func endOfSecondMark(at index: Int) -> Int? {
        if [0x22, 0x201D, 0x2033].contains(unit(index)) { return index + 1 }
        return isPrime(index) && unit(index + 1) == unit(index) ? index + 2 : nil
    }
}
