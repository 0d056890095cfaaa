/// How speech is stored.
///
/// Every format can go to a file and, as it is made, to a pipe.
package enum AudioFormat: String, Sendable, Hashable, Codable, CaseIterable {
    /// 16-bit PCM; RF64 beyond 4 GiB.
    case wav
    /// Lossless, about half the size of ``wav``.
    case flac
    case mp3
    /// Opus in Ogg.
    case opus
    /// Vorbis in Ogg.
    case ogg
    /// 16-bit PCM, little-endian, without a header.
    case raw

    /// The file extensions of the format, without the dot, in lower case; the usual one first.
    package var fileExtensions: [String] {
        switch self {
        case .wav: ["wav", "wave"]
        case .flac: ["flac"]
        case .mp3: ["mp3"]
        case .opus: ["opus"]
        case .ogg: ["ogg", "oga"]
        case .raw: ["raw", "pcm", "s16le"]
        }
    }

    /// The format that the last extension of `fileName` names, in whatever case; `nil` when it names none.
    ///
    /// - Parameter fileName: A file's name or its whole path.
    package init?(fileName: String) {
        let name = fileName.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
        let ending = name[name.index(after: dot)...].lowercased()
        guard let format = Self.allCases.first(where: { $0.fileExtensions.contains(ending) }) else { return nil }
        self = format
    }

    /// The media type of RFC 6838, with the codec where the container may hold several (RFC 6381).
    ///
    /// `audio/pcm` is not registered; speech services use it for samples without a header.
    package var mediaType: String {
        switch self {
        case .wav: "audio/wav"
        case .flac: "audio/flac"
        case .mp3: "audio/mpeg"
        case .opus: "audio/ogg; codecs=opus"
        case .ogg: "audio/ogg; codecs=vorbis"
        case .raw: "audio/pcm"
        }
    }

    /// The format's name for people.
    package var displayName: String {
        switch self {
        case .wav: "WAV"
        case .flac: "FLAC"
        case .mp3: "MP3"
        case .opus: "Opus"
        case .ogg: "Ogg Vorbis"
        case .raw: "raw PCM"
        }
    }

    /// The rate at which the format stores speech of `sampleRate`: the same if supported, else the next higher
    /// supported rate, else the highest.
    ///
    /// - Parameter sampleRate: Hertz, greater than zero.
    /// - Returns: Hertz, or `nil` when the format cannot hold such speech and has no fixed set of rates to convert to.
    /// - SeeAlso: RFC 6716 §2 (Opus); ISO/IEC 11172-3 and 13818-3 (MP3), with the half rates of MPEG 2.5.
    package func storedSampleRate(for sampleRate: Int) -> Int? {
        switch self {
        case .wav: (1...Int(Int32.max)).contains(sampleRate) ? sampleRate : nil
        case .flac: (1...655_350).contains(sampleRate) ? sampleRate : nil
        case .mp3:
            Self.nearest(
                to: sampleRate,
                among: [8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000]
            )
        case .opus: Self.nearest(to: sampleRate, among: [8_000, 12_000, 16_000, 24_000, 48_000])
        case .ogg: (8_000...192_000).contains(sampleRate) ? sampleRate : nil
        case .raw: sampleRate
        }
    }

    private static func nearest(to sampleRate: Int, among rates: [Int]) -> Int? {
        rates.first { $0 >= sampleRate } ?? rates.last
    }
}

/// The tags of a sound file.
///
/// Raw PCM cannot hold any.
package struct AudioTags: Sendable, Hashable, Codable {
    package var title: String?
    package var artist: String?
    package var album: String?
    package var comment: String?
    /// A year or an ISO 8601 date.
    package var date: String?

    package init(
        title: String? = nil,
        artist: String? = nil,
        album: String? = nil,
        comment: String? = nil,
        date: String? = nil
    ) {
        self.title = title
        self.artist = artist
        self.album = album
        self.comment = comment
        self.date = date
    }
}
