import EchoText
import Foundation

/// Which track of a file is taken.
struct TrackChoice {
    /// The most tracks that are listened to before one is chosen, in addition to the one that the file prefers.
    static let longestSearch = 8

    /// Among those with sound, from 0.
    var track = 0
    var count = 1
    /// How much later than the file the track begins, in seconds.
    var delay = 0.0
    /// Whether a person has chosen it, and needs no notice of it.
    let isAsked: Bool

    /// - Parameters:
    ///   - track: Among those with sound, from 0.
    ///   - count: How many have sound.
    ///   - delay: How much later than the file it begins, where that is known.
    ///   - isAsked: Whether a person has chosen it.
    init(track: Int = 0, count: Int = 1, delay: Double? = nil, isAsked: Bool = false) {
        self.track = track
        self.count = count
        self.delay = delay ?? 0
        self.isAsked = isAsked
    }

    var notices: [SoundImportNotice] {
        count > 1 && !isAsked ? [.tracks(count: count, taken: track + 1)] : []
    }
}

/// The tracks with sound, as FFmpeg's prober lists them.
struct ProbedTracks {
    struct Track {
        let index: Int
        let isDefault: Bool
        /// As the file writes it.
        let language: String?
    }

    /// A delay below it is that of an encoder, in seconds.
    private static let shortestDelay = 0.1
    /// A delay above it is a mistake in the file, in seconds.
    private static let longestDelay = 6 * 3_600.0

    let tracks: [Track]
    /// When the file begins, by its own clock, in seconds.
    private let start: Double?
    /// When the first packet of some track begins, and that track's index.
    private let first: (time: Double, index: Int)?

    /// Fails for what is no answer.
    init?(_ bytes: [UInt8]) {
        guard let answer = try? JSONDecoder().decode(Answer.self, from: Data(bytes)) else { return nil }
        tracks = (answer.streams ?? []).compactMap { stream in
            stream.index.map { index in
                let isDefault = stream.disposition?.isDefault == 1
                return Track(index: index, isDefault: isDefault, language: stream.tags?.language)
            }
        }
        start = answer.format?.start.flatMap { Double($0) }
        let packet = answer.packets?.first
        if let time = packet?.time.flatMap({ Double($0) }), let index = packet?.index {
            first = (time: time, index: index)
        } else {
            first = nil
        }
    }

    /// The track that the file names as its usual one, else the first.
    var preferred: Int { tracks.firstIndex(where: \.isDefault) ?? 0 }

    /// The tracks as they are listed for a person.
    var sounds: [SoundTrack] {
        tracks.enumerated().map { index, track in
            let language = SoundTags(language: track.language).languageTag
            return SoundTrack(number: index + 1, language: language, isUsual: tracks.count > 1 && index == preferred)
        }
    }

    /// The tracks that are listened to before one is taken: the first ones, and the preferred one wherever it stands.
    var searched: [Int] {
        let usual = Array(tracks.indices.prefix(TrackChoice.longestSearch))
        return usual.contains(preferred) ? usual : usual + [preferred]
    }

    /// How much later than the file a track begins, in seconds; `nil` where another was asked about.
    func delay(of track: Int) -> Double? {
        guard tracks.indices.contains(track), let first, first.index == tracks[track].index else { return nil }
        let delay = first.time - (start ?? first.time)
        return (Self.shortestDelay...Self.longestDelay).contains(delay) ? delay : 0
    }

    /// The arguments that ask for the tracks, named as FFmpeg names them, and for the time of the first packet in one.
    static func arguments(_ tracks: String, demuxer: String) -> [String] {
        let wanted =
            "stream=index:stream_disposition=default:stream_tags=language:packet=pts_time,stream_index:"
            + "format=start_time"
        return [
            "-v", "error", "-protocol_whitelist", "pipe", "-f", demuxer, "-select_streams", tracks, "-read_intervals",
            "%+#1", "-show_entries", wanted, "-of", "json", "-i", "pipe:0",
        ]
    }

    private struct Answer: Decodable {
        struct Stream: Decodable {
            struct Disposition: Decodable {
                let isDefault: Int?

                enum CodingKeys: String, CodingKey {
                    case isDefault = "default"
                }
            }

            struct Tags: Decodable {
                let language: String?
            }

            let index: Int?
            let disposition: Disposition?
            let tags: Tags?
        }

        struct Packet: Decodable {
            let time: String?
            let index: Int?

            enum CodingKeys: String, CodingKey {
                case time = "pts_time"
                case index = "stream_index"
            }
        }

        struct Format: Decodable {
            let start: String?

            enum CodingKeys: String, CodingKey {
                case start = "start_time"
            }
        }

        let streams: [Stream]?
        let packets: [Packet]?
        let format: Format?
    }
}

/// Makes one channel at the rate that is kept of what FFmpeg decodes.
struct TrackMixing {
    /// In hertz.
    let rate: Int
    private var mixer: ChannelMixer?
    private let converter: RateConverter?

    /// - Throws: ``AudioFileError/codecFailed(_:status:)``.
    init(_ facts: WaveFacts) throws {
        rate = SoundFacts.storedRate(of: facts.sampleRate)
        converter = rate == facts.sampleRate ? nil : try RateConverter(from: facts.sampleRate, to: rate)
        let isReady = facts.channels == 1 && converter == nil
        mixer =
            isReady ? nil : ChannelMixer(channels: facts.channels, center: facts.center, sampleRate: facts.sampleRate)
    }

    /// - Parameters:
    ///   - samples: More sound, a sample of each channel in turn; it may end within such a turn.
    ///   - isLast: Whether nothing comes after it.
    /// - Returns: What is complete.
    /// - Throws: ``AudioFileError/codecFailed(_:status:)``.
    mutating func mix(_ samples: [Int16], isLast: Bool) throws -> [Int16] {
        guard mixer != nil else { return samples }
        let clip = samples.amplitudes(fullScale: .fullScale)
        let mixed = mixer?.mix(clip[...], isLast: isLast) ?? []
        return (try converter?.convert(mixed[...], isLast: isLast) ?? mixed)[...].samples16
    }
}

/// Listens to a track to find out whether somebody speaks in it.
actor TrackListener {
    private(set) var measure = SpeechMeasure()

    func take(_ sound: DecodedSound) {
        if case .samples(let samples) = sound { measure.add(samples) }
    }
}

/// How much of a sound is like speech, whose level falls far within each second, unlike that of noise and most music.
///
/// - SeeAlso: Lu, Zhang and Jiang, “Content analysis for audio classification and segmentation” (2002), for the ratio of frames of
///   low energy.
struct SpeechMeasure {
    /// In hertz.
    static let sampleRate = 8_000
    /// How much of a track is measured, in seconds.
    static let longest = 300

    /// Samples of a frame, and frames of a window of about a second.
    private static let (frame, window) = (256, 31)
    /// The shares of quiet frames in a window of speech.
    private static let shares = 0.35...0.9
    /// The mean power below which a window is silent.
    private static let silence = 1e-7
    /// How many windows of speech are no accident.
    private static let sure = 2

    private var rest: [Int16] = []
    private var powers: [Double] = []
    /// Windows that are like speech.
    private(set) var speech = 0
    private var sum = 0.0
    private var count = 0

    /// The mean power, 1 being that of the loudest square wave.
    var power: Double { count > 0 ? sum / Double(count) : 0 }

    mutating func add(_ samples: [Int16]) {
        rest += samples
        var start = 0
        while rest.count - start >= Self.frame {
            let power = rest[start..<start + Self.frame].reduce(0.0) { sum, sample in
                let value = Double(sample) / Double(Float.fullScale)
                return sum + value * value
            }
            powers.append(power / Double(Self.frame))
            start += Self.frame
            if powers.count == Self.window { endWindow() }
        }
        rest.removeFirst(start)
    }

    private mutating func endWindow() {
        let mean = powers.reduce(0, +) / Double(powers.count)
        sum += mean
        count += 1
        // Half the level is a quarter of the power.
        let quiet = powers.count(where: { $0 < mean / 4 })
        if mean > Self.silence, Self.shares.contains(Double(quiet) / Double(powers.count)) { speech += 1 }
        powers.removeAll(keepingCapacity: true)
    }

    /// The track that is taken of those measured.
    ///
    /// - Parameters:
    ///   - measures: Of the tracks in their order.
    ///   - preferred: The one that the file prefers.
    /// - Returns: `preferred`, where as much is said in it as a quarter of what is said in any other, and it is not silent.
    static func best(of measures: [SpeechMeasure], preferred: Int) -> Int {
        guard measures.indices.contains(preferred) else { return 0 }
        let own = measures[preferred]
        let most = measures.map(\.speech).max() ?? 0
        if most >= sure {
            return own.speech * 4 >= most ? preferred : measures.firstIndex { $0.speech == most } ?? preferred
        }
        let loudest = measures.map(\.power).max() ?? 0
        return own.power > silence ? preferred : measures.firstIndex { $0.power == loudest } ?? preferred
    }
}
