import Foundation

/// Makes file names of recordings' names, unique in a folder.
///
/// They are valid on every file system in use: no character that Windows refuses, no reserved device name, no dot at
/// either end, at most ``longest`` bytes. Names that differ only in case or in how accents are composed count as one.
package struct FileNames: Sendable {
    /// The most bytes in UTF-8, extension included: file systems allow 255, and programs that copy files append to
    /// names.
    package static let longest = 200
    /// The most bytes of an extension; a longer end of a name is a part of its stem.
    ///
    /// The 23 others are for the dot and for any number in brackets.
    private static let longestExtension = longest - 23

    private var taken: Set<String> = []

    /// - Parameter present: The names of existing files that stay; no file gets one of them, whatever its extension.
    package init(present: [String] = []) {
        for name in present {
            taken.insert(Self.key(name))
            if let dot = name.lastIndex(of: "."), dot > name.startIndex { taken.insert(Self.key(String(name[..<dot]))) }
        }
    }

    /// Returns a file name for `name`, numbered if it was used before.
    ///
    /// - Parameters:
    ///   - name: Any text.
    ///   - fileExtension: The extension without the dot; empty for a folder or a stem.
    /// - Returns: An unused name.
    package mutating func name(for name: String, fileExtension: String = "") -> String {
        // A name that has no extension can have a dot anywhere.
        let isExtension = fileExtension.utf8.count <= Self.longestExtension
        let name = isExtension ? name : "\(name).\(fileExtension)"
        let ending = fileExtension.isEmpty || !isExtension ? "" : ".\(fileExtension)"
        var number = 1
        while true {
            let suffix = (number == 1 ? "" : " (\(number))") + ending
            let candidate = Self.stem(of: name, longest: Self.longest - suffix.utf8.count) + suffix
            if taken.insert(Self.key(candidate)).inserted {
                return candidate
            }
            number += 1
        }
    }

    /// A key that is the same for names that some file system considers equal.
    private static func key(_ name: String) -> String { name.decomposedStringWithCompatibilityMapping.lowercased() }

    /// `name` without characters that a file name cannot have; “recording” when nothing is left.
    private static func stem(of name: String, longest: Int) -> String {
        let signs = name.unicodeScalars.map { isAllowed($0) ? $0 : " " as Unicode.Scalar }
        let words = String(String.UnicodeScalarView(signs))
            .split(whereSeparator: \.isWhitespace).joined(separator: " ")
        var stem = trimmed(words)
        if isReserved(stem) { stem = "_" + stem }
        while stem.utf8.count > longest { stem.removeLast() }
        stem = trimmed(stem)
        let isVisible = stem.unicodeScalars.contains { !joiners.contains($0) }
        return isVisible ? stem : "recording"
    }

    /// Removes dots and spaces at both ends, and leading hyphens, which programs take for options.
    private static func trimmed(_ name: String) -> String {
        var rest = name[...]
        while let first = rest.first, first == "." || first == "-" || first.isWhitespace { rest.removeFirst() }
        while let last = rest.last, last == "." || last.isWhitespace { rest.removeLast() }
        return String(rest)
    }

    /// The characters that join and separate letters in some scripts, and the parts of an emoji.
    private static let joiners: Set<Unicode.Scalar> = ["\u{200C}", "\u{200D}"]

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        joiners.contains(scalar) || scalar.isSafeToShow && !#"/\:*?"<>|"#.unicodeScalars.contains(scalar)
    }

    /// Whether Windows takes the name for a device, whatever follows a dot in it.
    private static func isReserved(_ name: String) -> Bool {
        let stem = name.prefix { $0 != "." }.lowercased().filter { !$0.isWhitespace }
        if ["con", "prn", "aux", "nul", "conin$", "conout$"].contains(stem) { return true }
        guard stem.hasPrefix("com") || stem.hasPrefix("lpt"), stem.count == 4 else { return false }
        return stem.last.map { "0123456789¹²³".contains($0) } ?? false
    }
}

extension String {
    /// The part after the last dot of a file's name, such as “m4a”, if it is short and of Latin letters and digits.
    package var fileEnding: String? {
        guard let dot = lastIndex(of: "."), dot > startIndex else { return nil }
        let ending = self[index(after: dot)...]
        let isPlain = ending.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
        return isPlain && (1...8).contains(ending.count) ? String(ending) : nil
    }
}
