import Foundation
import Synchronization

/// Decodes an untrusted sound or video file.
///
/// An implementation must hold to what `verifyContract(of:)` in `EchoTextTesting` checks:
/// - the facts come first and once, then the samples in their order, none of the pieces empty, and notices among them;
/// - the track that is asked for is the one that is given, and one that the file does not have is an error that lists its tracks;
/// - sound that the file holds and that was not given, or that it does not hold as it says, is a notice or an error;
/// - `take` gets one piece at a time, and the next only when it has returned, so that memory stays bounded;
/// - what `take` throws ends the decoding and is thrown;
/// - a damaged end is an error that comes after all sound before it.
package protocol SoundFileDecoder: Sendable {
    /// Decodes a sound track of `file`, mixed down to one channel, with silence where the file has none for a while.
    ///
    /// - Parameters:
    ///   - file: The file; its kind is detected from its content.
    ///   - track: Among those with sound, from 1; `nil` for the one that the file prefers, or in which somebody speaks.
    ///   - take: Receives the facts, then the sound.
    /// - Throws: ``SoundImportError``, `CancellationError`, and what `take` and reading `file` throw.
    func decode(
        _ file: any StoredBytes,
        track: Int?,
        take: @escaping @Sendable (DecodedSound) async throws -> Void
    ) async throws
}

extension SoundFileDecoder {
    /// Decodes the usual sound track of `file`.
    ///
    /// - Throws: As ``decode(_:track:take:)`` does.
    package func decode(
        _ file: any StoredBytes,
        take: @escaping @Sendable (DecodedSound) async throws -> Void
    ) async throws {
        try await decode(file, track: nil, take: take)
    }
}

/// A sound track of a file, as it is listed for a person.
package struct SoundTrack: Sendable, Hashable {
    /// From 1.
    package let number: Int
    /// BCP 47, where the file says it.
    package let language: String?
    /// Whether it is the one of several that the file prefers.
    package let isUsual: Bool

    package init(number: Int, language: String? = nil, isUsual: Bool = false) {
        (self.number, self.language, self.isUsual) = (number, language, isUsual)
    }
}

/// A part of a decoder's output.
package enum DecodedSound: Sendable, Hashable {
    /// The most samples of one piece.
    package static let longestPiece = 65_536

    case facts(SoundFacts)
    /// 16-bit mono at the rate of the facts.
    case samples([Int16])
    case notice(SoundImportNotice)
}

/// The properties of a sound file.
package struct SoundFacts: Sendable, Hashable {
    /// The rate of the decoded sound in hertz, within ``RecordingOrder/sampleRates``; other rates are resampled.
    package var sampleRate: Int
    /// Channels of the file, before they are mixed; `nil` when it is not known.
    package var channels: Int?
    /// Samples of the decoded sound; `nil` when the file does not say.
    package var samples: Int?
    package var tags: SoundTags

    package init(sampleRate: Int, channels: Int? = nil, samples: Int? = nil, tags: SoundTags = SoundTags()) {
        self.sampleRate = sampleRate
        self.channels = channels
        self.samples = samples
        self.tags = tags
    }

    /// Returns the rate nearest to `rate` at which sound is stored, in hertz.
    package static func storedRate(of rate: Int) -> Int {
        if rate < RecordingOrder.sampleRates.lowerBound { return RecordingOrder.sampleRates.lowerBound }
        // A higher rate would add inaudible frequencies and use more space.
        return RecordingOrder.sampleRates.contains(rate) ? rate : 48_000
    }

    /// How many samples a sound has as it is stored.
    ///
    /// - Parameters:
    ///   - samples: How many it has at its own rate.
    ///   - rate: Its own rate, in hertz.
    /// - Returns: `nil` for numbers that no sound has.
    package static func storedCount(of samples: Int, at rate: Int) -> Int? {
        let (product, isTooMuch) = samples.multipliedReportingOverflow(by: storedRate(of: rate))
        return isTooMuch || samples < 0 || rate <= 0 ? nil : product / rate
    }
}

/// Decodes each file by the decoder for its kind.
package struct CombinedSoundDecoder: SoundFileDecoder {
    private let simple: any SoundFileDecoder
    private let any: any SoundFileDecoder

    /// - Parameters:
    ///   - simple: Decodes kinds that ``SoundFileKind/isSimple``; refuses codecs that it does not know with
    ///     ``SoundImportError/unknownKind(found:)``.
    ///   - any: Decodes all kinds.
    package init(simple: any SoundFileDecoder, any: any SoundFileDecoder) {
        (self.simple, self.any) = (simple, any)
    }

    package func decode(
        _ file: any StoredBytes,
        track: Int?,
        take: @escaping @Sendable (DecodedSound) async throws -> Void
    ) async throws {
        let kind = try await SoundFileKind(of: file)
        guard kind.isSimple else { return try await any.decode(file, track: track, take: take) }
        if let track, track != 1 {
            // Only Ogg, among these kinds, can have several.
            guard kind == .ogg else { throw SoundImportError.noSuchTrack(track, of: [SoundTrack(number: 1)]) }
            return try await any.decode(file, track: track, take: take)
        }
        if kind == .ogg, track == nil, try await OggStreams(of: file).isFilm {
            do {
                return try await any.decode(file, track: track, take: take)
            } catch SoundImportError.programMissing, SoundImportError.notConfined {
                // The first of its tracks is better than none.
            }
        }
        do {
            try await simple.decode(file, track: track, take: take)
        } catch SoundImportError.unknownKind {
            do {
                try await any.decode(file, track: track, take: take)
            } catch SoundImportError.programMissing {
                throw SoundImportError.unknownKind(found: nil)
            }
        }
    }
}

/// The sound of a file that is not stored, decoded as fast as it is consumed.
package struct DecodedClips: ClipSource {
    package let sampleRate: Int
    private let sound: SoundChannel

    /// Decodes a file, or the `track` of it, while `work` takes its sound; where `keepsPart`, the sound of a damaged file ends where the
    /// damage is.
    ///
    /// - Throws: ``SoundImportError/damaged(seconds:)`` for a file without sound, what `decoder` throws, after all
    ///   sound before the error was consumed, and what `work` throws.
    package static func use<Output: Sendable>(
        of file: any StoredBytes,
        by decoder: any SoundFileDecoder,
        keepsPart: Bool = false,
        track: Int? = nil,
        _ work: (DecodedClips) async throws -> Output
    ) async throws -> Output {
        let sound = SoundChannel()
        let decoding = Task {
            do {
                try await decoder.decode(file, track: track) { try await sound.give($0) }
                await sound.end(.success(()))
            } catch SoundImportError.damaged where keepsPart {
                await sound.keep(.damaged)
                await sound.end(.success(()))
            } catch {
                await sound.end(.failure(error))
            }
        }
        do {
            let output = try await withTaskCancellationHandler {
                guard case .facts(let facts)? = try await sound.take() else {
                    throw SoundImportError.damaged(seconds: 0)
                }
                return try await work(DecodedClips(sampleRate: facts.sampleRate, sound: sound))
            } onCancel: {
                // The end of decoding wakes the waiting consumer.
                decoding.cancel()
            }
            await end(decoding, sound)
            return output
        } catch {
            await end(decoding, sound)
            throw error
        }
    }

    package func next() async throws -> AudioClip? {
        while let piece = try await sound.take() {
            switch piece {
            case .samples(let samples):
                return AudioClip(samples: samples.amplitudes(fullScale: .fullScale), sampleRate: sampleRate)
            case .notice(let notice): await sound.keep(notice)
            case .facts: continue
            }
        }
        return nil
    }

    /// The notices about the file for a person, as far as its sound has been taken.
    package var notices: [SoundImportNotice] { get async { await sound.notices } }

    private static func end(_ decoding: Task<Void, Never>, _ sound: SoundChannel) async {
        decoding.cancel()
        await sound.end(.failure(CancellationError()))
        await decoding.value
    }
}

/// Passes sound on piece by piece; the producer waits for the consumer.
private actor SoundChannel {
    private var piece: DecodedSound?
    private var outcome: Result<Void, any Error>?
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private(set) var notices: [SoundImportNotice] = []

    /// - Throws: `CancellationError` when it has ended.
    func give(_ sound: DecodedSound) async throws {
        while piece != nil, outcome == nil { await change() }
        guard outcome == nil else { throw CancellationError() }
        piece = sound
        resume()
    }

    /// - Returns: The next piece; `nil` at the end.
    /// - Throws: Why it has ended.
    func take() async throws -> DecodedSound? {
        while piece == nil, outcome == nil { await change() }
        guard let taken = piece else {
            try outcome?.get()
            return nil
        }
        piece = nil
        resume()
        return taken
    }

    func keep(_ notice: SoundImportNotice) { notices.append(notice) }

    /// Ends it after the last piece; only the first end counts.
    func end(_ result: Result<Void, any Error>) {
        outcome = outcome ?? result
        resume()
    }

    private func change() async {
        await withCheckedContinuation { waiting.append($0) }
    }

    private func resume() {
        for continuation in waiting { continuation.resume() }
        waiting = []
    }
}

/// Bytes that remember how far they were read.
final class ObservedBytes: StoredBytes {
    private let bytes: any StoredBytes
    private let furthest = Atomic(0)
    private let isNewPass = Atomic(false)

    init(_ bytes: any StoredBytes) {
        self.bytes = bytes
    }

    var length: Int { bytes.length }

    /// The part before the furthest byte that was read, 0 to 1.
    var share: Double { length > 0 ? Double(furthest.load(ordering: .relaxed)) / Double(length) : 0 }

    /// From here on the file is read once more: its sound is counted before it is decoded.
    func beginPass() { isNewPass.store(true, ordering: .relaxed) }

    func read(_ range: Range<Int>) async throws -> Data {
        let data = try await bytes.read(range)
        if isNewPass.exchange(false, ordering: .relaxed) { furthest.store(0, ordering: .relaxed) }
        // The last bytes of many files are read first, for tags or lengths: they say nothing.
        if range.upperBound < length || furthest.load(ordering: .relaxed) + 2 * range.count >= length {
            furthest.max(range.upperBound, ordering: .relaxed)
        }
        return data
    }
}

/// The streams that begin together at the beginning of an Ogg file.
///
/// - SeeAlso: RFC 3533, sections 4 and 6: their first pages come before all others.
struct OggStreams: Sendable, Hashable {
    private static let maximum = 64
    /// The longest head of a page, and the beginning of its content, in bytes.
    private static let reach = 27 + 255 + 8
    private static let sounds = [
        "OpusHead", "\u{1}vorbis", "\u{7F}FLAC", "Speex   ",
    ].map { Array($0.utf8) }
    private static let pictures: [[UInt8]] = [[0x80] + Array("theora".utf8), Array("BBCD".utf8), Array("OVP80".utf8)]

    /// How many have sound.
    private(set) var soundCount = 0
    private(set) var hasPictures = false

    /// - Throws: What reading throws.
    init(of file: any StoredBytes) async throws {
        var place = 0
        for _ in 0..<Self.maximum where place < file.length {
            let head = [UInt8](try await file.read(place..<min(file.length, place + Self.reach)))
            guard head.count >= 27, head.starts(with: Array("OggS".utf8)), head[5] & 2 != 0 else { return }
            let table = head.dropFirst(27).prefix(Int(head[26]))
            let packet = head.dropFirst(27 + table.count)
            if Self.sounds.contains(where: { packet.starts(with: $0) }) { soundCount += 1 }
            if Self.pictures.contains(where: { packet.starts(with: $0) }) { hasPictures = true }
            place += 27 + table.count + table.reduce(0) { $0 + Int($1) }
        }
    }

    /// Whether it matters which stream is taken, and when it begins.
    var isFilm: Bool { soundCount > 1 || (soundCount == 1 && hasPictures) }
}
