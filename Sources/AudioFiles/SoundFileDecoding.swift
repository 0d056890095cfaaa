import CSndFile
package import EchoText
import Foundation

/// Decodes WAV, AIFF, AU, CAF, W64, FLAC, Ogg and MP3 by libsndfile.
///
/// A decoder that meets an untrusted file belongs in a process of its own; this one runs in the caller's.
package enum SoundFileDecoding {
    /// Decodes a file that is read by ranges.
    ///
    /// Each of the parts that it was joined from is decoded by itself, and its sound is compared with what the part holds.
    ///
    /// - Parameters:
    ///   - length: The size of the file, in bytes.
    ///   - read: Returns bytes of the file, at least one and possibly fewer than asked for.
    ///   - give: Receives the facts, then the sound, then notices.
    /// - Throws: ``SoundImportError/unknownKind(found:)``, ``SoundImportError/noSound``,
    ///   ``SoundImportError/damaged(seconds:)``, and what `read` and `give` throw.
    package static func decode(
        length: Int,
        read: @escaping (Range<Int>) throws -> [UInt8],
        give: (DecodedSound) throws -> Void
    ) throws {
        let file = SoundBytes(length: length, read: read)
        let parts = try SoundParts.find(in: file)
        var output: PartOutput?
        var count = PartCount()
        for part in parts {
            let sound: OpenedSound
            do {
                sound = try OpenedSound(ReadFile(file, part.segments))
            } catch SoundImportError.unknownKind {
                // The bytes before it and behind it may be sound.
                count.isIncomplete = true
                continue
            }
            if output == nil {
                let kept = SoundFacts.storedRate(of: sound.rate)
                try give(.facts(sound.facts(rate: kept, samples: sound.expected(parts), of: file)))
                output = PartOutput(rate: kept)
            }
            guard let kept = output?.rate else { continue }
            let end = try sound.decode(part, to: kept) { piece in
                output?.samples += piece.count
                try give(.samples(piece))
            }
            count.add(part, end)
        }
        guard let output else { throw SoundImportError.unknownKind(found: nil) }
        let seconds = Double(output.samples) / Double(output.rate)
        if count.isDamaged { throw SoundImportError.damaged(seconds: seconds) }
        guard output.samples > 0 else { throw SoundImportError.noSound }
        if count.isIncomplete {
            try give(.notice(.incomplete(kept: seconds)))
        } else if count.isMisstated {
            try give(.notice(.lengthDiffers(stated: count.stated, kept: seconds)))
        }
    }
}

/// The output of all parts so far.
private struct PartOutput {
    /// In hertz.
    let rate: Int
    var samples = 0
}

/// How much sound came of a part.
private struct PartEnd {
    /// Before its rate was changed, in seconds.
    var seconds: Double
    /// Whether the library met what it could not read, or stopped before the end.
    var isDamaged: Bool
}

/// The parts that were decoded, against what they hold.
private struct PartCount {
    private(set) var isDamaged = false
    var isIncomplete = false
    private(set) var isMisstated = false
    /// The sum of the lengths that the parts state, in seconds.
    private(set) var stated = 0.0

    mutating func add(_ part: SoundPart, _ end: PartEnd) {
        if part.isCut || end.isDamaged { isDamaged = true }
        if let held = part.held, end.seconds < held - part.tolerance { isIncomplete = true }
        if part.hasMore { isIncomplete = true }
        if part.misstated != nil { isMisstated = true }
        stated += part.misstated ?? end.seconds
    }
}

/// A file that libsndfile reads: some segments of it, with a position, and failures that are kept instead of lost.
private final class ReadFile {
    let length: Int
    private let file: SoundBytes
    private let segments: [SoundPart.Segment]
    /// Where each segment begins, and behind them their end.
    private let starts: [Int]
    private var position = 0
    private(set) var failure: (any Error)?

    init(_ file: SoundBytes, _ segments: [SoundPart.Segment]) {
        var starts = [0]
        for segment in segments {
            let count =
                switch segment {
                case .bytes(let bytes): bytes.count
                case .file(let range): range.count
                }
            starts.append(starts[starts.count - 1] + count)
        }
        (self.file, self.segments, self.starts) = (file, segments, starts)
        length = starts[starts.count - 1]
    }

    func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
        let base =
            switch whence {
            case SEEK_CUR: position
            case SEEK_END: length
            default: 0
            }
        let (place, overflows) = base.addingReportingOverflow(Int(offset))
        guard !overflows, place >= 0 else { return -1 }
        position = place
        return Int64(place)
    }

    var place: Int64 { Int64(position) }

    func read(into bytes: UnsafeMutableRawBufferPointer) -> Int64 {
        var done = 0
        while done < bytes.count, position < length, failure == nil {
            let index = segment(at: position)
            let inside = position - starts[index]
            let wanted = min(bytes.count - done, starts[index + 1] - position)
            var part: [UInt8] = []
            switch segments[index] {
            case .bytes(let own): part = Array(own[inside..<inside + wanted])
            case .file(let range):
                do {
                    part = try file.bytes(at: range.lowerBound + inside, count: wanted)
                } catch {
                    failure = error
                }
            }
            if part.isEmpty { break }
            UnsafeMutableRawBufferPointer(rebasing: bytes[done...]).copyBytes(from: part)
            position += part.count
            done += part.count
        }
        return Int64(done)
    }

    /// The segment that `place` is in, by halving.
    private func segment(at place: Int) -> Int {
        var (low, high) = (0, segments.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= place { low = middle } else { high = middle }
        }
        return low
    }

    /// The callbacks for libsndfile; each takes the pointer that ``pointer`` gives.
    static var callbacks: SF_VIRTUAL_IO {
        SF_VIRTUAL_IO(
            get_filelen: { Int64(ReadFile.at($0).length) },
            seek: { offset, whence, user in ReadFile.at(user).seek(offset, whence) },
            read: { bytes, count, user in
                ReadFile.at(user).read(into: UnsafeMutableRawBufferPointer(start: bytes, count: max(0, Int(count))))
            },
            write: { _, _, _ in 0 },
            tell: { ReadFile.at($0).place }
        )
    }

    /// Valid as long as this object lives.
    var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    private static func at(_ pointer: UnsafeMutableRawPointer?) -> ReadFile {
        guard let pointer else { preconditionFailure("libsndfile lost the file it was given") }
        return Unmanaged<ReadFile>.fromOpaque(pointer).takeUnretainedValue()
    }
}

/// Owns one `SNDFILE` opened for reading.
private final class OpenedSound {
    /// Above it are only headers that lie.
    private static let maximumChannels = 64
    private static let rates = 100...768_000
    /// Frames that are decoded at once.
    private static let block = 16_384
    /// Frames at both ends of MP3 that are there for the codec's sake.
    private static let layerDelay = 4_096

    private let source: ReadFile
    private let handle: OpaquePointer
    private let info: SF_INFO
    /// The factor for all samples.
    private var gain: Float = 1

    /// - Throws: ``SoundImportError/unknownKind(found:)``, and what reading threw.
    init(_ source: ReadFile) throws {
        var info = SF_INFO()
        var callbacks = ReadFile.callbacks
        let handle = sf_open_virtual(&callbacks, Int32(SFM_READ), &info, source.pointer)
        if let failure = source.failure {
            if let handle { sf_close(handle) }
            throw failure
        }
        guard let handle else { throw SoundImportError.unknownKind(found: nil) }
        guard (1...Self.maximumChannels).contains(Int(info.channels)), Self.rates.contains(Int(info.samplerate)) else {
            sf_close(handle)
            throw SoundImportError.unknownKind(found: nil)
        }
        self.source = source
        self.handle = handle
        self.info = info
        if [SF_FORMAT_FLOAT, SF_FORMAT_DOUBLE].contains(where: { Int($0) == codec }) { gain = try fittingGain() }
    }

    deinit { sf_close(handle) }

    private var codec: Int { Int(info.format) & Int(SF_FORMAT_SUBMASK) }

    /// Reads all of the sound once to find how far it must be turned down.
    private func fittingGain() throws -> Float {
        let channels = Int(info.channels)
        var overload = Overload()
        var interleaved = [Float](repeating: 0, count: Self.block * channels)
        while true {
            let count = Int(sf_readf_float(handle, &interleaved, sf_count_t(Self.block)))
            if let failure = source.failure { throw failure }
            guard count > 0 else { break }
            overload.add(interleaved[..<(count * channels)])
        }
        guard sf_seek(handle, 0, SEEK_SET) == 0 else { throw SoundImportError.decoderDied }
        return overload.gain
    }

    /// In hertz.
    var rate: Int { Int(info.samplerate) }

    /// Frames that the file says it has, where that is a number.
    private var stated: Int? { info.frames < 1 << 48 ? Int(info.frames) : nil }

    /// Frames that the file may count and the library leaves out.
    private var delay: Int {
        codec == Int(SF_FORMAT_MPEG_LAYER_III) ? Self.layerDelay : 0
    }

    /// How many samples the only one of `parts` comes to as it is stored; `nil` when that is not said.
    func expected(_ parts: [SoundPart]) -> Int? {
        guard parts.count == 1, parts[0].statesFrames else { return nil }
        return stated.flatMap { SoundFacts.storedCount(of: $0, at: rate) }
    }

    func decode(_ part: SoundPart, to kept: Int, give: ([Int16]) throws -> Void) throws -> PartEnd {
        let converter = kept == rate ? nil : try RateConverter(from: rate, to: kept)
        var frames = 0
        func send(_ clip: [Float]) throws {
            for start in stride(from: 0, to: clip.count, by: DecodedSound.longestPiece) {
                try give(clip[start..<min(start + DecodedSound.longestPiece, clip.count)].samples16)
            }
        }
        try forEachBlock { block in
            frames += block.count
            try send(try converter?.convert(block[...], isLast: false) ?? block)
        }
        if let rest = try converter?.convert([], isLast: true) { try send(rest) }
        let isShort = part.statesFrames && (stated.map { frames + delay < $0 } ?? false)
        return PartEnd(seconds: Double(frames) / Double(rate), isDamaged: sf_error(handle) != 0 || isShort)
    }

    /// The sound in blocks, its channels mixed.
    private func forEachBlock(_ body: ([Float]) throws -> Void) throws {
        let channels = Int(info.channels)
        var mixer = ChannelMixer(channels: channels, center: center, sampleRate: rate)
        var interleaved = [Float](repeating: 0, count: Self.block * channels)
        while true {
            let count = Int(sf_readf_float(handle, &interleaved, sf_count_t(Self.block)))
            if let failure = source.failure { throw failure }
            if gain != 1 {
                for index in 0..<(max(0, count) * channels) { interleaved[index] *= gain }
            }
            let mixed = mixer.mix(interleaved[..<(max(0, count) * channels)], isLast: count <= 0)
            if !mixed.isEmpty { try body(mixed) }
            guard count > 0 else { return }
        }
    }

    /// The channel that voices are in where there are more than two.
    private var center: Int? {
        let channels = Int(info.channels)
        var map = [Int32](repeating: 0, count: channels)
        let size = Int32(channels * MemoryLayout<Int32>.size)
        guard sf_command(handle, Int32(SFC_GET_CHANNEL_MAP_INFO), &map, size) != 0 else { return nil }
        return map.firstIndex { [SF_CHANNEL_MAP_CENTER, SF_CHANNEL_MAP_FRONT_CENTER].contains(Int($0)) }
    }

    func facts(rate: Int, samples: Int?, of file: SoundBytes) -> SoundFacts {
        func text(_ field: Int) -> String? { sf_get_string(handle, Int32(field)).map { String(cString: $0) } }
        let tags = SoundTags(
            title: text(SF_STR_TITLE),
            artist: text(SF_STR_ARTIST),
            date: text(SF_STR_DATE),
            language: LanguageField.value(in: file)
        )
        return SoundFacts(sampleRate: rate, channels: Int(info.channels), samples: samples, tags: tags)
    }
}

/// The tag of a file that names its language, which libsndfile does not report.
private enum LanguageField {
    /// Bytes at the beginning in which it is looked for.
    private static let reach = 256 << 10
    private static let longest = 40

    /// - SeeAlso: RIFF's INFO list (ILNG), ID3v2 (TLAN), and Vorbis comments (LANGUAGE=), which FLAC and Opus have too.
    static func value(in file: SoundBytes) -> String? {
        // A tag that cannot be read is none; the sound that follows says why.
        guard let head = (try? file.bytes(at: 0, count: reach)).map({ Data($0) }) else { return nil }
        if head.starts(with: Data("RIFF".utf8)) { return field("ILNG", in: head, sizeAt: 4, isLittle: true, from: 8) }
        if head.starts(with: Data("ID3".utf8)) { return field("TLAN", in: head, sizeAt: 4, isLittle: false, from: 11) }
        return ["LANGUAGE=", "language=", "Language="].lazy.compactMap { comment($0, in: head) }.first
    }

    private static func field(_ name: String, in head: Data, sizeAt: Int, isLittle: Bool, from: Int) -> String? {
        guard let place = head.range(of: Data(name.utf8))?.lowerBound, place + from < head.count else { return nil }
        let size = head[(place + sizeAt)..<(place + sizeAt + 4)]
        let count = (isLittle ? Array(size.reversed()) : Array(size)).reduce(0) { $0 << 8 | Int($1) } - (from - 8)
        guard (2...longest).contains(count), place + from + count <= head.count else { return nil }
        let text = head[(place + from)..<(place + from + count)].filter { $0 != 0 }
        return String(validating: text, as: UTF8.self)
    }

    private static func comment(_ name: String, in head: Data) -> String? {
        guard let place = head.range(of: Data(name.utf8)), place.lowerBound >= 4 else { return nil }
        let size = head[(place.lowerBound - 4)..<place.lowerBound].reversed().reduce(0) { $0 << 8 | Int($1) }
        let count = size - name.utf8.count
        guard (2...longest).contains(count), place.upperBound + count <= head.count else { return nil }
        return String(validating: head[place.upperBound..<(place.upperBound + count)], as: UTF8.self)
    }
}

/// Finds how far a sound of floating-point numbers must be turned down so that it is not clipped where it is kept.
///
/// Recorders that write such numbers go beyond full scale without harm, and some programs write them as large as integers.
struct Overload {
    /// The samples that may be clipped all the same, as clicks are: at least so many, and one of so many.
    private static let (least, share) = (16, 100_000)

    /// How many samples are beyond full scale, by decibels.
    private var counts = [Int](repeating: 0, count: 121)
    private var total = 0

    mutating func add(_ samples: ArraySlice<Float>) {
        total += samples.count
        for sample in samples where sample.magnitude > 1 && sample.isFinite {
            counts[min(counts.count - 1, Int(20 * log10(sample.magnitude)))] += 1
        }
    }

    /// The factor for all samples; 1 where they fit.
    var gain: Float {
        var left = max(Self.least, total / Self.share)
        for decibels in counts.indices.reversed() {
            left -= counts[decibels]
            if left < 0 { return pow(10, -Float(decibels + 1) / 20) }
        }
        return 1
    }
}
