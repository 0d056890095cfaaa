import CICU

/// Converts lines from visual order, left to right, into reading order.
///
/// It inverts the reordering of Unicode's bidirectional algorithm (UAX #9), with the levels that ICU computes. Some
/// visual orders are ambiguous: a number next to Latin words is assumed to follow them, as in “Windows 10”.
struct ReadingDirection {
    /// Whether the page is right-to-left.
    let isRightToLeft: Bool
    /// Whether brackets are given as displayed, not as meant: “)” opens in right-to-left text.
    var mirrorsBrackets = false

    init(isRightToLeft: Bool) {
        self.isRightToLeft = isRightToLeft
    }

    func logical(_ visual: PrintedLine) -> PrintedLine {
        var count = DirectionCount()
        count.add(visual.text)
        guard count.rightToLeft > 0 else { return visual }
        let scalars = Array(visual.text.unicodeScalars)
        let fromRight = isRightToLeft || count.leftToRight == 0
        var order = Array(scalars.indices)
        if fromRight { order.reverse() }
        let levels = Self.levels(of: order.map { mirrorsBrackets ? scalars[$0].mirrored : scalars[$0] }, fromRight)
        guard levels.count == order.count else { return visual }
        let turned = fromRight ? Self.turnedBack(order, levels) : Self.reordered(order, levels)
        return Self.line(visual, scalars, turned, mirroring: mirrorsBrackets)
    }

    /// Returns the line with its characters in `order`, each with whether it is right-to-left.
    private static func line(
        _ visual: PrintedLine,
        _ scalars: [Unicode.Scalar],
        _ order: [(index: Int, isTurned: Bool)],
        mirroring: Bool
    ) -> PrintedLine {
        var units = 0
        let raised = scalars.map { scalar in
            defer { units += scalar.utf16.count }
            return visual.raised.contains { $0.contains(units) }
        }
        var line = visual
        var text = String.UnicodeScalarView()
        var length = 0
        line.raised = []
        for (index, isTurned) in order {
            let scalar = mirroring && isTurned ? scalars[index].mirrored : scalars[index]
            let end = length + scalar.utf16.count
            if raised[index] {
                if let last = line.raised.last, last.upperBound == length {
                    line.raised[line.raised.count - 1] = last.lowerBound..<end
                } else {
                    line.raised.append(length..<end)
                }
            }
            text.append(scalar)
            length = end
        }
        line.text = String(text)
        return line
    }

    /// Reverses the left-to-right runs back in a line that was reversed as a whole.
    private static func turnedBack(_ order: [Int], _ levels: [UInt8]) -> [(index: Int, isTurned: Bool)] {
        var turned: [(index: Int, isTurned: Bool)] = []
        var start = 0
        while start < order.count {
            let isTurned = levels[start] % 2 == 1
            let end = levels[start...].firstIndex { ($0 % 2 == 1) != isTurned } ?? order.count
            let run = order[start..<end]
            turned += (isTurned ? Array(run) : run.reversed()).map { ($0, isTurned) }
            start = end
        }
        return turned
    }

    /// Rule L2 of UAX #9, which is its own reverse.
    private static func reordered(_ order: [Int], _ levels: [UInt8]) -> [(index: Int, isTurned: Bool)] {
        var turned = zip(order, levels).map { (index: $0, isTurned: $1 % 2 == 1, level: $1) }
        let highest = levels.max() ?? 0
        for level in stride(from: highest, to: 0, by: -1) {
            var start = 0
            while let first = turned[start...].firstIndex(where: { $0.level >= level }) {
                let end = turned[first...].firstIndex { $0.level < level } ?? turned.count
                turned[first..<end].reverse()
                start = end
            }
        }
        return turned.map { ($0.index, $0.isTurned) }
    }

    private static func levels(of scalars: [Unicode.Scalar], _ fromRight: Bool) -> [UInt8] {
        var units: [UInt16] = []
        var starts: [Int] = []
        for (scalar, isLatin) in zip(scalars, numbersBesideLatin(scalars)) {
            starts.append(units.count)
            units += isLatin ? [0x61] : Array(Character(scalar).utf16)
        }
        var levels = [UInt8](repeating: 0, count: units.count)
        guard let length = Int32(exactly: units.count),
            cicu_bidi_levels(units, length, fromRight ? 1 : 0, &levels) != 0
        else { return [] }
        return starts.map { levels[$0] }
    }

    /// For each character, whether it is a digit of a number next to a left-to-right word.
    private static func numbersBesideLatin(_ scalars: [Unicode.Scalar]) -> [Bool] {
        var isBeside = [Bool](repeating: false, count: scalars.count)
        func isDigit(_ index: Int) -> Bool { (0x30...0x39).contains(scalars[index].value) }
        var start = 0
        while start < scalars.count {
            guard isDigit(start) else {
                start += 1
                continue
            }
            var end = start + 1
            while end < scalars.count, isDigit(end) || (".,:/".unicodeScalars.contains(scalars[end])) { end += 1 }
            let before = scalars[..<start].last { $0 != " " }
            let behind = scalars[end...].first { $0 != " " }
            if [before, behind].contains(where: { $0?.isLeftToRightLetter == true }) {
                for index in start..<end where isDigit(index) { isBeside[index] = true }
            }
            start = end
        }
        return isBeside
    }

    /// Whether more closing than opening brackets of these lines follow a space.
    static func areBracketsTurned(in lines: [String]) -> Bool {
        var (opening, closing) = (0, 0)
        for line in lines {
            var last: Unicode.Scalar = " "
            for scalar in line.unicodeScalars {
                if last == " ", "([{".unicodeScalars.contains(scalar) { opening += 1 }
                if last == " ", ")]}".unicodeScalars.contains(scalar) { closing += 1 }
                last = scalar
            }
        }
        return closing > opening
    }
}

/// How many letters of a text are of scripts of either direction.
struct DirectionCount {
    private(set) var leftToRight = 0
    private(set) var rightToLeft = 0

    mutating func add(_ text: String) {
        for scalar in text.unicodeScalars {
            if scalar.isRightToLeftLetter { rightToLeft += 1 }
            if scalar.isLeftToRightLetter { leftToRight += 1 }
        }
    }
}

extension Unicode.Scalar {
    /// Whether it is a letter of Hebrew, Arabic, Syriac, Thaana, N'Ko or another script from right to left.
    fileprivate var isRightToLeftLetter: Bool {
        switch value {
        case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFC, 0x10800...0x10FFF, 0x1E800...0x1EFFF:
            properties.isAlphabetic
        default: false
        }
    }

    fileprivate var isLeftToRightLetter: Bool { !isRightToLeftLetter && properties.isAlphabetic }

    private static let brackets: [Unicode.Scalar: Unicode.Scalar] = [
        "(": ")", ")": "(", "[": "]", "]": "[", "{": "}", "}": "{", "<": ">", ">": "<", "«": "»", "»": "«",
        "‹": "›", "›": "‹",
    ]

    fileprivate var mirrored: Unicode.Scalar { Self.brackets[self] ?? self }
}
