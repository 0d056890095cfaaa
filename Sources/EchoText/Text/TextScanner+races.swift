/// French and Spanish times of races with the signs of minutes and seconds: “2h21'34"”, “32'15"”, “9"86”.
extension TextScanner {
    mutating func raceTime(_ start: Int, _ rules: LanguageRules) -> Bool {
        let before = unit(start - 1)
        guard rules.code == "es" || rules.code == "fr", before.isSpace || before == 0x28,
            unit(start - 2) != 0xB0, !Self.heightsFollow.contains(previousWord(before: start))
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
        if isMinuteMark(end), unit(end + 1).isDigit, let minutes = Int(text(index..<end)) {
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
        var words = self.words(for: parts, joint: names.joint, rules.numerals)
        if let rest = Int(text(hundredths)) {
            let isSpelled = has("0", at: mark)
            words += " " + (isSpelled ? spelled(text(hundredths), rules.numerals) : rules.numerals.cardinal(rest, nil))
        }
        say(words, for: start..<hundredths.upperBound)
        lastNumberEnd = position
        return true
    }

    /// Spanish words before heights, which some countries write in feet and inches.
    private static let heightsFollow: Set<String> = ["alto", "altura", "estatura", "mide", "medía"]

    private func words(
        for parts: [(count: Int, noun: CountedNoun)],
        joint: String,
        _ numerals: Numerals
    ) -> String {
        var words = parts.map { count, noun in
            "\(numerals.cardinal(count, noun.gender)) \(numerals.isOne(Double(count)) ? noun.one : noun.many)"
        }
        let last = words.removeLast()
        return words.isEmpty ? last : "\(words.joined(separator: ", ")) \(joint) \(last)"
    }

    private func isMinuteMark(_ index: Int) -> Bool { [0x27, 0x2019, 0x2032].contains(unit(index)) }

    /// The end of a mark of seconds, which may be that of minutes twice; `nil` where none begins.
    private func endOfSecondMark(at index: Int) -> Int? {
        if [0x22, 0x201D, 0x2033].contains(unit(index)) { return index + 1 }
        return isMinuteMark(index) && unit(index + 1) == unit(index) ? index + 2 : nil
    }
}
