import Foundation

/// Which modules of the page import which, as their `import … from "./…"` statements say.
///
/// Modules that are imported dynamically, by `import("./…")`, are not among them.
struct ModuleGraph: Sendable {
    private let imports: [String: OnDemand<[String]>]

    /// - Parameters:
    ///   - modules: The modules' addresses, such as `/core/dom.js`.
    ///   - source: Returns the text of a module, when something first needs that module.
    init(_ modules: Set<String>, source: @escaping @Sendable (String) -> String) {
        imports = modules.reduce(into: [:]) { imports, module in
            imports[module] = OnDemand { Self.imports(of: source(module), at: module).filter(modules.contains) }
        }
    }

    /// Returns the modules and everything they import, without repetition, in order.
    ///
    /// Addresses without a module are ignored.
    func needed(by modules: [String]) -> [String] {
        var found = modules.filter { imports[$0] != nil }
        var known = Set(found)
        var next = 0
        while next < found.count {
            found += (imports[found[next]]?.value ?? []).filter { known.insert($0).inserted }
            next += 1
        }
        return found
    }

    private static func imports(of source: String, at address: String) -> [String] {
        let folder = address.split(separator: "/").dropLast().map(String.init)
        var source = source
        return source.withUTF8(addresses).map { resolve($0, in: folder) }
    }

    /// Finds the imports in statements that begin lines, byte by byte: the first visit waits for it.
    private static func addresses(in source: UnsafeBufferPointer<UInt8>) -> [String] {
        var found: [String] = []
        var line = 0
        while line < source.count {
            if let address = imported(in: source, at: line) { found.append(address) }
            line = source.endOfLine(from: line) + 1
        }
        return found
    }

    /// The relative address that a statement imports from; `nil` where no such statement begins.
    private static func imported(in source: UnsafeBufferPointer<UInt8>, at start: Int) -> String? {
        let names = start + 6
        guard names < source.count, source.has("import", at: start) || source.has("export", at: start),
            let quote = (names..<source.count).first(where: source.endsNames), source[quote] == UInt8(ascii: "\"")
        else { return nil }
        var end = quote
        while end > names, source.isSpace(at: end - 1) { end -= 1 }
        let isBare = end == names
        let isAfterKeyword = isBare || !source.isOfWord(at: names)
        let isBeforeFrom = end - names > 4 && source.has("from", at: end - 4) && !source.isOfWord(at: end - 5)
        guard isAfterKeyword, isBare || isBeforeFrom,
            let close = source.place(of: UInt8(ascii: "\""), in: quote + 1..<source.count), close - quote > 2,
            source[quote + 1] == UInt8(ascii: "."), source.has(";", at: close + 1)
        else { return nil }
        return String(decoding: UnsafeBufferPointer(rebasing: source[quote + 1..<close]), as: UTF8.self)
    }

    private static func resolve(_ relative: String, in folder: [String]) -> String {
        let parts = relative.split(separator: "/").reduce(into: folder) { parts, part in
            switch part {
            case ".": break
            case "..": _ = parts.popLast()
            default: parts.append(String(part))
            }
        }
        return "/" + parts.joined(separator: "/")
    }
}

/// A script of the page, in the form in which it is sent.
enum SentScript {
    /// Removes the `/** … */` comments on their own lines from a script; all other lines keep their numbers.
    ///
    /// They are for developers, and make up a quarter of what a browser would receive.
    static func text(of source: String) -> String {
        var source = source
        return String(decoding: source.withUTF8(withoutComments), as: UTF8.self)
    }

    private static func withoutComments(_ source: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var sent: [UInt8] = []
        sent.reserveCapacity(source.count)
        // The end of the copied text; the text since then is copied when a dropped part follows.
        var taken = 0
        var isWithin = false
        var start = 0
        while start <= source.count {
            let end = source.endOfLine(from: start)
            let close = endOfComment(in: source, start..<end)
            if isWithin || isComment(in: source, start..<end, until: close) {
                sent += UnsafeBufferPointer(rebasing: source[taken..<start])
                taken = isWithin ? close ?? end : end
                isWithin = close == nil
            }
            start = end + 1
        }
        sent += UnsafeBufferPointer(rebasing: source[taken...])
        return sent
    }

    /// Returns the position after the first `*/` of a line.
    private static func endOfComment(in source: UnsafeBufferPointer<UInt8>, _ line: Range<Int>) -> Int? {
        var start = line.lowerBound
        while let slash = source.place(of: UInt8(ascii: "/"), in: start..<line.upperBound) {
            if slash > line.lowerBound, source[slash - 1] == UInt8(ascii: "*") { return slash + 1 }
            start = slash + 1
        }
        return nil
    }

    /// Whether a line begins with `/**`, and nothing follows the comment on that line: otherwise it is code, such as a
    /// cast.
    private static func isComment(
        in source: UnsafeBufferPointer<UInt8>,
        _ line: Range<Int>,
        until close: Int?
    ) -> Bool {
        guard let start = line.first(where: { !source.isSpace(at: $0) }), start + 3 <= line.upperBound,
            source.has("/**", at: start)
        else { return false }
        guard let close else { return true }
        return (close..<line.upperBound).allSatisfy(source.isSpace)
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Returns the first position of a byte within a range.
    fileprivate func place(of byte: UInt8, in range: Range<Int>) -> Int? {
        guard !range.isEmpty, let baseAddress,
            let found = memchr(baseAddress + range.lowerBound, Int32(byte), range.count)
        else { return nil }
        return UnsafeRawPointer(baseAddress).distance(to: UnsafeRawPointer(found))
    }

    fileprivate func endOfLine(from start: Int) -> Int {
        place(of: UInt8(ascii: "\n"), in: start..<count) ?? count
    }

    fileprivate func has(_ word: StaticString, at place: Int) -> Bool {
        guard let baseAddress, place + word.utf8CodeUnitCount <= count else { return false }
        return memcmp(baseAddress + place, word.utf8Start, word.utf8CodeUnitCount) == 0
    }

    fileprivate func isSpace(at place: Int) -> Bool {
        switch self[place] {
        case 0x20, 0x09, 0x0A, 0x0B, 0x0C, 0x0D: true
        default: false
        }
    }

    /// Whether there is `"`, `(`, `)` or `;`, none of which occurs in a list of names.
    fileprivate func endsNames(at place: Int) -> Bool {
        switch self[place] {
        case 0x22, 0x28, 0x29, 0x3B: true
        default: false
        }
    }

    /// Whether there is a letter, a digit, `_` or a part of a character beyond ASCII.
    fileprivate func isOfWord(at place: Int) -> Bool {
        switch self[place] {
        case 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A, 0x80...0xFF: true
        default: false
        }
    }
}
