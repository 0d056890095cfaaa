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

/// What a movie says of the samples of its tracks.
private struct MovieTable {
    /// More are not counted.
    private static let maximumTracks = 256

    private var tracks: [MovieTrack] = []
    /// The usual length of a sample in fragments, by track.
    private var usual: [Int: Int] = [:]

    init(_ bytes: [UInt8]) {
        let boxes = MovieBox.all(in: bytes[...])
        let head = boxes.first { $0.name == "mvhd" }
        let scale = head.flatMap { $0.number($0.isLong ? 20 : 12, 4) } ?? 0
        let extends = boxes.first { $0.name == "mvex" }
        for box in extends?.boxes ?? [] where box.name == "trex" {
            if let track = box.number(4, 4) { usual[track] = box.number(12, 4) }
        }
        tracks = boxes.filter { $0.name == "trak" }.prefix(Self.maximumTracks)
            .map { MovieTrack($0, movieScale: scale, isFragmented: extends != nil) }
    }

    func count(into part: inout ContainerPart) {
        let sounds = tracks.filter(\.isSound)
        part.held = sounds.map(\.held)
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
