import EchoText

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
        var movie = Movie(start: 0)
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
            case "ftyp" where movie.table != nil:
                try await movie.addUnlisted(of: file)
                parts.divide(at: place) { movie.table?.parts(of: $0) ?? [$0] }
                movie = Movie(start: place)
                guard parts.begin(at: place) else { return parts.all(until: place) }
            case "moov" where movie.table == nil && content <= SequentialMovie.longestTable:
                let bytes = try await file.bytes(at: place + begin, count: content)
                movie.table = MovieTable(bytes, at: place + begin - movie.start)
            // Old films begin without a sign; FFmpeg reads the first of them. Streams in fragments repeat theirs.
            case "moov" where movie.table?.isFragmented == false: parts.change { $0.hasMore = true }
            case "moof":
                movie.hasFragments = true
                guard content <= longestFragment else { break }
                let fragment = try await file.bytes(at: place + begin, count: content)
                movie.table?.add(fragment: fragment)
            case "mdat": movie.add(place + begin..<place + size)
            case "meta": movie.hasItems = true
            default: break
            }
            place += size
        }
        try await movie.addUnlisted(of: file)
        parts.divide(at: file.length) { movie.table?.parts(of: $0) ?? [$0] }
        return parts.all(until: file.length)
    }
}

/// A movie whose boxes are met one after another.
private struct Movie {
    /// More boxes of content, or stretches between what is listed, are not looked at.
    private static let maximumRanges = 65_536
    /// The most bytes that are read to tell content from padding, by whole pieces.
    private static let longestSearch = 64 << 20
    private static let pieceLength = 32 << 10
    /// The first bytes of JPEG and PNG.
    private static let pictures: [[UInt8]] = [[0xFF, 0xD8, 0xFF], [0x89, 0x50, 0x4E, 0x47]]

    /// Where it begins in the file.
    let start: Int
    var table: MovieTable?
    var hasFragments = false
    /// Whether there may be pictures among its content that no track lists.
    var hasItems = false
    /// Where its sound and pictures are, by its own beginning.
    private var content: [Range<Int>] = []

    init(start: Int) {
        self.start = start
    }

    /// Adds content, by its place in the file.
    mutating func add(_ range: Range<Int>) {
        guard content.count < Self.maximumRanges else { return }
        content.append(range.moved(by: -start))
    }

    /// Adds to the tracks what there is behind the sound that they list.
    mutating func addUnlisted(of file: FileWindow) async throws {
        guard let listed = table, !listed.isFragmented, !hasFragments, let end = listed.endOfSound else { return }
        var gaps: [(range: Range<Int>, filled: Int)] = []
        var left = Self.longestSearch
        for range in stretches(beside: listed.ranges, from: end) where left > 0 {
            let count = try await filled(range, of: file, upTo: &left)
            if count > 0 { gaps.append((range: range, filled: count)) }
        }
        table?.add(unlisted: gaps, hasItems: hasItems)
    }

    /// The stretches of the content from `begin` on that are not in `listed`.
    private func stretches(beside listed: [Range<Int>], from begin: Int) -> [Range<Int>] {
        let sorted = listed.sorted { $0.lowerBound < $1.lowerBound }
        var gaps: [Range<Int>] = []
        var index = 0
        for range in content where gaps.count < Self.maximumRanges {
            var place = max(range.lowerBound, begin)
            while index < sorted.count, sorted[index].lowerBound < range.upperBound {
                if sorted[index].lowerBound > place { gaps.append(place..<sorted[index].lowerBound) }
                place = max(place, sorted[index].upperBound)
                // It may reach into the content that follows.
                if place > range.upperBound { break }
                index += 1
            }
            if place < range.upperBound { gaps.append(place..<range.upperBound) }
        }
        return gaps
    }

    /// How many bytes of `range` are neither padding nor in boxes: cameras write some among the content, and so do programs that put
    /// the fragments of a recording together.
    private func filled(_ range: Range<Int>, of file: FileWindow, upTo left: inout Int) async throws -> Int {
        var place = range.lowerBound
        var count = 0
        var isBox = true
        while place < range.upperBound, left > 0 {
            let rest = range.upperBound - place
            let bytes = try await file.bytes(at: start + place, count: min(rest, Self.pieceLength))
            guard !bytes.isEmpty else { break }
            left -= Self.pieceLength
            // Programs that take a cover out of a book let its bytes stand.
            if place == range.lowerBound, Self.pictures.contains(where: { bytes.starts(with: $0) }) { return 0 }
            let size = bytes.prefix(4).bigEndian
            isBox =
                isBox && bytes.count >= 8 && (8...rest).contains(size)
                && bytes[4..<8].allSatisfy { (0x20...0x7E).contains($0) }
            if !isBox { count += bytes.count(where: { $0 != 0 && $0 != 0xFF }) }
            place += isBox ? size : bytes.count
        }
        return count
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
    /// Where the content of the table begins in the movie.
    private let place: Int

    init(_ bytes: [UInt8], at place: Int) {
        self.place = place
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

    /// The parts that the movie is read in: several where there is silence within its only sound, which FFmpeg does not know.
    func parts(of whole: ContainerPart) -> [ContainerPart] {
        let sounds = tracks.filter(\.isSound)
        var part = whole
        part.held = sounds.map(\.held)
        // A film begins with the first of its tracks; one that was cut out of a longer film may keep its times.
        let begin = tracks.count > 1 ? tracks.map(\.late).min() ?? 0 : 0
        part.late = sounds.map { $0.late - begin }
        part.pausing = Set(sounds.indices.filter { sounds[$0].hasPauses })
        guard sounds.count == 1, !isFragmented, sounds[0].isDivided else { return [part] }
        return sounds[0].stretches.enumerated().map { index, stretch in
            var one = part
            one.held = [sounds[0].length(of: stretch)]
            if index > 0 { one.late = [stretch.late] }
            one.change = sounds[0].list(of: stretch).map { (place: place + $0.place, bytes: $0.bytes) }
            return one
        }
    }

    /// Where the listed samples of the first sound to end do; `nil` where some are listed in a way that is not counted.
    var endOfSound: Int? {
        guard tracks.allSatisfy(\.samples.isCounted) else { return nil }
        return tracks.filter { $0.isSound && $0.samples.bytes > 0 }.map(\.samples.end).min()
    }

    /// Where the samples of all tracks are.
    var ranges: [Range<Int>] { tracks.flatMap(\.samples.ranges) }

    /// Adds stretches of the content that no track lists, with the number of bytes in each that are no padding.
    mutating func add(unlisted gaps: [(range: Range<Int>, filled: Int)], hasItems: Bool) {
        let largest = tracks.map(\.samples.bytes).max() ?? 0
        let last = tracks.map(\.samples.end).max() ?? 0
        for index in tracks.indices where tracks[index].isSound {
            let behind = gaps.filter { $0.range.lowerBound >= tracks[index].samples.end }
            // Behind all pictures there may be more of those.
            let isOwn = tracks[index].samples.bytes == largest
            let sound = behind.filter { isOwn || $0.range.upperBound <= last }
            tracks[index].add(
                unlisted: behind.reduce(0) { $0 + $1.filled },
                unstated: hasItems ? 0 : sound.reduce(0) { $0 + $1.filled }
            )
        }
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

/// Where the samples of one track are.
private struct MovieSamples {
    /// More than any sample has.
    private static let longest = 1 << 24
    /// Beyond the end of any file.
    private static let farthest = 1 << 60
    /// Chunks of some hours, each with a single sample.
    private static let maximumRanges = 1 << 20

    /// The samples that have a size.
    private(set) var sized = 0
    /// The samples that stand in chunks.
    private(set) var placed = 0
    private(set) var ranges: [Range<Int>] = []
    private(set) var bytes = 0
    /// Where the last one ends.
    private(set) var end = 0
    /// Whether their sizes are meant, as those of old films are not, and all are in ``ranges``.
    private(set) var isCounted = true

    private init(isCounted: Bool) {
        self.isCounted = isCounted
    }

    static let empty = MovieSamples(isCounted: true)
    static let uncounted = MovieSamples(isCounted: false)

    init(_ table: MovieBox) {
        let short = table.first("stsz") == nil ? table.first("stz2") : nil
        guard let sizes = table.first("stsz") ?? short else { return }
        let fixed = short == nil ? min(sizes.number(4, 4) ?? 0, Self.longest) : 0
        let bits = short.flatMap { $0.number(7, 1) } ?? 32
        isCounted = fixed != 1 && (8...32).contains(bits)
        let stated = sizes.number(8, 4) ?? 0
        sized = fixed > 0 ? stated : min(stated, max(0, sizes.content.count - 12) * 8 / max(bits, 4))
        guard isCounted else { return }
        let places = table.first("stco") ?? table.first("co64")
        guard let places, let groups = table.first("stsc") else { return }
        let width = table.first("stco") == nil ? 8 : 4
        var (group, count, sample) = (0, 0, 0)
        for chunk in 0..<min(places.number(4, 4) ?? 0, places.content.count / width) {
            while let first = groups.number(8 + 12 * group, 4), first <= chunk + 1,
                group < groups.number(4, 4) ?? 0
            {
                count = groups.number(12 + 12 * group, 4) ?? 0
                group += 1
            }
            placed += count
            let next = min(sized, sample + count)
            guard sample < next, let place = places.number(8 + chunk * width, width) else { continue }
            var length = fixed * (next - sample)
            if fixed == 0 {
                for index in sample..<next { length += sizes.number(12 + index * bits / 8, bits / 8) ?? 0 }
            }
            sample = next
            guard (0..<Self.farthest).contains(place), length > 0 else { continue }
            bytes += length
            end = max(end, place + length)
            if let last = ranges.last, last.upperBound == place {
                ranges[ranges.count - 1] = last.lowerBound..<place + length
            } else if ranges.count < Self.maximumRanges {
                ranges.append(place..<place + length)
            } else {
                isCounted = false
            }
        }
    }
}

/// The samples of one track, and what of them is to be heard.
private struct MovieTrack {
    /// A part of the track that is heard without silence in it.
    struct Stretch {
        struct Edit {
            /// Where it begins in the track, in seconds.
            let start: Double
            /// `nil` where it goes on to the end.
            let length: Double?
        }

        /// How long nothing is heard before it, in seconds.
        var late = 0.0
        var edits: [Edit] = []
        /// The edits as the file writes them.
        var written: [UInt8] = []
    }

    /// The least that is behind the samples of a track without being listed or stated anywhere, in seconds and in bytes.
    private static let (shortest, fewest) = (1.0, 4_096)

    private(set) var id = 0
    private(set) var isSound = false
    /// Whether its codec is AMR, which leaves out pauses.
    private(set) var hasPauses = false
    /// Units in a second.
    private var scale = 0
    /// In seconds.
    private var length = 0.0
    private(set) var samples = MovieSamples.empty
    /// How much longer it is by those of its tables that count more samples than have a size, in seconds.
    private var more = 0.0
    /// How much there is of it that its tables do not list, in seconds.
    private var unlisted = 0.0
    /// Several where there is silence within.
    private(set) var stretches: [Stretch] = []
    /// Whether there is silence behind some of its sound.
    private(set) var isDivided = false
    private var editList: MovieBox?
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
        samples = table.map { MovieSamples($0) } ?? .empty
        if let times = table?.first("stts") { read(times) }
        if let list = box.first("edts")?.first("elst") { read(list, movieScale, isFragmented: isFragmented) }
    }

    /// How much of it is to be heard, in seconds.
    var held: Double {
        if isStretched { return 0 }
        return min(length + unlisted, stretches.isEmpty ? .infinity : stretches.map { length(of: $0) }.reduce(0, +))
    }

    /// How much of `stretch` is to be heard, in seconds.
    func length(of stretch: Stretch) -> Double {
        if isStretched { return 0 }
        let whole = length + unlisted
        guard !stretch.edits.isEmpty else { return stretches.count > 1 ? 0 : whole }
        let parts = stretch.edits.map { edit in min(edit.length ?? .infinity, max(0, whole - edit.start)) }
        return min(whole, parts.reduce(0, +))
    }

    /// How long nothing is heard before its first sample, in seconds.
    var late: Double { stretches.first?.late ?? 0 }

    /// A list of the edits of `stretch` alone, as long as the list of all, and its place in the content of the movie's table.
    func list(of stretch: Stretch) -> (place: Int, bytes: [UInt8])? {
        guard let list = editList else { return nil }
        let width = list.isLong ? 20 : 12
        func number(_ number: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) } }
        let head: [UInt8] = number(16 + stretch.written.count) + Array("elst".utf8) + list.content.prefix(4)
        let edits = number(stretch.written.count / width) + stretch.written
        let left = list.content.count + 8 - head.count - edits.count
        let rest = left < 8 ? [] : number(left) + Array("free".utf8)
        return (list.content.startIndex - 8, head + edits + rest)
    }

    /// Adds what stands behind its samples.
    ///
    /// - Parameters:
    ///   - bytes: What may be in other tracks as well, and counts where a table knows of it.
    ///   - likely: What counts even if none does.
    mutating func add(unlisted bytes: Int, unstated likely: Int) {
        guard samples.bytes > 0, length > 0 else { return }
        let rate = Double(samples.bytes) / length
        let found = Double(likely) / rate
        unlisted = min(more, Double(bytes) / rate)
        if found >= Self.shortest, likely >= Self.fewest { unlisted = max(unlisted, found) }
    }

    private mutating func read(_ times: MovieBox) {
        guard scale > 0 else { return }
        let listed = seconds(times, of: samples.sized)
        length = listed.seconds
        // FFmpeg finds the samples of such sound by its chunks alone.
        let isUncounted = isSound && times.number(12, 4) == 1
        let most = max(listed.count, samples.placed)
        if most > samples.sized { more = max(0, seconds(times, of: most, isFilled: true).seconds - length) }
        if isUncounted { samples = .uncounted }
    }

    /// How long the first of its samples last.
    ///
    /// The last sample counts as the one before it at most: what is written there often fills up the movie.
    ///
    /// - Parameters:
    ///   - times: How long each lasts.
    ///   - samples: How many.
    ///   - isFilled: Whether those without a length are as long as the last that has one.
    /// - Returns: Their length, and how many samples have one.
    private func seconds(_ times: MovieBox, of samples: Int, isFilled: Bool = false) -> (seconds: Double, count: Int) {
        var (length, all, left) = (0.0, 0, samples)
        var (last, previous): (Double?, Double?) = (nil, nil)
        for index in 0..<min(times.number(4, 4) ?? 0, times.content.count / 8) {
            guard let count = times.number(8 + 8 * index, 4), let units = times.number(12 + 8 * index, 4) else { break }
            all += count
            let taken = min(count, left)
            guard taken > 0 else { continue }
            left -= taken
            let step = seconds(Int(Int32(truncatingIfNeeded: units)))
            previous = taken > 1 ? step : last
            last = step
            length += Double(taken) * step
        }
        if let last, let previous, last > previous { length -= last - previous }
        if isFilled { length += Double(left) * min(last ?? 0, previous ?? last ?? 0) }
        return (length, all)
    }

    private mutating func read(_ list: MovieBox, _ movieScale: Int, isFragmented: Bool) {
        editList = list
        let width = list.isLong ? 8 : 4
        for index in 0..<min(list.number(4, 4) ?? 0, list.content.count / 12) {
            let place = 8 + index * (2 * width + 4)
            guard let units = list.number(place, width), let start = list.number(place + width, width),
                let rate = list.number(place + 2 * width, 4)
            else { break }
            if rate != 0x1_0000 { isStretched = true }
            // All bits are set where nothing is heard.
            let begin = width == 4 ? Int(Int32(truncatingIfNeeded: start)) : start
            // More than are told apart go into one.
            let divides = begin == -1 && stretches.count <= ContainerParts.maximum
            if stretches.isEmpty || divides && !stretches[stretches.count - 1].edits.isEmpty {
                isDivided = !stretches.isEmpty
                stretches.append(Stretch())
            }
            let last = stretches.count - 1
            stretches[last].written += list.content.dropFirst(place).prefix(2 * width + 4)
            if begin == -1, movieScale > 0 {
                let silence = stretches[last].late + Double(units) / Double(movieScale)
                if (0...ContainerParts.longestStep).contains(silence) { stretches[last].late = silence }
            }
            guard begin >= 0, scale > 0 else { continue }
            let isKnown = units > 0 && movieScale > 0 && !isFragmented
            let length = isKnown ? Double(units) / Double(movieScale) : nil
            stretches[last].edits.append(Stretch.Edit(start: Double(begin) / Double(scale), length: length))
        }
        // Silence at the end is left out.
        if stretches.count > 1, stretches[stretches.count - 1].edits.isEmpty { stretches.removeLast() }
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
