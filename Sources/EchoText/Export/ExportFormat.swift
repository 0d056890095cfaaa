/// How a recording is stored outside the library.
package enum ExportFormat: String, Sendable, Hashable, CaseIterable {
    case wav
    case flac
    case mp3
    case opus
    case ogg
    /// AAC in MPEG-4, with chapters and a cover.
    case m4a
    /// The same by the name that audiobook players look for.
    case m4b

    /// The format for writers of sound files; `nil` for an audiobook, which has a writer of its own.
    package var soundFormat: AudioFormat? {
        switch self {
        case .wav: .wav
        case .flac: .flac
        case .mp3: .mp3
        case .opus: .opus
        case .ogg: .ogg
        case .m4a, .m4b: nil
        }
    }

    package var fileExtension: String { rawValue }

    /// The format that the last extension of `fileName` names, in whatever case; `nil` when it names none.
    package init?(fileName: String) {
        if let format = AudioFormat(fileName: fileName) {
            self.init(rawValue: format.rawValue)
        } else {
            let name = fileName.split(separator: "/").last ?? ""
            guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
            self.init(rawValue: name[name.index(after: dot)...].lowercased())
        }
    }
}
