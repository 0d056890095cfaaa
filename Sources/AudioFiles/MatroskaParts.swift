import EchoText

/// Finds the segments of a Matroska or WebM file, which may be joined from several, and counts their sound.
///
/// - SeeAlso: RFC 8794, sections 4 and 5; RFC 9559, section 5.
enum MatroskaParts {
    private static let beginning: [UInt8] = [0x1A, 0x45, 0xDF, 0xA3]
    private static let cluster: [UInt8] = [0x1F, 0x43, 0xB6, 0x75]

    /// - Throws: What reading threw.
    static func find(in file: FileWindow) async throws -> [ContainerPart] {
        var parts = PartList()
        var count = MatroskaCount()
        var place = 0
        while place < file.length {
            guard let element = try await MatroskaElement(at: place, in: file) else {
                // Skips damage and gaps, as decoders do.
                let next = try await file.place(of: cluster, from: place + 1, before: file.length)
                let end = next ?? file.length
                let begun = try await file.place(of: beginning, from: place + 1, before: end)
                let hasMore = try await next == nil ? file.kind(at: place) != nil : true
                if begun == nil, hasMore { parts.change { $0.hasMore = true } }
                place = begun ?? end
                continue
            }
            if element.kind == nil, let other = try await file.kind(at: place), other != .movie {
                parts.change { $0.hasMore = true }
                break
            }
            if element.kind == .beginning {
                parts.change { $0.held = count.held }
                count = MatroskaCount()
                guard parts.begin(at: place) else { return parts.all(until: place) }
            }
            if element.isCut { parts.change { $0.isCut = true } }
            if let value = element.kind?.longestValue {
                let bytes = try await file.bytes(at: element.content, count: min(value, element.end - element.content))
                count.take(element.kind, bytes)
            } else if element.kind == .track {
                count.beginTrack()
            }
            place = element.kind?.hasParts == true ? element.content : element.end
        }
        parts.change { $0.held = count.held }
        return parts.all(until: file.length)
    }
}

/// An element of a file, with the range of its content.
private struct MatroskaElement {
    /// Those that matter here.
    enum Kind: Int {
        case beginning = 0x1A45_DFA3
        case segment = 0x1853_8067
        case info = 0x1549_A966
        case scale = 0x2A_D7B1
        case tracks = 0x1654_AE6B
        case track = 0xAE
        case trackNumber = 0xD7
        case trackType = 0x83
        case cluster = 0x1F43_B675
        case time = 0xE7
        case simpleBlock = 0xA3
        case group = 0xA0
        case block = 0xA1

        var hasParts: Bool {
            switch self {
            case .segment, .info, .tracks, .track, .cluster, .group: true
            default: false
            }
        }

        /// How many bytes of its content are wanted; `nil` where none are.
        var longestValue: Int? {
            switch self {
            case .scale, .trackNumber, .trackType, .time: 8
            // The track's number and the time that begin a block.
            case .simpleBlock, .block: 10
            default: nil
            }
        }
    }

    /// `nil` for all others.
    let kind: Kind?
    let content: Int
    let end: Int
    /// Whether it is a segment of which bytes are missing.
    let isCut: Bool

    /// Bytes that may be missing of a segment whose sound is whole.
    private static let slack = 1_024

    /// Fails where none begins.
    init?(at place: Int, in file: FileWindow) async throws {
        let head = try await file.bytes(at: place, count: 12)
        guard let first = head.first, first >= 0x10 else { return nil }
        let width = first.leadingZeroBitCount + 1
        guard head.count > width, head[width] > 0 else { return nil }
        kind = Kind(rawValue: head[..<width].bigEndian)
        let sizeWidth = head[width].leadingZeroBitCount + 1
        guard head.count >= width + sizeWidth else { return nil }
        let mask = 1 << (7 * sizeWidth) - 1
        let size = head[width..<width + sizeWidth].bigEndian & mask
        content = place + width + sizeWidth
        // The size is not known where the file is written while it is recorded.
        let isOpen = size == mask
        guard !isOpen || kind == .segment || kind == .cluster else { return nil }
        end = isOpen ? file.length : content + min(size, file.length - content)
        isCut = kind == .segment && !isOpen && size > file.length - content + Self.slack
    }
}

/// The blocks of each track with sound, and their time stamps.
private struct MatroskaCount {
    private struct Track {
        var number = 0
        var isSound = false
        var stamps = StampCount()
    }

    /// More are not counted.
    private static let maximumTracks = 256

    private var tracks: [Track] = []
    /// The length of a unit of time, in seconds.
    private var scale = 0.001
    private var cluster = 0

    /// In seconds, of the tracks with sound in their order.
    var held: [Double] { tracks.filter(\.isSound).map(\.stamps.seconds) }

    mutating func beginTrack() {
        if tracks.count < Self.maximumTracks { tracks.append(Track()) }
    }

    mutating func take(_ kind: MatroskaElement.Kind?, _ bytes: [UInt8]) {
        switch kind {
        case .scale: scale = Double(bytes.bigEndian) / 1e9
        case .time: cluster = bytes.bigEndian
        case .trackNumber: change { $0.number = bytes.bigEndian }
        case .trackType: change { $0.isSound = bytes.bigEndian == 2 }
        case .simpleBlock, .block: addBlock(bytes)
        default: break
        }
    }

    private mutating func change(_ change: (inout Track) -> Void) {
        guard !tracks.isEmpty else { return }
        change(&tracks[tracks.count - 1])
    }

    private mutating func addBlock(_ bytes: [UInt8]) {
        guard let first = bytes.first, first > 0 else { return }
        let width = first.leadingZeroBitCount + 1
        guard bytes.count >= width + 2 else { return }
        let number = bytes[..<width].bigEndian & (1 << (7 * width) - 1)
        guard let index = tracks.firstIndex(where: { $0.number == number && $0.isSound }) else { return }
        let step = Int16(truncatingIfNeeded: bytes[width..<width + 2].bigEndian)
        tracks[index].stamps.add((Double(cluster) + Double(step)) * scale)
    }
}
