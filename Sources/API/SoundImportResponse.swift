package import EchoText

/// The import of a file with sound.
package struct SoundImportResponse: Encodable, Sendable {
    package struct Notice: Encodable, Sendable {
        package let code: String
        package let message: String
        /// How many sound tracks there are.
        package private(set) var count: Int?
        /// The one that was taken, from 1.
        package private(set) var track: Int?
        /// How much sound the file says it holds.
        package private(set) var statedSeconds: Double?
        /// How much was taken.
        package private(set) var seconds: Double?
        /// The most bytes of a file that is kept as it came.
        package private(set) var limit: Int?

        package init(code: String, message: String) {
            (self.code, self.message) = (code, message)
        }

        package init(_ notice: SoundImportNotice) {
            self.init(code: notice.code, message: notice.message)
            switch notice {
            case .damaged: break
            case .lengthDiffers(let stated, let kept): (statedSeconds, seconds) = (stated, kept)
            case .incomplete(let kept): seconds = kept
            case .tracks(let count, let taken): (self.count, track) = (count, taken)
            case .fileTooLarge(let limit): self.limit = limit
            case .noRoomForFile, .notTranscribed: break
            }
        }
    }

    /// In a command's list: the file, as the person named it.
    package let file: String?
    package let item: ItemResponse
    package let notices: [Notice]
    /// Whether it was there already, and nothing was added.
    package let isReused: Bool

    package init(_ outcome: SoundImport.Outcome, file: String? = nil) {
        self.file = file
        item = ItemResponse(outcome.item)
        notices = outcome.notices.map { Notice($0) }
        isReused = outcome.isReused
    }
}

extension SoundImportResponse.Notice {
    /// Notices about a transcript that lacks words.
    package static func notices(about transcript: Transcript) -> [Self] {
        let gaps = transcript.gaps
        guard !gaps.isEmpty else {
            return transcript.text.isEmpty ? [Self(code: "transcript.no-speech", message: "no speech was heard")] : []
        }
        let length = gaps.reduce(0) { $0 + $1.time.upperBound - $1.time.lowerBound }
        let passages = gaps.count == 1 ? "1 passage" : "\(gaps.count) passages"
        let message = "not understood: \(passages), \(WrittenTranscript.clock(length.rounded())) in all"
        return [Self(code: "transcript.not-understood", message: message)]
    }

    /// The notice that a transcript is another recognizer's than the one that was asked first; `nil` for others.
    package static func replacement(in transcript: Transcript) -> Self? {
        let source = transcript.source
        guard let failed = source.insteadOf, let recognizer = source.recognizer else { return nil }
        return Self(code: failed.code, message: "\(failed.message) \(recognizer) was asked instead")
    }
}
