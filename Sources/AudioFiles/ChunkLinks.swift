import EchoText

/// Finds the parts of a file of chunks, such as WAV, AIFF and CAF, which may be joined from several.
///
/// Their sound is not counted: it is of codecs that the library for sound files does not read. FFmpeg believes the size that a file
/// states of its sound, and ends where the first of joined files does.
///
/// - SeeAlso: ``WaveParts`` and ``ChunkedParts``, which count what that library reads.
enum ChunkLinks {
    /// Bytes behind the sound that may be anything.
    private static let scrap = 4_096
    private static let maximumChunks = 65_536
    /// Bytes by which programs are wrong that count more than the sound.
    private static let slip = 64
    /// The signs of tags, and the names of chunks that often stand behind the sound and may be cut.
    private static let usual = [
        "ID3", "TAG", "APETAGEX", "LIST", "id3 ", "bext", "iXML", "JUNK", "cue ", "smpl", "NAME", "ANNO",
    ]

    /// - Throws: What reading threw.
    static func find(in file: FileWindow) async throws -> [ContainerPart] {
        var parts = PartList()
        var start: Int? = 0
        while let place = start, let form = try await Form(at: place, in: file) {
            guard parts.begin(at: place) else { return parts.all(until: place) }
            let end = try await form.end(from: place, in: file)
            parts.change { part in
                part.isCut = end.isCut
                part.hasMore = end.hasMore
            }
            start = end.next
        }
        return parts.all(until: file.length)
    }

    /// An AU file is a single chunk.
    ///
    /// - Throws: What reading threw.
    static func findAU(in file: FileWindow) async throws -> [ContainerPart] {
        var part = ContainerPart(range: 0..<file.length)
        let head = try await file.bytes(at: 0, count: 12)
        guard head.count == 12 else { return [part] }
        let (start, size) = (head[4..<8].bigEndian, head[8...].bigEndian)
        if !isUnknown(size), start < file.length { part.isCut = isCut(size, rest: file.length - start) }
        return [part]
    }

    /// Whether `size` is one that programs write that do not know it.
    private static func isUnknown(_ size: Int) -> Bool {
        size <= 0 || (0xFFFF_F000...0xFFFF_FFFF).contains(size) || (0x7FFF_F000...0x8000_0000).contains(size)
    }

    /// Whether sound of `size` bytes, of which there are only `rest`, was cut; else its size was made up.
    private static func isCut(_ size: Int, rest: Int) -> Bool {
        size - rest > slip && StatedSize.isMeant(size, beside: rest)
    }

    /// Where a file ends.
    private struct End {
        /// Where another one begins.
        var next: Int?
        var isCut = false
        /// Whether something stands behind its sound that is likely to be more of it.
        var hasMore = false
    }

    private enum Form {
        case wave, aiff, caf

        /// Fails where none begins.
        init?(at place: Int, in file: FileWindow) async throws {
            let head = try await file.bytes(at: place, count: 12)
            guard head.count == 12 else { return nil }
            switch (String(decoding: head[..<4], as: UTF8.self), String(decoding: head[8...], as: UTF8.self)) {
            case ("RIFF", "WAVE"): self = .wave
            case ("FORM", "AIFF"), ("FORM", "AIFC"): self = .aiff
            case ("caff", _) where head[4] == 0 && head[5] == 1: self = .caf
            default: return nil
            }
        }

        /// The bytes before the first chunk, and before the content of each.
        private var heads: (file: Int, chunk: Int) {
            self == .caf ? (file: 8, chunk: 12) : (file: 12, chunk: 8)
        }

        /// Where the file that begins at `start` ends.
        func end(from start: Int, in file: FileWindow) async throws -> End {
            var place = start + heads.file
            var hasSound = false
            for _ in 0..<ChunkLinks.maximumChunks where place < file.length {
                if try await Form(at: place, in: file) != nil { return End(next: place) }
                let head = try await file.bytes(at: place, count: heads.chunk)
                let content = place + heads.chunk
                let size = self == .wave ? head.dropFirst(4).littleEndian : head.dropFirst(4).bigEndian
                let isSound = head.starts(with: Array((self == .aiff ? "SSND" : "data").utf8))
                if isSound, ChunkLinks.isUnknown(size) {
                    let other = try await self == .caf ? nil : next(from: content, in: file)
                    return End(next: other)
                }
                if isSound, size > file.length - content {
                    return End(isCut: ChunkLinks.isCut(size, rest: file.length - content))
                }
                let isChunk = head.count == heads.chunk && head[..<4].allSatisfy { (0x20...0x7E).contains($0) }
                guard isChunk, (0...file.length - content).contains(size) else {
                    let hasMore = try await hasSound ? ChunkLinks.isMore(at: place, in: file) : false
                    return End(hasMore: hasMore)
                }
                if isSound { hasSound = true }
                place = content + size
                // Not all programs fill an odd one up.
                let following = try await file.bytes(at: place, count: 4)
                let isName = following.count == 4 && following.allSatisfy { (0x20...0x7E).contains($0) }
                if self != .caf, size % 2 == 1, !isName { place += 1 }
            }
            return End()
        }

        /// Where a file of this form begins next.
        private func next(from start: Int, in file: FileWindow) async throws -> Int? {
            let sign = Array((self == .wave ? "RIFF" : "FORM").utf8)
            var place = start
            while let found = try await file.place(of: sign, from: place, before: file.length) {
                if try await Form(at: found, in: file) == self { return found }
                place = found + sign.count
            }
            return nil
        }
    }

    /// Whether what stands at `place` is more than tags, padding or a scrap.
    private static func isMore(at place: Int, in file: FileWindow) async throws -> Bool {
        guard file.length - place >= scrap else { return false }
        let bytes = try await file.bytes(at: place, count: 65_536)
        return !usual.contains { bytes.starts(with: Array($0.utf8)) } && bytes.contains { $0 != 0 }
    }
}
