import Crypto
package import EchoText
package import Foundation

/// A PDF made line by line, in Courier, of which every character is 0.6 em wide.
package struct SamplePDF {
    package struct Line {
        package var text: String
        /// The start of the line, in points from the lower left corner.
        package var x: Double
        package var y: Double
        package var size: Double
        package var isBold: Bool

        package init(text: String, x: Double, y: Double, size: Double = 10, isBold: Bool = false) {
            (self.text, self.x, self.y, self.size, self.isBold) = (text, x, y, size, isBold)
        }
    }

    package struct Entry {
        package var title: String
        /// From 1.
        package var page: Int
        /// Whether the entry names itself as its own first child.
        package var isEndless: Bool

        package init(title: String, page: Int, isEndless: Bool = false) {
            (self.title, self.page, self.isEndless) = (title, page, isEndless)
        }
    }

    package var pages: [[Line]] = []
    package var entries: [Entry] = []
    package var title: String?
    package var size = (width: 612.0, height: 792.0)
    /// The displayed clockwise rotation of each page, in degrees.
    package var rotation = 0
    /// Pages whose reference to their content is replaced by an invalid one.
    package var brokenPages: Set<Int> = []
    /// The password, in ASCII; `nil` for none.
    package var password: String?

    /// A text set in lines of `columns` characters, words hyphenated at the ends, with running head and foot.
    ///
    /// - Parameters:
    ///   - paragraphs: One line each, in Latin-1.
    ///   - columns: Characters on a line.
    ///   - rows: Lines on a page.
    ///   - head: Printed at the top of every page; the number is printed at its bottom.
    package init(paragraphs: [String], columns: Int = 70, rows: Int = 40, head: String? = nil) {
        var lines: [(text: String, isFirst: Bool)] = []
        for paragraph in paragraphs {
            var isFirst = true
            for line in Self.set(paragraph, columns: columns - 3) {
                lines.append((line, isFirst))
                isFirst = false
            }
        }
        for start in stride(from: 0, to: lines.count, by: rows) {
            let chunk = lines[start..<min(start + rows, lines.count)]
            var page = chunk.enumerated().map { index, line in
                Line(text: line.text, x: line.isFirst ? 72 : 54, y: 700 - Double(index) * 14)
            }
            let number = pages.count + 1
            if let head {
                page.append(Line(text: head, x: 54, y: 750))
                page.append(Line(text: "\(number)", x: 300, y: 40))
            }
            pages.append(page)
        }
    }

    package init(pages: [[Line]]) {
        self.pages = pages
    }

    /// `paragraph` in lines, words of plain letters divided.
    private static func set(_ paragraph: String, columns: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in paragraph.split(separator: " ").map(String.init) {
            let room = columns - line.count - 2
            if line.count + word.count + 1 <= columns {
                line += line.isEmpty ? word : " " + word
            } else if word.count >= 8, room >= 3, word.count - room >= 3,
                word.allSatisfy({ $0.isLetter && $0.isLowercase })
            {
                lines.append(line + " " + word.prefix(room) + "-")
                line = String(word.dropFirst(room))
            } else {
                lines.append(line)
                line = word
            }
        }
        lines.append(line)
        return lines
    }

    package var file: DocumentFile { DocumentFile(name: "sample.pdf", bytes: bytes) }

    package var bytes: Data {
        let lock = password.map { PDFLock(password: $0) }
        var objects: [Data] = []
        let firstPage = 6
        let outline = firstPage + pages.count * 2
        let kids = pages.indices.map { "\(firstPage + $0 * 2) 0 R" }.joined(separator: " ")
        objects.append(Self.object("<</Type/Catalog/Pages 2 0 R\(entries.isEmpty ? "" : "/Outlines \(outline) 0 R")>>"))
        objects.append(Self.object("<</Type/Pages/Count \(pages.count)/Kids[\(kids)]>>"))
        objects.append(Self.object("<</Type/Font/Subtype/Type1/BaseFont/Courier/Encoding/WinAnsiEncoding>>"))
        objects.append(Self.object("<</Type/Font/Subtype/Type1/BaseFont/Courier-Bold/Encoding/WinAnsiEncoding>>"))
        objects.append(Self.object("<</Title\(Self.string(title ?? "", in: 5, lock))>>"))
        for (index, lines) in pages.enumerated() {
            let content = lines.map { line in
                "BT /\(line.isBold ? "B" : "F") \(line.size) Tf \(line.x) \(line.y) Td (\(Self.escaped(line.text))) Tj ET"
            }.joined(separator: "\n")
            let plain = Self.object(content)
            let bytes = lock?.locked(plain, in: firstPage + index * 2 + 1) ?? plain
            let contents = brokenPages.contains(index) ? "99999" : "\(firstPage + index * 2 + 1)"
            let box = "/MediaBox[0 0 \(size.width) \(size.height)]/Rotate \(rotation)"
            objects.append(
                Self.object(
                    "<</Type/Page/Parent 2 0 R\(box)/Resources<</Font<</F 3 0 R/B 4 0 R>>>>/Contents \(contents) 0 R>>"
                )
            )
            objects.append(Data("<</Length \(bytes.count)>>stream\n".utf8) + bytes + Data("\nendstream".utf8))
        }
        if !entries.isEmpty { objects += outlineObjects(from: outline, firstPage: firstPage, lock) }
        guard let lock else { return Self.file(objects) }
        return Self.file(
            objects + [Self.object(lock.dictionary)],
            trailer: "/Encrypt \(objects.count + 1) 0 R/ID[\(lock.name)\(lock.name)]"
        )
    }

    private func outlineObjects(from outline: Int, firstPage: Int, _ lock: PDFLock?) -> [Data] {
        var objects = [
            Self.object("<</First \(outline + 1) 0 R/Last \(outline + entries.count) 0 R/Count \(entries.count)>>")
        ]
        for (index, entry) in entries.enumerated() {
            let own = outline + 1 + index
            let next = index + 1 < entries.count ? "/Next \(own + 1) 0 R" : ""
            let child = entry.isEndless ? "/First \(own) 0 R/Last \(own) 0 R/Next \(own) 0 R" : next
            let page = firstPage + (entry.page - 1) * 2
            objects.append(
                Self.object(
                    "<</Title\(Self.string(entry.title, in: own, lock))/Parent \(outline) 0 R\(child)/Dest[\(page) 0 R/Fit]>>"
                )
            )
        }
        return objects
    }

    private static func object(_ text: String) -> Data { text.data(using: .isoLatin1) ?? Data() }

    /// A string in the object of that number.
    private static func string(_ text: String, in number: Int, _ lock: PDFLock?) -> String {
        guard let lock else { return "(\(escaped(text)))" }
        return PDFLock.hexadecimal(lock.locked(object(text), in: number))
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("(", with: "\\(").replacing(")", with: "\\)")
    }

    private static func file(_ objects: [Data], trailer: String = "") -> Data {
        var file = Data("%PDF-1.4\n".utf8)
        var offsets: [Int] = []
        for (index, object) in objects.enumerated() {
            offsets.append(file.count)
            file += Data("\(index + 1) 0 obj\n".utf8) + object + Data("\nendobj\n".utf8)
        }
        let table = file.count
        file += Data("xref\n0 \(objects.count + 1)\n0000000000 65535 f \n".utf8)
        for offset in offsets {
            let digits = String(offset)
            file += Data("\(String(repeating: "0", count: 10 - digits.count))\(digits) 00000 n \n".utf8)
        }
        file += Data(
            "trailer<</Size \(objects.count + 1)/Root 1 0 R/Info 5 0 R\(trailer)>>\nstartxref\n\(table)\n%%EOF".utf8
        )
        return file
    }
}

/// Locks the strings and streams of a PDF with a password, with RC4 and keys of 40 bits, which every reader knows.
///
/// - SeeAlso: ISO 32000-1, 7.6.3, Standard Security Handler, revision 2.
struct PDFLock {
    private static let padding: [UInt8] = [
        0x28, 0xBF, 0x4E, 0x5E, 0x4E, 0x75, 0x8A, 0x41, 0x64, 0x00, 0x4E, 0x56, 0xFF, 0xFA, 0x01, 0x08,
        0x2E, 0x2E, 0x00, 0xB6, 0xD0, 0x68, 0x3E, 0x80, 0x2F, 0x0C, 0xA9, 0xFE, 0x64, 0x53, 0x69, 0x7A,
    ]
    private static let keyLength = 5  // bytes
    /// The permissions in the format's encoding: everything.
    private static let permissions: Int32 = -4
    private static let id: [UInt8] = Array("EchoText sample.".utf8)

    private let key: [UInt8]
    private let owner: [UInt8]

    /// - Parameter password: At most 32 ASCII characters.
    init(password: String) {
        let padded = Array((Array(password.utf8) + Self.padding).prefix(Self.padding.count))
        owner = Self.cipher(padded, Array(Self.digest(padded).prefix(Self.keyLength)))
        let permissions = withUnsafeBytes(of: Self.permissions.littleEndian) { Array($0) }
        key = Array(Self.digest(padded + owner + permissions + Self.id).prefix(Self.keyLength))
    }

    /// The dictionary that says how it is locked.
    var dictionary: String {
        let user = Data(Self.cipher(Self.padding, key))
        return """
            <</Filter/Standard/V 1/R 2/O\(Self.hexadecimal(Data(owner)))/U\(Self.hexadecimal(user))/P \(Self.permissions)>>
            """
    }

    /// The file's name, which is part of its lock.
    var name: String { Self.hexadecimal(Data(Self.id)) }

    /// A string or stream of the object of that number.
    func locked(_ bytes: Data, in number: Int) -> Data {
        let place = [UInt8(number & 0xFF), UInt8(number >> 8 & 0xFF), UInt8(number >> 16 & 0xFF), 0, 0]
        let key = Array(Self.digest(key + place).prefix(Self.keyLength + place.count))
        return Data(Self.cipher(Array(bytes), key))
    }

    static func hexadecimal(_ bytes: Data) -> String {
        let digits = bytes.map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0\(digits)" : digits
        }
        return "<\(digits.joined())>"
    }

    private static func digest(_ bytes: [UInt8]) -> [UInt8] { Array(Insecure.MD5.hash(data: bytes)) }

    /// RC4.
    private static func cipher(_ bytes: [UInt8], _ key: [UInt8]) -> [UInt8] {
        var state = (0...255).map { UInt8($0) }
        var second = 0
        for first in 0..<256 {
            second = (second + Int(state[first]) + Int(key[first % key.count])) & 0xFF
            state.swapAt(first, second)
        }
        var (one, other) = (0, 0)
        return bytes.map { byte in
            one = (one + 1) & 0xFF
            other = (other + Int(state[one])) & 0xFF
            state.swapAt(one, other)
            return byte ^ state[(Int(state[one]) + Int(state[other])) & 0xFF]
        }
    }
}
