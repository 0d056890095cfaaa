import EchoText
import Foundation

/// A WAV file made from the pieces of a session; damaged or missing samples are silent.
actor RecordedSound {
    /// The ranges of damaged or missing samples, in order.
    private(set) var lost: [Range<Int>] = []

    private var header: Data?
    private let end: Int
    /// Whether sound that cannot be read now is silence, too.
    private let keepsPart: Bool
    private var position = 0
    private var pieces: ArraySlice<RecordedPiece>
    /// The open source of the first of ``pieces``.
    private var source: Source?
    private let database: LibraryDatabase
    private let contents: any SealedContents
    /// Samples that are read at once, and so few that little is lost with them: a sealed file is authenticated 64 KiB at a time.
    private static let (stretch, least) = (1 << 19, 1 << 14)

    private enum Source {
        case bytes(Data)
        case file(any StoredSound)
        case nothing
    }

    init(
        of session: RecordingSession,
        in pieces: [RecordedPiece],
        keepsPart: Bool,
        database: LibraryDatabase,
        contents: any SealedContents
    ) {
        header = Data(
            WAVHeader(sampleRate: session.order.sampleRate, dataLength: Int64(2 * session.samples)).bytes
        )
        end = session.samples
        self.pieces = pieces[...]
        self.keepsPart = keepsPart
        self.database = database
        self.contents = contents
    }

    func next() async throws -> Data? {
        if let header {
            self.header = nil
            return header
        }
        while let piece = pieces.first, piece.samples.upperBound <= position {
            pieces.removeFirst()
            source = nil
        }
        guard position < end else { return nil }
        let limit = min(end, position + Self.stretch)
        guard let piece = pieces.first, piece.samples.lowerBound < limit else { return silence(until: limit) }
        guard piece.samples.lowerBound <= position else { return silence(until: piece.samples.lowerBound) }
        let range = position..<min(limit, piece.samples.upperBound)
        if source == nil { source = try await open(piece) }
        if let sound = try await read(range, of: piece) {
            position = range.upperBound
            return sound
        }
        var sound = Data()
        while position < range.upperBound {
            let part = position..<min(range.upperBound, position + Self.least)
            if let read = try await read(part, of: piece) {
                sound += read
                position = part.upperBound
            } else {
                sound += silence(until: part.upperBound)
            }
        }
        return sound
    }

    private func silence(until end: Int) -> Data {
        if let last = lost.last, last.upperBound == position {
            lost[lost.count - 1] = last.lowerBound..<end
        } else {
            lost.append(position..<end)
        }
        defer { position = end }
        return Data(count: 2 * (end - position))
    }

    private func open(_ piece: RecordedPiece) async throws -> Source {
        try await valueUnlessDamaged {
            switch piece.place {
            case .row(let key):
                let sound = try await database.read { try RecordedPiece.sound(ofRow: key, in: $0) }
                return sound.map { .bytes($0) }
            case .file(let reference): return .file(try await contents.sound(of: reference))
            }
        } ?? .nothing
    }

    /// `nil` when a part of it cannot be read.
    private func read(_ range: Range<Int>, of piece: RecordedPiece) async throws -> Data? {
        let start = piece.samples.lowerBound
        let bytes = 2 * (range.lowerBound - start)..<2 * (range.upperBound - start)
        switch source {
        case .bytes(let sound): return bytes.upperBound <= sound.count ? Data(sound[bytes]) : nil
        case .file(let sound):
            guard bytes.upperBound <= sound.length else { return nil }
            return try await valueUnlessDamaged { try await sound.read(bytes) }
        case .nothing, nil: return nil
        }
    }

    /// Returns the result of `work`, or `nil` for sound that is permanently damaged or missing.
    ///
    /// Other errors, such as of a disk that cannot be read now, may be temporary.
    private func valueUnlessDamaged<Result>(_ work: () async throws -> Result?) async throws -> Result? {
        do {
            return try await work()
        } catch let error as VaultError {
            switch error {
            case .contentDamaged, .contentMissing, .databaseDamaged: return nil
            case .unsafeFolder, .wrongKey, .system(errno: EIO):
                guard keepsPart else { throw error }
                return nil
            default: throw error
            }
        }
    }
}
