import EchoText
import Foundation

/// The text form of an age file: PEM with a header of its own, read strictly.
package enum AgeArmor {
    private static let first = "-----BEGIN AGE ENCRYPTED FILE-----"
    private static let last = "-----END AGE ENCRYPTED FILE-----"
    private static let blank: Set<UInt8> = [9, 10, 13, 32]

    /// Whether it begins as armor does, white space aside.
    package static func isArmor(_ bytes: [UInt8]) -> Bool {
        bytes.drop { blank.contains($0) }.starts(with: "-----BEGIN".utf8)
    }

    package static func encode(_ bytes: [UInt8]) -> String {
        var text = Data(bytes).base64EncodedString()[...]
        var lines = [first]
        while !text.isEmpty {
            lines.append(String(text.prefix(AgeHeader.columns)))
            text = text.dropFirst(AgeHeader.columns)
        }
        return (lines + [last]).joined(separator: "\n") + "\n"
    }

    /// The binary form.
    ///
    /// - Parameter text: White space may stand before and after; lines end in LF or CRLF.
    /// - Returns: What ``encode(_:)`` was given.
    /// - Throws: ``AgeError/armor``.
    package static func decode(_ text: [UInt8]) throws -> [UInt8] {
        let rest = text.drop { blank.contains($0) }
        var lines = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
            line.last == UInt8(ascii: "\r") ? line.dropLast() : line
        }[...]
        guard let opening = lines.popFirst(), opening.elementsEqual(first.utf8) else { throw AgeError.armor }
        var bytes: [UInt8] = []
        var isShort = false
        while let line = lines.popFirst() {
            if line.starts(with: last.utf8) {
                let after = [line.dropFirst(last.utf8.count)] + lines
                guard after.allSatisfy({ $0.allSatisfy(blank.contains) }) else { throw AgeError.armor }
                return bytes
            }
            guard !isShort, !line.isEmpty, line.count <= AgeHeader.columns,
                let decoded = CanonicalBase64.decode(line, isPadded: true)
            else { throw AgeError.armor }
            bytes += decoded
            isShort = decoded.count < AgeHeader.columns / 4 * 3
        }
        throw AgeError.armor
    }
}
