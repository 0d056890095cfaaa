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
