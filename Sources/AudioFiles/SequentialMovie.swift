import EchoText
import Foundation

/// An MPEG-4 or QuickTime file with its table of contents before the sound and pictures, so that it can be read in one go.
///
/// Cameras write the table last, since they know it last. Here it comes first, and the places in it are corrected.
struct SequentialMovie: StoredBytes {
    /// Bytes of a table for some days of sound and pictures.
    static let longestTable = 128 << 20
    private static let maximumAtoms = 4_096
    /// Parts of a table that hold others: a handful for each track.
    private static let maximumParts = 65_536

    private let file: any StoredBytes
    /// The bytes that are read instead of the file's from ``tableStart`` on; `nil` where the file is in order.
    private let moved: Moved?
    /// The size of the sound and pictures where they are the last part, which may state that it reaches to the end; FFmpeg takes
    /// that for a cut, since it does not see the end.
    private var openEnd: OpenEnd?

    private struct OpenEnd {
        let place: Int
        let size: Data
    }

    private struct Moved {
        /// Where the table goes.
        let start: Int
        let table: Data
        /// Where it was.
        let old: Range<Int>
    }

    /// - Throws: ``SoundImportError/protected``, ``SoundImportError/damaged(seconds:)`` for one without a table, and what reading
    ///   throws.
    init(_ file: any StoredBytes) async throws {
        self.file = file
        var content: Int?
        var start = 0
        for _ in 0..<Self.maximumAtoms where start < file.length {
            guard let atom = try await Atom(at: start, in: file) else { break }
            switch atom.type {
            case "ftyp" where try await Self.isAudible(file, atom): throw SoundImportError.protected
            case "mdat" where content == nil: content = start
            case "moov":
                let table = try await Self.table(atom.range, in: file)
                if Self.isProtected(table) { throw SoundImportError.protected }
                moved = try content.map { content in
                    Moved(
                        start: content,
                        table: try Self.corrected(table, moving: content..<start, by: table.count),
                        old: atom.range
                    )
                }
                if moved == nil { openEnd = try await Self.openEnd(from: atom.range.upperBound, in: file) }
                return
            // Fragments bring their tables along.
            case "moof":
                moved = nil
                return
            default: break
            }
            start = atom.range.upperBound
        }
        throw SoundImportError.damaged(seconds: 0)
    }

    var length: Int { file.length }

    func read(_ range: Range<Int>) async throws -> Data {
        guard let moved else { return try await closed(range) }
        let shift = moved.table.count
        var data = Data(capacity: range.count)
        var place = range.lowerBound
        while place < range.upperBound {
            if place < moved.start {
                let end = min(range.upperBound, moved.start)
                data.append(try await file.read(place..<end))
                place = end
            } else if place < moved.start + shift {
                let end = min(range.upperBound, moved.start + shift)
                data.append(moved.table[(place - moved.start)..<(end - moved.start)])
                place = end
            } else if place < moved.old.upperBound {
                let end = min(range.upperBound, moved.old.upperBound)
                data.append(try await file.read((place - shift)..<(end - shift)))
                place = end
            } else {
                data.append(try await file.read(place..<range.upperBound))
                place = range.upperBound
            }
        }
        return data
    }

    /// The file's own bytes, but for the size of its last part.
    private func closed(_ range: Range<Int>) async throws -> Data {
        var data = try await file.read(range)
        guard let openEnd else { return data }
        for (offset, byte) in openEnd.size.enumerated() where range.contains(openEnd.place + offset) {
            data[data.startIndex + openEnd.place + offset - range.lowerBound] = byte
        }
        return data
    }

    /// The last part from `start` on, if it holds sound and pictures and states no size; `nil` else.
    private static func openEnd(from start: Int, in file: any StoredBytes) async throws -> OpenEnd? {
        var place = start
        for _ in 0..<maximumAtoms where place < file.length {
            guard let atom = try await Atom(at: place, in: file) else { return nil }
            // Fragments are many, and each states its size.
            if atom.type == "moof" { return nil }
            let size = file.length - place
            if atom.isOpen {
                guard atom.type == "mdat", size <= Int(UInt32.max) else { return nil }
                return OpenEnd(place: place, size: withUnsafeBytes(of: UInt32(size).bigEndian) { Data($0) })
            }
            place = atom.range.upperBound
        }
        return nil
    }

    // MARK: - The table

    private static func table(_ range: Range<Int>, in file: any StoredBytes) async throws -> Data {
        guard range.count <= longestTable, range.upperBound <= file.length else {
            throw SoundImportError.damaged(seconds: 0)
        }
        return try await file.read(range)
    }

    /// Whether it is an Audible book, which is encrypted.
    private static func isAudible(_ file: any StoredBytes, _ atom: Atom) async throws -> Bool {
        let end = min(file.length, atom.range.lowerBound + 12)
        return try await file.read(min(end, atom.range.lowerBound + 8)..<end).starts(with: Data("aax".utf8))
    }

    /// Whether a track of sound is encrypted, by its sample entry (ISO/IEC 14496-12, section 8.12; QuickTime's `drms`).
    private static func isProtected(_ table: Data) -> Bool {
        ["enca", "drms"].contains { name in
            guard let place = table.range(of: Data(name.utf8))?.upperBound else { return false }
            // Six bytes that are reserved come behind the name of an entry.
            return table.count >= place + 6 && table[place..<(place + 6)].allSatisfy { $0 == 0 }
        }
    }

    /// The table with the places of chunks in `range` moved.
    private static func corrected(_ table: Data, moving range: Range<Int>, by shift: Int) throws -> Data {
        var bytes = [UInt8](table)
        var waiting = [(0..<bytes.count, 0)]
        var parts = 0
        while let (part, depth) = waiting.popLast() {
            var start = part.lowerBound
            while start + 8 <= part.upperBound {
                let size = number(bytes, at: start, count: 4)
                guard size >= 8, start + size <= part.upperBound else { break }
                let inside = start + 8..<start + size
                switch String(decoding: bytes[start + 4..<start + 8], as: UTF8.self) {
                case "moov", "trak", "mdia", "minf", "stbl":
                    parts += 1
                    guard parts <= maximumParts else { throw SoundImportError.damaged(seconds: 0) }
                    if depth < 8 { waiting.append((inside, depth + 1)) }
                case "stco": try correct(&bytes, inside, width: 4, moving: range, by: shift)
                case "co64": try correct(&bytes, inside, width: 8, moving: range, by: shift)
                default: break
                }
                start += size
            }
        }
        return Data(bytes)
    }

    private static func correct(
        _ bytes: inout [UInt8],
        _ atom: Range<Int>,
        width: Int,
        moving range: Range<Int>,
        by shift: Int
    ) throws {
        guard atom.count >= 8 else { return }
        let count = min(number(bytes, at: atom.lowerBound + 4, count: 4), (atom.count - 8) / width)
        for index in 0..<count {
            let place = atom.lowerBound + 8 + index * width
            let old = number(bytes, at: place, count: width)
            guard range.contains(old) else { continue }
            let new = old + shift
            guard width == 8 || new <= Int(UInt32.max) else { throw SoundImportError.damaged(seconds: 0) }
            for byte in 0..<width { bytes[place + byte] = UInt8(truncatingIfNeeded: new >> (8 * (width - 1 - byte))) }
        }
    }

    /// A big-endian number; one beyond what `Int` holds is no place in a file.
    private static func number(_ bytes: [UInt8], at place: Int, count: Int) -> Int {
        Int(clamping: bytes[place..<place + count].reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }

    /// A part of the file's top level.
    private struct Atom {
        let type: String
        let range: Range<Int>
        /// Whether it states that it reaches to the end.
        let isOpen: Bool

        /// Fails where none can be.
        init?(at start: Int, in file: any StoredBytes) async throws {
            guard start + 8 <= file.length else { return nil }
            let head = [UInt8](try await file.read(start..<min(file.length, start + 16)))
            var size = SequentialMovie.number(head, at: 0, count: 4)
            if size == 1, head.count == 16 { size = SequentialMovie.number(head, at: 8, count: 8) }
            isOpen = size == 0
            if size == 0 { size = file.length - start }
            guard size >= 8 else { return nil }
            type = String(decoding: head[4..<8], as: UTF8.self)
            // A part that was cut ends with the file.
            range = start..<(start + min(size, max(8, file.length - start)))
        }
    }
}
