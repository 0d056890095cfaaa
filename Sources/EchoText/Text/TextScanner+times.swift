extension TextScanner {
    /// A time of day: “14:30”, “3:05 pm”, “9am”, “kell 14.30”.
    mutating func timeOfDay(_ start: Int, _ rules: LanguageRules) -> Bool {
        if timeOfRace(start, rules) || hundredHours(start, rules) || hundredAlone(start, rules)
            || timeWithEnding(start, rules)
            || spacedTime(start, rules) || hourInCapitals(start, rules)
        {
            return true
        }
        let hourEnd = digitsEnd(from: start)
        // “verlor 20:18”, “mit 21:19 Punkten”, but “spielte 20:15 Uhr”
        let isScore =
            has(":", at: hourEnd) && hourEnd > start + 1 && !has("0", at: hourEnd + 1)
            && (Self.scoresFollow[rules.code]?.contains(previousWord(before: start)) == true
                || previousWord(before: start) == "mit" && nextWord(from: digitsEnd(from: hourEnd + 1)) == "punkten")
        if isScore, !rules.times.repeatedWords.contains(nextWord(from: digitsEnd(from: hourEnd + 1))) { return false }
        if has(":", at: hourEnd), isProportion(at: start) { return false }
        guard hourEnd - start <= 2, let hour = Int(text(start..<hourEnd)), hour <= 24 else { return false }
        let mark = unit(hourEnd)
        let minuteEnd = digitsEnd(from: hourEnd + 1)
        // “18h30”, “18H30”
        let isLettered = rules.times.hourLetter.map { UInt16(ascii: $0) == mark | 0x20 } ?? false
        guard mark == 0x3A || mark == 0x2E || isLettered, minuteEnd - hourEnd == 3,
            let minute = Int(text(hourEnd + 1..<minuteEnd)), minute < 60
        else { return wholeHour(hour, start..<hourEnd, rules) }
        guard hour < 24 || minute == 0, mark != 0x3A || !isVerseOfBook(at: start, rules) else { return false }
        let isDateTime = has("T", at: start - 1) && lastDateEnd == start
        guard
            !unit(minuteEnd).isLetter || half(at: minuteEnd, rules) != nil
                || rules.times.repeatedWords.contains(word(at: minuteEnd)) || isDateTime && has("Z", at: minuteEnd)
        else { return false }
        guard mark == 0x3A || isLettered || isDottedTime(start, minuteEnd, rules) else { return false }
        let (second, wholeEnd) = mark == 0x3A ? seconds(at: minuteEnd) : (nil, minuteEnd)
        // “14:30:00.000Z”
        let hasParts = isDateTime && second != nil && has(".", at: wholeEnd) && unit(wholeEnd + 1).isDigit
        let end = hasParts ? digitsEnd(from: wholeEnd + 1) : wholeEnd
        guard !has(".", at: end) || !unit(end + 1).isDigit, !has(":", at: end) || !unit(end + 1).isDigit else {
            return false
        }
        let half = half(at: end, rules)
        guard var words = rules.times.time(hour, minute, half != nil) else { return false }
        if minute == 0, isBeforeHalfOfSpanish(end, rules) { words = rules.numerals.cardinal(hour, .feminine) }
        if let second { words += " " + rules.times.seconds(second) }
        let repeated = skipBlanks(from: end)
        let isRepeated = rules.times.repeatedWords.contains(word(at: repeated))
        say(words, for: start..<(isRepeated ? wordEnd(from: repeated) : end))
        lastNumberEnd = position
        if let half { say(half) }
        if isDateTime {
            zone(rules)
        } else {
            rangeToTime(rules)
        }
        return true
    }

    /// A French time of day with spaces around its letter, of which engines would say the zero or spell the letter:
    /// “19 h 05”, “20 h 00”, “18 H 30”.
    private mutating func spacedTime(_ start: Int, _ rules: LanguageRules) -> Bool {
        let hourEnd = digitsEnd(from: start)
        let letter = skipBlanks(from: hourEnd)
        let minutes = skipBlanks(from: letter + 1)
        let end = digitsEnd(from: minutes)
        guard rules.code == "fr", (1...2).contains(hourEnd - start), letter > hourEnd, minutes > letter + 1,
            end == minutes + 2, has("h", at: letter) && has("0", at: minutes) || has("H", at: letter),
            let hour = Int(text(start..<hourEnd)),
            hour < 24, let minute = Int(text(minutes..<end)), minute < 60
        else { return false }
        // “2 h 05 min”, “2 h 05,5”, and digits of something else
        let isContinued = (has(",", at: end) || has(".", at: end)) && unit(end + 1).isDigit
        guard !isContinued, !unit(end).isLetterOrDigit, !unit(skipBlanks(from: end)).isDigit,
            !["min", "minute", "minutes", "mn", "s"].contains(nextWord(from: end)),
            let words = rules.times.time(hour, minute, false)
        else { return false }
        say(words, for: start..<end)
        lastNumberEnd = position
        rangeToTime(rules)
        return true
    }

    /// A French hour in capitals, whose letter engines spell: “DE 9H À 18 H”, but not “BUS 18 H”.
    private mutating func hourInCapitals(_ start: Int, _ rules: LanguageRules) -> Bool {
        let hourEnd = digitsEnd(from: start)
        let letter = skipBlanks(from: hourEnd, atMost: 1)
        guard rules.code == "fr", (1...2).contains(hourEnd - start), has("H", at: letter),
            !unit(letter + 1).isLetterOrDigit,
            !unit(skipBlanks(from: letter + 1)).isDigit, let hour = Int(text(start..<hourEnd)), hour <= 24,
            Self.wordsBeforeHours.contains(previousWord(before: start))
        else { return false }
        pass(number: start..<hourEnd)
        say(hour < 2 ? " heure" : " heures", for: hourEnd..<letter + 1)
        return true
    }

    private static let wordsBeforeHours: Set<String> = [
        "après", "avant", "dès", "de", "entre", "jusqu'à", "jusqu’à", "vers", "à",
    ]

    /// An Estonian time of day with an ending: “kella 9st 11.30ni”, “15.30-le”.
    private mutating func timeWithEnding(_ start: Int, _ rules: LanguageRules) -> Bool {
        let hourEnd = digitsEnd(from: start)
        let minuteEnd = digitsEnd(from: hourEnd + 1)
        guard rules.code == "et", (1...2).contains(hourEnd - start), has(".", at: hourEnd) || has(":", at: hourEnd),
            minuteEnd == hourEnd + 3, let hour = Int(text(start..<hourEnd)), hour < 24,
            let minute = Int(text(hourEnd + 1..<minuteEnd)), minute < 60
        else { return false }
        let letters = has("-", at: minuteEnd) ? minuteEnd + 1 : minuteEnd
        let ending = letters..<max(letters, wordEnd(from: letters))
        // “12.05ni” may be a day.
        let before = previousWord(before: start)
        let isPlaced = has(":", at: hourEnd) || before == "st" || rules.times.dottedTimesFollow.contains(before)
        guard isPlaced, ["ks", "l", "le", "lt", "ni", "st"].contains(lowercased(ending)) else { return false }
        say(EstonianNumbers.time(hour, minute, ending: lowercased(ending)), for: start..<ending.upperBound)
        noteWord(ending)
        lastNumberEnd = position
        return true
    }

    /// Whether the half of the day follows in Spanish, where no “horas” is said.
    private func isBeforeHalfOfSpanish(_ end: Int, _ rules: LanguageRules) -> Bool {
        let next = skipBlanks(from: end)
        let letter = word(at: next)
        guard rules.code == "es" else { return false }
        return ["am", "pm"].contains(letter)
            || ["a", "p"].contains(letter) && has(".", at: next + 1) && nextWord(from: next + 2) == "m"
    }

    /// The zone behind a date and a time: “Z”, “+02:00”.
    private mutating func zone(_ rules: LanguageRules) {
        if has("Z", at: position), !unit(position + 1).isLetterOrDigit {
            say("UTC", for: position..<position + 1)
        } else {
            _ = offset(unit(position), at: position, rules)
        }
    }

    /// Estonian minutes and seconds of a race: “ajaga 41.20”.
    private mutating func timeOfRace(_ start: Int, _ rules: LanguageRules) -> Bool {
        let stop = digitsEnd(from: start)
        let end = digitsEnd(from: stop + 1)
        guard rules.code == "et", previousWord(before: start) == "ajaga", (1...2).contains(stop - start),
            has(".", at: stop), end == stop + 3, !unit(end).isLetterOrDigit,
            !has(",", at: end) || !unit(end + 1).isDigit, !has(".", at: end) || !unit(end + 1).isDigit,
            let seconds = Int(text(stop + 1..<end)), seconds < 60
        else { return false }
        pass(number: start..<stop)
        say(" ", for: stop..<stop + 1)
        pass(number: stop + 1..<end)
        return true
    }

    /// A time of day without a mark: “0700 hours”, “at 1430 hours”, “at 0530 hrs”.
    private mutating func hundredHours(_ start: Int, _ rules: LanguageRules) -> Bool {
        let end = digitsEnd(from: start)
        guard rules.code == "en", end - start == 4, unit(end).isBlank,
            ["hours", "hrs"].contains(nextWord(from: end)),
            !unit(start - 1).isLetterOrDigit, !unit(start - 1).isDash,
            let hour = Int(text(start..<start + 2)), hour < 24, let minute = Int(text(start + 2..<end)), minute < 60,
            has("0", at: start) || isClock(start, end)
        else { return false }
        let cardinal = rules.numerals.cardinal
        let minutes = minute == 0 ? "hundred" : minute < 10 ? "oh \(cardinal(minute, nil))" : cardinal(minute, nil)
        // “0530 hrs”
        let word = skipBlanks(from: end)..<wordEnd(from: skipBlanks(from: end))
        let isShort = word.count == 3
        let stop = isShort && has(".", at: word.upperBound) && !isSentenceEnd(word.upperBound + 1) ? 1 : 0
        let spoken = "\(hour < 10 ? "zero " : "")\(cardinal(hour, nil)) \(minutes)"
        say(isShort ? spoken + " hours" : spoken, for: start..<(isShort ? word.upperBound + stop : end))
        if isShort { noteWord(word) }
        lastNumberEnd = isShort ? start : end
        return true
    }

    /// An early hour in four digits without a word for it: “at 0900 on D-Day”, “by 0630.”.
    ///
    /// Permissions of files (“at 0644”, “at 0755”) and offsets (“at 0040”) are none.
    private mutating func hundredAlone(_ start: Int, _ rules: LanguageRules) -> Bool {
        let end = digitsEnd(from: start)
        guard rules.code == "en", end - start == 4, has("0", at: start), unit(start - 1).isBlank,
            Self.clockWords.contains(previousWord(before: start)), !unit(end).isLetterOrDigit, !unit(end).isDash,
            let hour = Int(text(start..<start + 2)), let minute = Int(text(start + 2..<end)), minute < 60,
            hour > 0, minute.isMultiple(of: 5), !(hour == 7 && [50, 55].contains(minute))
        else { return false }
        let isPlaced = Self.wordsBehindHours.contains(nextWord(from: end)) || countsNothing(before: end, rules)
        // “At 0100 the address”
        let article = skipBlanks(from: end)
        let isOffset =
            word(at: article) == "the" && Self.wordsOfMemory.contains(nextWord(from: wordEnd(from: article)))
        guard isPlaced, !isOffset else { return false }
        let cardinal = rules.numerals.cardinal
        let minutes = minute == 0 ? "hundred" : minute < 10 ? "oh \(cardinal(minute, nil))" : cardinal(minute, nil)
        say("zero \(cardinal(hour, nil)) \(minutes)", for: start..<end)
        lastNumberEnd = position
        return true
    }

    private static let wordsOfMemory: Set<String> = [
        "address", "bit", "bits", "buffer", "byte", "bytes", "header", "instruction", "memory", "pointer", "register",
        "stack", "vector",
    ]

    private static let wordsBehindHours: Set<String> = ["and", "local", "on", "sharp", "the", "we", "when"]

    /// Whether four digits before “hours” are a time, unlike “rose by 2000 hours” and “at 1500 hours of work”.
    private func isClock(_ start: Int, _ end: Int) -> Bool {
        let before = previousWord(before: start)
        let behind = nextWord(from: wordEnd(from: skipBlanks(from: end)))
        return Self.clockWords.contains(before) && !Self.wordsBehindCounts.contains(behind)
            && (before != "by" || text(start + 1..<end) != "000")
    }

    private static let clockWords: Set<String> = ["at", "by", "till", "until"]
    private static let wordsBehindCounts: Set<String> = ["a", "each", "every", "of", "per"]

    /// “9am”, and hours before a dash and another time.
    private mutating func wholeHour(_ hour: Int, _ digits: Range<Int>, _ rules: LanguageRules) -> Bool {
        guard (1...12).contains(hour), let half = half(at: digits.upperBound, rules) else { return false }
        pass(number: digits)
        say(half)
        rangeToTime(rules)
        return true
    }

    private func seconds(at index: Int) -> (Int?, Int) {
        let end = digitsEnd(from: index + 1)
        guard has(":", at: index), end - index == 3, let value = Int(text(index + 1..<end)), value < 60 else {
            return (nil, index)
        }
        return (value, end)
    }

    private func isDottedTime(_ start: Int, _ end: Int, _ rules: LanguageRules) -> Bool {
        guard !has(".", at: end) || !unit(end + 1).isDigit else { return false }
        let before = previousWord(before: start)
        let after = nextWord(from: end)
        if rules.code == "en", isClockOfEvent(before, start, end) || isTrain(before, start, end) { return true }
        // “Kell on 7.05.”, but “See kell on 7.05 eurot.”
        let isHour =
            before == "on" && wordBeforeName == "kell" && !after.hasPrefix("euro")
            && unit(skipBlanks(from: end)) != 0x20AC
        if rules.times.dottedTimesFollow.contains(before) || isHour { return true }
        if rules.code == "et", isTimeOfTable(start, end, rules) { return true }
        // “kell 10–11.30”
        if unit(start - 1).isDash, unit(start - 2).isDigit {
            let hour = unit(start - 3).isDigit ? start - 3 : start - 2
            let isBehindHour = lastWord.upperBound == hour - 1 && unit(hour - 1).isBlank
            if isBehindHour, rules.times.dottedTimesFollow.contains(lowercased(lastWord)) { return true }
        }
        if unit(start - 1).isDash, !output.isEmpty, lastNumberWasTime, output.last?.range.upperBound == start {
            return true
        }
        // “kell 7.05 ja 8.15”
        let isJoined = Self.joints.contains(previousWord(before: start)) && lastTimeEnd == lastWord.lowerBound - 1
        if isJoined, lastTimeEnd > 0, !rules.times.dottedTimesFollow.isEmpty { return true }
        // “Die Fahrt dauert 2.30 h.”
        if after == "h", Self.wordsOfDurations.contains(abbreviatedWord(before: start)) { return false }
        return rules.times.dottedTimesPrecede.contains(after) || half(at: end, rules) != nil
            || beginsDottedTimes(end, rules) || beginsListOfTimes(before, end, rules)
    }

    /// Whether English digits behind “the” name a train by its time: “caught the 8.15”, “the 8.15 from Reading”.
    ///
    /// “paid for the 8.15” and “the 2.50 from” have none.
    private func isTrain(_ before: String, _ start: Int, _ end: Int) -> Bool {
        guard before == "the" else { return false }
        let after = nextWord(from: end)
        if Self.vehicles.contains(after) { return true }
        let governor = wordBeforeName
        let isCaught =
            Self.verbsOfTrains.contains(governor)
            || ["by", "for", "on"].contains(governor)
                && clause(before: start).contains { Self.vehicles.contains($0) || Self.wordsOfTravel.contains($0) }
        let isAtEnd = unit(end).isSpace && isSentenceEnd(end) || Self.endsClause(unit(end))
        let isRoute = after == "from" || after == "to"
        return isRoute && isName(at: wordEnd(from: skipBlanks(from: end))) || isCaught && isAtEnd
    }

    private static let vehicles: Set<String> = ["bus", "coach", "express", "ferry", "sleeper", "train", "tram"]

    private static let verbsOfTrains: Set<String> = [
        "catch", "catches", "catching", "caught", "miss", "missed", "missing",
    ]

    private static let wordsOfTravel: Set<String> = [
        "arrived", "change", "changed", "came", "go", "hurried", "leave", "left", "platform", "ran", "run", "running",
        "rushed", "station", "travel", "traveled", "travelled", "waited", "went",
    ]

    /// Whether the first of several German times of day ends here, of which only the last has the word.
    ///
    /// “6.12, 6.42 u. 7.12 Uhr” has some; “am 5.10 und 8.30 Uhr” may be a day.
    private func beginsListOfTimes(_ before: String, _ end: Int, _ rules: LanguageRules) -> Bool {
        guard rules.code == "de", !["am", "bis", "den", "vom", "zum"].contains(before),
            !rules.numerals.numbersFollow.contains(before)
        else { return false }
        var index = end
        for _ in 0..<8 {
            let isListed = has(",", at: index)
            let joint = skipBlanks(from: isListed ? index + 1 : index)
            let jointEnd = isListed ? joint : wordEnd(from: joint)
            guard isListed || ["oder", "u", "und"].contains(word(at: joint)) else { return false }
            let hour = isListed ? joint : skipBlanks(from: has(".", at: jointEnd) ? jointEnd + 1 : jointEnd)
            let hourEnd = digitsEnd(from: hour)
            guard (1...2).contains(hourEnd - hour), has(".", at: hourEnd), digitsEnd(from: hourEnd + 1) == hourEnd + 3
            else { return false }
            index = hourEnd + 3
            if rules.times.dottedTimesPrecede.contains(nextWord(from: index)) { return !isListed }
        }
        return false
    }

    /// Whether English digits with a full stop that end at `end` are a time of day, as a word for coming and going shows.
    ///
    /// “They left at 23.10.” has one, “It closed at 23.10.”, “Rates were left at 5.25.” and “We met at 2.50 km” have none.
    private func isClockOfEvent(_ before: String, _ start: Int, _ end: Int) -> Bool {
        guard Self.clockWords.contains(before), Self.eventsBeforeClocks.contains(wordBeforeName) else { return false }
        let stop = wordBeforeLast.lowerBound - 1
        if stop > 0 {
            var first = stop
            while stop - first < 6, unit(first - 1).isLetter { first -= 1 }
            guard !Self.passivesBeforeEvents.contains(lowercased(first..<stop)) else { return false }
        }
        let words = text(max(0, start - 80)..<start).lowercased()
        let clause = words.split(whereSeparator: { ".!?;\n".contains($0) }).last ?? ""
        guard !clause.split(separator: " ").contains(where: { Self.thingsWithValues.contains(String($0)) }) else {
            return false
        }
        let isAtEnd = unit(end).isSpace && isSentenceEnd(end) || Self.endsClause(unit(end))
        let after = nextWord(from: end)
        // “the bus at 2.50 and up”
        let isAmount =
            after == "and" && Self.wordsOfMore.contains(nextWord(from: wordEnd(from: skipBlanks(from: end))))
        return isAtEnd || Self.wordsBehindClocks.contains(after) && !isAmount
    }

    /// Things of money, of markets and of mathematics, which meet, leave and arrive at values.
    private static let thingsWithValues: Set<String> = [
        "axis", "bond", "bonds", "crude", "curve", "curves", "diesel", "dollar", "euro", "fare", "fares", "fuel", "gas",
        "gold", "graph", "graphs", "index", "lines", "odds", "oil", "petrol", "pound", "price", "prices", "rate",
        "rates", "share", "shares", "stock", "stocks", "ticket", "tickets", "value", "values", "yen", "yield", "yields",
    ]

    private static let wordsOfMore: Set<String> = ["above", "below", "down", "less", "more", "over", "under", "up"]

    private static let eventsBeforeClocks: Set<String> = [
        "arrived", "arrives", "breakfast", "bus", "depart", "departed", "departs", "dinner", "ferry", "leave", "leaves",
        "leaving", "left", "lunch", "meet", "meeting", "met", "supper", "tomorrow", "tonight", "train", "woke",
    ]

    private static let passivesBeforeEvents: Set<String> = ["are", "be", "been", "being", "is", "was", "were"]

    private static let wordsBehindClocks: Set<String> = [
        "and", "but", "from", "in", "on", "outside", "sharp", "today", "tomorrow", "tonight", "when", "with",
    ]

    /// Whether Estonian digits with a full stop are a time of day, as timetables, programs and opening hours have it.
    ///
    /// “E–R 7.12, 9.40”, “väljub 7.35” and “vastuvõtt 9.00–12.30” have some.
    private func isTimeOfTable(_ start: Int, _ end: Int, _ rules: LanguageRules) -> Bool {
        let before = previousWord(before: start)
        guard !isAmount(behind: end, rules) else { return false }
        // “R 19.00”
        let isBehindDay =
            lastWord.count == 1 && !before.isEmpty && output.last?.range.upperBound == lastWord.upperBound
            && unit(lastWord.lowerBound).isUppercase && rules.dates.days[before] != nil
        // “7.12, 9.40”
        let isListed = lastTimeEnd > 0 && lastTimeEnd == start - 2 && has(",", at: start - 2)
        // “9.00 – 12.30”
        let isSecond =
            lastTimeEnd > 0 && lastTimeEnd == start - 3 && unit(start - 1).isBlank && unit(start - 2).isDash
            && output.last?.range.upperBound == start - 1
        if isBehindDay || isListed || isSecond { return true }
        // “väljub 7.35”, but “algab 7.12”, which may be a day
        let minute = Int(text(end - 2..<end)) ?? 0
        if Self.wordsBeforeClocks.contains(before), minute == 0 || minute > 12 { return true }
        return isSpanOfClocks(start, end, rules)
    }

    /// Estonian words before times of day, the names of channels among them.
    private static let wordsBeforeClocks: Set<String> = [
        "algab", "algas", "algus", "algusega", "avatud", "etv", "etv2", "kordus", "lõpeb", "lõppes", "saabub",
        "saabus", "seanss", "tv3", "tv6", "väljub", "väljus",
    ]

    /// Whether two round times begin here with a dash between, and no numbers of parts: “9.00–12.30”, but “punktid 1.10–1.15”.
    private func isSpanOfClocks(_ start: Int, _ end: Int, _ rules: LanguageRules) -> Bool {
        let dash = skipBlanks(from: end)
        let second = skipBlanks(from: dash + 1)
        let stop = digitsEnd(from: second)
        let last = stop + 3
        let before = previousWord(before: start)
        guard unit(dash).isDash, (second > dash + 1) == (dash > end), (1...2).contains(stop - second),
            has(".", at: stop), digitsEnd(from: stop + 1) == last, !unit(last).isLetterOrDigit,
            !has(".", at: last) || !unit(last + 1).isDigit, !isAmount(behind: last, rules),
            !rules.numerals.numbersFollow.contains(before), !isNumberedPart(before),
            !isBehindSectionSign(start), let first = Double(text(start..<end)), let other = Double(text(second..<last)),
            first < other, other <= 24
        else { return false }
        return [end, last].allSatisfy { ["00", "15", "30", "45"].contains(text($0 - 2..<$0)) }
    }

    /// The beginnings of Estonian words for what has numbers with full stops.
    private static let numberedParts = ["jaoti", "jooni", "lõi", "peatük", "punkt", "tabel", "versioon", "ülesan"]

    func isNumberedPart(_ word: String) -> Bool { Self.numberedParts.contains { word.hasPrefix($0) } }

    /// Whether the Estonian digits that end here count money or a measure.
    func isAmount(behind end: Int, _ rules: LanguageRules) -> Bool {
        let sign = unit(skipBlanks(from: end))
        let word = nextWord(from: end)
        return sign == 0x20AC || sign == 0x25 || Self.amounts.contains { word.hasPrefix($0) }
            || unitAfter(WrittenNumber(plain: end - 1..<end, "2"), rules) != nil
    }

    private static let amounts = ["dollar", "euro", "kraad", "kroon", "protsen", "senti"]

    /// German words before lengths of time.
    private static let wordsOfDurations: Set<String> = [
        "arbeitet", "arbeitete", "brauchte", "braucht", "dauer", "dauert", "dauerte", "fahrtdauer", "fahrzeit",
        "flugzeit", "gehzeit", "hält", "insgesamt", "lief", "läuft", "nur", "schlief", "wartet", "wartete",
    ]

    /// Whether what ends here is the first of two times of which only the second has the word: “8.30–12.00 Uhr”, “0.00 bis 2 Uhr”.
    private func beginsDottedTimes(_ end: Int, _ rules: LanguageRules) -> Bool {
        guard !rules.times.dottedTimesPrecede.isEmpty else { return false }
        let joint = skipBlanks(from: end)
        let jointEnd = unit(joint).isDash ? joint + 1 : wordEnd(from: joint)
        guard unit(joint).isDash || word(at: joint) == rules.signs.to else { return false }
        let hour = skipBlanks(from: jointEnd)
        let hourEnd = digitsEnd(from: hour)
        guard (1...2).contains(hourEnd - hour) else { return false }
        let minuteEnd = has(".", at: hourEnd) ? digitsEnd(from: hourEnd + 1) : hourEnd
        guard minuteEnd == hourEnd || minuteEnd - hourEnd == 3 else { return false }
        return rules.times.dottedTimesPrecede.contains(nextWord(from: minuteEnd))
    }

    /// The hours by which a time zone differs, which are no time of day: “UTC+01:00”.
    mutating func zoneOffset(_ sign: UInt16, at start: Int, _ rules: LanguageRules) -> Bool {
        guard lastWord.upperBound == start, ["utc", "gmt"].contains(lowercased(lastWord)) else { return false }
        return offset(sign, at: start, rules)
    }

    private mutating func offset(_ sign: UInt16, at start: Int, _ rules: LanguageRules) -> Bool {
        guard sign == 0x2B || sign.isDash else { return false }
        let hourEnd = digitsEnd(from: start + 1)
        guard (2...3).contains(hourEnd - start), let hour = Int(text(start + 1..<hourEnd)), hour <= 14 else {
            return false
        }
        let numerals = rules.numerals
        var words = [sign == 0x2B ? rules.signs.plus : rules.signs.minus, numerals.cardinal(hour, nil)]
        var end = hourEnd
        if has(":", at: hourEnd), digitsEnd(from: hourEnd + 1) == hourEnd + 3,
            let minute = Int(text(hourEnd + 1..<hourEnd + 3))
        {
            if minute > 0 { words.append(numerals.cardinal(minute, nil)) }
            end = hourEnd + 3
        }
        guard !unit(end).isLetterOrDigit else { return false }
        say(words.joined(separator: " "), for: start..<end)
        lastNumberEnd = end
        return true
    }

    private func half(at index: Int, _ rules: LanguageRules) -> (range: Range<Int>, words: String)? {
        guard !rules.times.halves.isEmpty else { return nil }
        let start = skipBlanks(from: index)
        var end = wordEnd(from: start)
        guard unit(start).isLetter, end - start <= 2 else { return nil }
        if end - start == 1, has(".", at: end), unit(end + 1) | 0x20 == UInt16(ascii: "m"),
            !unit(end + 2).isLetterOrDigit
        {
            guard let words = rules.times.halves[lowercased(start..<end) + "m"] else { return nil }
            let hasStop = has(".", at: end + 2)
            end += hasStop ? 3 : 2
            return (start..<(hasStop && isSentenceEnd(end) ? end - 1 : end), words)
        }
        // “departs at 6:05a”
        if end - start == 1, start == index, rules.code == "en", has(":", at: index - 3) {
            return rules.times.halves[lowercased(start..<end) + "m"].map { (start..<end, $0) }
        }
        return rules.times.halves[lowercased(start..<end)].map { (start..<end, $0) }
    }

    private mutating func say(_ half: (range: Range<Int>, words: String)) {
        say(half.words, for: half.range)
        noteWord(half.range)
    }

    /// The minute of a game in brackets behind a player: “Borja (89')”, “Pedri (23', 67')”.
    mutating func minuteOfGame(_ number: WrittenNumber, _ rules: LanguageRules) -> Bool {
        let (start, mark) = (number.range.lowerBound, number.range.upperBound)
        let isFirst =
            has("(", at: start - 1) && lastWord.upperBound == start - 2 && unit(lastWord.lowerBound).isUppercase
        let isNext =
            has(",", at: start - 2) && isPrime(start - 3) && output.last?.range.upperBound == start - 2
            && lastNumberEnd == start - 2
        guard rules.code == "es" || rules.code == "fr", number.isPlainInteger, let minute = number.whole,
            (1...120).contains(minute), isPrime(mark), has(")", at: mark + 1) || has(",", at: mark + 1),
            isFirst || isNext
        else { return false }
        let ordinal = rules.numerals.ordinal(minute, Numerals.Place(after: "minute"))
        say(rules.code == "es" ? "minuto \(number.digits)" : ordinal + " minute", forNumber: start..<mark + 1)
        return true
    }

    /// Says the dash between two times.
    private mutating func rangeToTime(_ rules: LanguageRules) {
        lastNumberWasTime = true
        lastTimeEnd = position
        let dash = skipBlanks(from: position)
        guard unit(dash).isDash else { return }
        let next = skipBlanks(from: dash + 1)
        // “6am–midnight”
        let isTime = unit(next).isDigit || rules.code == "en" && ["midnight", "noon"].contains(word(at: next))
        guard isTime, (next == dash + 1) == (dash == position) else { return }
        say(rules.signs.to, for: dash..<dash + 1)
    }
}
