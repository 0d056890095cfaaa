import EchoText

/// Tags and chapters in the words that FFmpeg reads them in.
///
/// - SeeAlso: FFmpeg Formats Documentation, “Metadata”: `=`, `;`, `#`, `\` and line ends stand behind a `\`.
struct FFMetadata {
    let tags: AudioTags
    let chapters: [Chapter]
    /// The sample rate of the sound, in hertz; chapters are given in samples.
    let sampleRate: Int
    /// Where the last chapter ends, in samples.
    let count: Int
    /// Whether players are to keep it among the books.
    let isAudiobook: Bool

    var text: String {
        var lines = [";FFMETADATA1"]
        let fields = [
            ("title", tags.title), ("artist", tags.artist), ("album_artist", tags.album == nil ? nil : tags.artist),
            ("album", tags.album), ("comment", tags.comment), ("date", tags.date),
            ("genre", isAudiobook ? "Audiobook" : nil), ("media_type", isAudiobook ? "2" : nil),
        ]
        for case (let name, let value?) in fields { lines.append("\(name)=\(Self.escaped(value))") }
        for (chapter, end) in zip(chapters, chapters.dropFirst().map(\.start) + [count]) {
            lines += [
                "[CHAPTER]", "TIMEBASE=1/\(sampleRate)", "START=\(chapter.start)", "END=\(max(chapter.start, end))",
                "title=\(Self.escaped(chapter.title))",
            ]
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The value without zeros, which would end it.
    ///
    /// FFmpeg takes a line end behind any `\` for a part of the value, also behind one that stands for itself. There a zero,
    /// which ends a line too, goes before it.
    private static func escaped(_ value: String) -> String {
        var escaped = ""
        let scalars = value.unicodeScalars.filter { $0 != "\0" }
        for scalar in scalars {
            if "=;#\\\n\r".unicodeScalars.contains(scalar) { escaped += "\\" }
            escaped.unicodeScalars.append(scalar)
        }
        return scalars.last == "\\" ? escaped + "\0" : escaped
    }
}
