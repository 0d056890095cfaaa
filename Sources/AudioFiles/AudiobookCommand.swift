import EchoText

/// The arguments of FFmpeg: descriptors and numbers, nothing of a person's.
struct AudiobookCommand {
    let order: SoundOrder
    /// The child's descriptors for samples, for tags and chapters, for the cover, and of the file.
    let sound: Int
    let words: Int
    let cover: Int
    let output: Int

    /// Sampling rates of AAC, in hertz.
    ///
    /// - SeeAlso: ISO/IEC 14496-3, table of sampling frequency indices.
    private static let rates = [
        7_350, 8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 64_000, 88_200, 96_000,
    ]

    /// Most chapters of the list that some players read beside the chapters' own track; FFmpeg leaves out all after them, and
    /// a player would take the last of them for the rest of the book.
    private static let longestList = 255

    var metadata: String {
        FFMetadata(
            tags: order.tags,
            chapters: order.chapters,
            sampleRate: order.sampleRate,
            count: order.count,
            isAudiobook: order.format == .m4b
        ).text
    }

    /// Tags come first, because FFmpeg opens its inputs in their order and reads them to the end; the sound comes last.
    var arguments: [String] {
        let quiet = ["-nostdin", "-hide_banner", "-nostats", "-loglevel", "error", "-xerror", "-y"]
        let encoder = ["-c:a", "aac", "-b:a", String(bitRate), "-ar", String(storedRate)]
        let layout = order.chapters.count > Self.longestList ? "+faststart+disable_chpl" : "+faststart"
        let target = ["-movflags", layout, "-f", "ipod", "-protocol_whitelist", "file", "file:/dev/fd/\(output)"]
        return quiet + input("ffmetadata", words) + coverInput
            + input("s16le", sound, ["-ar", String(order.sampleRate), "-ac", "1"])
            + ["-map", order.cover == nil ? "1:a" : "2:a"] + coverOutput + ["-map_metadata", "0", "-map_chapters", "0"]
            + encoder + target
    }

    private func input(_ format: String, _ descriptor: Int, _ options: [String] = []) -> [String] {
        ["-protocol_whitelist", "pipe", "-f", format] + options + ["-i", "pipe:\(descriptor)"]
    }

    private var coverInput: [String] {
        switch order.cover?.kind {
        case .jpeg: input("jpeg_pipe", cover)
        case .png: input("png_pipe", cover)
        case nil: []
        }
    }

    private var coverOutput: [String] {
        order.cover == nil
            ? [] : ["-map", "1:v:0", "-c:v", "copy", "-frames:v", "1", "-disposition:v:0", "attached_pic"]
    }

    private var storedRate: Int {
        Self.rates.first { $0 >= order.sampleRate } ?? Self.rates[Self.rates.count - 1]
    }

    /// Bits per second that speech in one channel sounds clear at.
    private var bitRate: Int {
        switch storedRate {
        case ..<16_000: 32_000
        case ..<22_050: 48_000
        default: 64_000
        }
    }
}
