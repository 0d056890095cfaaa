import EchoText
import Foundation

/// Finds the movies of an MPEG-4 or QuickTime file, which may be joined from several, and counts their sound.
///
/// - SeeAlso: ISO/IEC 14496-12, sections 8.4 to 8.8.
enum MovieParts {
    /// Bytes of the table of one fragment.
    private static let longestFragment = 16 << 20
    /// Boxes of a film of some weeks in fragments of a second.
    private static let maximumBoxes = 1 << 22

    /// - Throws: What reading threw.
    static func find(in file: FileWindow) async throws -> [ContainerPart] {
        var parts = PartList()
        guard parts.begin(at: 0) else { return [] }
        var table: MovieTable?
        var (place, boxes) = (0, 0)
        while place + 8 <= file.length, boxes < maximumBoxes {
            boxes += 1
            let head = try await file.bytes(at: place, count: 16)
            var (size, begin) = (head[..<4].bigEndian, 8)
            if size == 1, head.count == 16 { (size, begin) = (head[8...].bigEndian, 16) }
            let rest = file.length - place
            // The names of boxes are letters, or begin with Apple's sign.
            let isNamed = head[4..<8].allSatisfy { (0x20...0x7E).contains($0) || $0 == 0xA9 }
            if !isNamed, place > 0, try await file.kind(at: place) != nil {
                parts.change { $0.hasMore = true }
                break
            }
            if size == 0 { size = rest }
            guard size >= begin else { break }
            size = min(size, rest)
            let content = size - begin
            switch String(decoding: head[4..<8], as: UTF8.self) {
            case "ftyp" where table != nil:
                parts.change { table?.count(into: &$0) }
                table = nil
                guard parts.begin(at: place) else { return parts.all(until: place) }
            case "moov" where table == nil && content <= SequentialMovie.longestTable:
                table = MovieTable(try await file.bytes(at: place + begin, count: content))
            // Old films begin without a sign; FFmpeg reads the first of them. Streams in fragments repeat theirs.
            case "moov" where table?.isFragmented == false: parts.change { $0.hasMore = true }
            case "moof" where content <= longestFragment:
                let fragment = try await file.bytes(at: place + begin, count: content)
                table?.add(fragment: fragment)
            default: break
            }
            place += size
        }
        parts.change { table?.count(into: &$0) }
        return parts.all(until: file.length)
    }
}

/// A part of a table.
private struct MovieBox {
    /// The most that one holds: a handful for each track.
    private static let maximum = 65_536

    let name: String
    let content: ArraySlice<UInt8>

    /// The number in `count` bytes from `offset` on; `nil` where the box ends before.
    func number(_ offset: Int, _ count: Int) -> Int? {
        guard offset >= 0, content.count - offset >= count else { return nil }
        return content.dropFirst(offset).prefix(count).bigEndian
    }

    /// Whether its times have eight bytes, by its version.
    var isLong: Bool { number(0, 1) == 1 }
    var flags: Int { number(1, 3) ?? 0 }
    var boxes: [MovieBox] { Self.all(in: content) }

    func first(_ name: String) -> MovieBox? { boxes.first { $0.name == name } }

    static func all(in bytes: ArraySlice<UInt8>) -> [MovieBox] {
        var boxes: [MovieBox] = []
        var place = bytes.startIndex
        while place + 8 <= bytes.endIndex, boxes.count < maximum {
            let size = bytes[place..<place + 4].bigEndian
            guard size >= 8, size <= bytes.endIndex - place else { break }
            let name = String(decoding: bytes[place + 4..<place + 8], as: UTF8.self)
            boxes.append(MovieBox(name: name, content: bytes[place + 8..<place + size]))
            place += size
        }
        return boxes
    }
}

/// The tables of a movie about the samples of its tracks.
private struct MovieTable {
    /// More are not counted.
    private static let maximumTracks = 256

    /// Whether fragments that follow say where its samples are.
    let isFragmented: Bool
    private var tracks: [MovieTrack] = []
    /// The usual length of a sample in fragments, by track.
    private var usual: [Int: Int] = [:]

    init(_ bytes: [UInt8]) {
        let boxes = MovieBox.all(in: bytes[...])
        let head = boxes.first { $0.name == "mvhd" }
        let scale = head.flatMap { $0.number($0.isLong ? 20 : 12, 4) } ?? 0
        let extends = boxes.first { $0.name == "mvex" }
        isFragmented = extends != nil
        for box in extends?.boxes ?? [] where box.name == "trex" {
            if let track = box.number(4, 4) { usual[track] = box.number(12, 4) }
        }
        tracks = boxes.filter { $0.name == "trak" }.prefix(Self.maximumTracks)
            .map { MovieTrack($0, movieScale: scale, isFragmented: extends != nil) }
    }

    func count(into part: inout ContainerPart) {
        let sounds = tracks.filter(\.isSound)
        part.held = sounds.map(\.held)
        // A film begins with the first of its tracks; one that was cut out of a longer film may keep its times.
        let begin = tracks.count > 1 ? tracks.map(\.late).min() ?? 0 : 0
        part.late = sounds.map { $0.late - begin }
        part.pausing = Set(sounds.indices.filter { sounds[$0].hasPauses })
    }

    mutating func add(fragment bytes: [UInt8]) {
        for part in MovieBox.all(in: bytes[...]) where part.name == "traf" {
            guard let head = part.first("tfhd"), let id = head.number(4, 4),
                let index = tracks.firstIndex(where: { $0.id == id && $0.isSound })
            else { continue }
            let place = 8 + (head.flags & 1 == 0 ? 0 : 8) + (head.flags & 2 == 0 ? 0 : 4)
            let own = head.flags & 8 == 0 ? nil : head.number(place, 4)
            for run in part.boxes where run.name == "trun" { tracks[index].add(run, usual: own ?? usual[id] ?? 0) }
        }
    }
}

/// The samples of one track, and what of them is to be heard.
private struct MovieTrack {
    private struct Edit {
        /// Where it begins in the track, in seconds.
        let start: Double
        /// `nil` where it goes on to the end.
        let length: Double?
    }

    private(set) var id = 0
    private(set) var isSound = false
    /// Whether its codec is AMR, which leaves out pauses.
    private(set) var hasPauses = false
    /// Units in a second.
    private var scale = 0
    /// In seconds.
    private var length = 0.0
    private var edits: [Edit] = []
    /// How long nothing is heard before its first sample, in seconds.
    private(set) var late = 0.0
    /// Whether it is played at another speed, so that its length says nothing.
    private var isStretched = false

    init(_ box: MovieBox, movieScale: Int, isFragmented: Bool) {
        let head = box.first("tkhd")
        id = head.flatMap { $0.number($0.isLong ? 20 : 12, 4) } ?? 0
        guard let media = box.first("mdia"), let kind = media.first("hdlr") else { return }
        isSound = kind.content.dropFirst(8).starts(with: Array("soun".utf8))
        scale = media.first("mdhd").flatMap { $0.number($0.isLong ? 20 : 12, 4) } ?? 0
        let table = media.first("minf")?.first("stbl")
        // The name of the first entry.
        let codec = table?.first("stsd")?.content.dropFirst(12).prefix(4) ?? []
        hasPauses = ["samr", "sawb"].contains(String(decoding: codec, as: UTF8.self))
        let sizes = table?.first("stsz") ?? table?.first("stz2")
        if let times = table?.first("stts") { read(times, samples: sizes?.number(8, 4) ?? 0) }
        if let list = box.first("edts")?.first("elst") { read(list, movieScale, isFragmented: isFragmented) }
    }

    /// How much of it is to be heard, in seconds.
    var held: Double {
        if isStretched { return 0 }
        guard !edits.isEmpty else { return length }
        let parts = edits.map { edit in min(edit.length ?? .infinity, max(0, length - edit.start)) }
        return min(length, parts.reduce(0, +))
    }

    /// The last sample counts as the one before it at most: what is written there often fills up the movie.
    private mutating func read(_ times: MovieBox, samples: Int) {
        guard scale > 0 else { return }
        var left = samples
        var (last, previous): (Double?, Double?) = (nil, nil)
        for index in 0..<min(times.number(4, 4) ?? 0, times.content.count / 8) {
            guard left > 0, let count = times.number(8 + 8 * index, 4), let units = times.number(12 + 8 * index, 4)
            else { break }
            let taken = min(count, left)
            guard taken > 0 else { continue }
            left -= taken
            let step = seconds(Int(Int32(truncatingIfNeeded: units)))
            previous = taken > 1 ? step : last
            last = step
            length += Double(taken) * step
        }
        if let last, let previous, last > previous { length -= last - previous }
    }

    private mutating func read(_ list: MovieBox, _ movieScale: Int, isFragmented: Bool) {
        let width = list.isLong ? 8 : 4
        for index in 0..<min(list.number(4, 4) ?? 0, list.content.count / 12) {
            let place = 8 + index * (2 * width + 4)
            guard let units = list.number(place, width), let start = list.number(place + width, width),
                let rate = list.number(place + 2 * width, 4)
            else { break }
            if rate != 0x1_0000 { isStretched = true }
            // All bits are set where nothing is heard.
            let begin = width == 4 ? Int(Int32(truncatingIfNeeded: start)) : start
            if begin == -1, edits.isEmpty, movieScale > 0 {
                let silence = late + Double(units) / Double(movieScale)
                if (0...ContainerParts.longestStep).contains(silence) { late = silence }
            }
            guard begin >= 0, scale > 0 else { continue }
            let isKnown = units > 0 && movieScale > 0 && !isFragmented
            let length = isKnown ? Double(units) / Double(movieScale) : nil
            edits.append(Edit(start: Double(begin) / Double(scale), length: length))
        }
    }

    /// Adds the samples of a run in a fragment.
    mutating func add(_ run: MovieBox, usual: Int) {
        let flags = run.flags
        let count = run.number(4, 4) ?? 0
        guard flags & 0x100 != 0 else {
            length += Double(count) * seconds(usual)
            return
        }
        let begin = 8 + (flags & 1 == 0 ? 0 : 4) + (flags & 4 == 0 ? 0 : 4)
        let width = 4 * (flags & 0xF00).nonzeroBitCount
        for index in 0..<count {
            guard let units = run.number(begin + index * width, 4) else { return }
            length += seconds(units)
        }
    }

    /// The time that a sample takes; none for one that is negative or a mistake.
    private func seconds(_ units: Int) -> Double {
        guard scale > 0 else { return 0 }
        let seconds = Double(units) / Double(scale)
        return (0...ContainerParts.longestStep).contains(seconds) ? seconds : 0
    }
}

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
