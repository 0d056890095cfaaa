/// Finds text that repeats from page to page: running heads and feet, and page numbers.
///
/// A running line is at the edge of its page, separate from the text, and a nearby page has the same line except for
/// its digits; or it is a page number at the edge.
struct RunningLines {
    /// The edges of a page: the fraction of its height that may contain running lines, and the number of their rows.
    private static let edge: Float = 0.2
    private static let maximumRows = 3
    /// The distance in pages within which a line must repeat; heads of left and right pages differ, and first pages of
    /// chapters have none.
    private static let reach = 4

    /// A row at the edge of a page.
    private struct Candidate {
        let page: Int
        let row: Int
        let isAtTop: Bool
        let box: PrintedBox
        let text: String
        /// The text without digits, case and white space.
        let pattern: String
        /// The numbers in the text.
        let numbers: [Int]
        /// Its value, if it is only a number.
        let number: Int?
        /// Whether its distance to the next row inwards is larger than between lines of a paragraph, or its size
        /// differs.
        let isApart: Bool
        /// The distance from the nearer edge.
        let distance: Float
    }

    /// The roles of rows, by page and index among the page's rows.
    private(set) var roles: [[Int: PrintedRole]]

    /// - Parameter pages: Each page's rows from top to bottom, and its height.
    init(in pages: [(rows: [PrintedRow], height: Float)]) {
        roles = Array(repeating: [:], count: pages.count)
        let candidates = pages.enumerated().map { Self.candidates(of: $1.rows, height: $1.height, page: $0) }
        for isAtTop in [true, false] {
            // From the edge inwards: a row is running only when all outside it are.
            for depth in 0..<Self.maximumRows {
                let layer = candidates.map { page in
                    page.first { $0.isAtTop == isAtTop && Self.depth(of: $0, in: pages[$0.page].rows) == depth }
                }
                mark(layer, depth: depth, isAtTop: isAtTop, pages: pages.map(\.rows))
            }
        }
    }

    private mutating func mark(_ layer: [Candidate?], depth: Int, isAtTop: Bool, pages: [[PrintedRow]]) {
        var found: [(Candidate, PrintedRole)] = []
        for candidate in layer.compactMap({ $0 }) where isOutermost(candidate, depth: depth, pages: pages) {
            let near = layer[max(candidate.page - Self.reach, 0)..<min(candidate.page + Self.reach + 1, layer.count)]
                .compactMap { $0 }.filter { $0.page != candidate.page }
            if Self.isPageNumber(candidate, near: near, of: layer.count) {
                found.append((candidate, .pageNumber))
            } else if candidate.isApart, near.contains(where: { Self.isSame(candidate, $0) }) {
                found.append((candidate, isAtTop ? .header : .footer))
            }
        }
        // Heads that change with the chapter are at the same position as others.
        let places = Set(found.filter { $0.1 != .pageNumber }.map { Int(($0.0.box.middle).rounded()) })
        let marked = Set(found.map(\.0.page))
        for candidate in layer.compactMap({ $0 })
        where !marked.contains(candidate.page) && candidate.isApart && found.count * 3 >= layer.count {
            let place = Int(candidate.box.middle.rounded())
            guard isOutermost(candidate, depth: depth, pages: pages), candidate.text.utf8.count < 100,
                places.contains(place) || places.contains(place - 1) || places.contains(place + 1)
            else { continue }
            found.append((candidate, isAtTop ? .header : .footer))
        }
        for (candidate, role) in found { roles[candidate.page][candidate.row] = role }
    }

    private func isOutermost(_ candidate: Candidate, depth: Int, pages: [[PrintedRow]]) -> Bool {
        let count = pages[candidate.page].count
        return (0..<depth).allSatisfy { roles[candidate.page][candidate.isAtTop ? $0 : count - 1 - $0] != nil }
    }

    private static func depth(of candidate: Candidate, in rows: [PrintedRow]) -> Int {
        candidate.isAtTop ? candidate.row : rows.count - 1 - candidate.row
    }

    private static func candidates(of rows: [PrintedRow], height: Float, page: Int) -> [Candidate] {
        let body = rows.map(\.size).median(or: 10)
        var candidates: [Candidate] = []
        for (index, row) in rows.enumerated() {
            let isAtTop = row.box.middle < height * edge && index < maximumRows
            let isAtBottom = row.box.middle > height * (1 - edge) && index >= rows.count - maximumRows
            guard isAtTop || isAtBottom else { continue }
            let inner = isAtTop ? index + 1 : index - 1
            // A row in a much larger size is a title.
            var isApart = row.size < 1.25 * body
            if rows.indices.contains(inner) {
                let gap = isAtTop ? rows[inner].box.top - row.box.bottom : row.box.top - rows[inner].box.bottom
                isApart = isApart && (gap > 0.55 * body || abs(rows[inner].size - row.size) > 0.08 * body)
            }
            let text = row.text
            candidates.append(
                Candidate(
                    page: page,
                    row: index,
                    isAtTop: isAtTop,
                    box: row.box,
                    text: text,
                    pattern: pattern(of: text),
                    numbers: text.split { !$0.isASCII || !$0.isNumber }.compactMap { Int($0) },
                    number: PageNumeral.value(of: text),
                    isApart: isApart,
                    distance: isAtTop ? row.box.middle : height - row.box.middle
                )
            )
        }
        return candidates
    }

    private static func pattern(of text: String) -> String {
        var pattern = ""
        for character in text.lowercased() where !character.isWhitespace {
            if !character.isNumber {
                pattern.append(character)
            } else if pattern.last != "#" {
                pattern.append("#")
            }
        }
        return pattern
    }

    private static func isSame(_ one: Candidate, _ other: Candidate) -> Bool {
        guard one.pattern == other.pattern, other.isApart, abs(one.distance - other.distance) < 10 else { return false }
        return one.numbers == other.numbers || isNumbered(one, as: other)
    }

    /// Whether one of the numbers grows with the pages, of which a sheet may hold two; others are those of the text, such
    /// as a sum or “Question 2”.
    private static func isNumbered(_ one: Candidate, as other: Candidate) -> Bool {
        let pages = abs(one.page - other.page)
        let grows = zip(one.numbers, other.numbers).contains { number, other in
            let (difference, isTooLarge) = number.subtractingReportingOverflow(other)
            return !isTooLarge && [pages, -pages, 2 * pages, -2 * pages].contains(difference)
        }
        let words = one.text.split { !$0.isLetter }.map { $0.lowercased() }
        let isCounted = words.count == 1 && one.numbers.count == 1 && counted.contains(words[0])
        return grows && !isCounted
    }

    /// Words that, with a number and nothing else, are the title of what stands below.
    private static let counted: Set<String> = [
        "aufgabe", "capítulo", "case", "chapitre", "chapter", "day", "día", "ejercicio", "example", "exercice",
        "exercise", "frage", "harjutus", "jour", "kapitel", "küsimus", "leçon", "lección", "lektion", "lesson",
        "letter", "nädal", "osa", "part", "partie", "parte", "peatükk", "poem", "pregunta", "problem", "päev",
        "question", "section", "session", "step", "story", "tag", "task", "teil", "topic", "tund", "unit", "week",
        "woche", "ülesanne", "übung",
    ]

    /// Whether it is a number that increases with the pages; on a page without neighbors, one in the center of the
    /// bottom.
    private static func isPageNumber(_ candidate: Candidate, near: [Candidate], of pages: Int) -> Bool {
        guard let number = candidate.number else { return false }
        if near.contains(where: { $0.number.map { $0 - number } == $0.page - candidate.page }) { return true }
        return pages == 1 && !candidate.isAtTop && candidate.isApart && number < 10_000
    }
}

/// The role of a row that is not text.
enum PrintedRole: Sendable, Hashable {
    case header
    case footer
    case pageNumber
    case footnote
}

/// Parses printed page numbers.
enum PageNumeral {
    /// The number in “12”, “– 12 –”, “Page 12”, “12 / 300”, “xiv”; `nil` for other text.
    static func value(of text: String) -> Int? {
        var words = text.split { !$0.isLetter && !$0.isNumber }.map { $0.lowercased() }
        guard text.utf8.count <= 24, !words.isEmpty else { return nil }
        if ["page", "p", "seite", "s", "lk", "página", "pagina"].contains(words[0]) { words.removeFirst() }
        if words.count == 3, ["of", "von", "de", "sur"].contains(words[1]), Int(words[2]) != nil {
            words.removeLast(2)
        }
        if words.count == 2, text.contains("/"), Int(words[1]) != nil { words.removeLast() }
        guard words.count == 1 else { return nil }
        return words[0].count <= 5 ? Int(words[0]) ?? roman(words[0]) : nil
    }

    /// The value of a number in modern Roman numerals; other words of these letters, such as “civil”, are not numbers.
    private static func roman(_ word: String) -> Int? {
        let values: [Character: Int] = ["i": 1, "v": 5, "x": 10, "l": 50, "c": 100]
        var total = 0
        var last = 0
        for letter in word.reversed() {
            guard let value = values[letter] else { return nil }
            total += value < last ? -value : value
            last = max(last, value)
        }
        return total > 0 && word == roman(total) ? total : nil
    }

    private static func roman(_ number: Int) -> String {
        var rest = number
        var word = ""
        let signs = [
            (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
        ]
        for (value, sign) in signs {
            word += String(repeating: sign, count: rest / value)
            rest %= value
        }
        return word
    }
}
