import EchoText
import Testing

@Suite("Audio file error")
struct AudioFileErrorTests {
    static let all: [AudioFileError] = [
        .unknownFormat(ending: "xyz"), .unknownFormat(ending: ""), .codecMissing(.opus),
        .sampleRateUnsupported(4_000, .ogg), .notPermitted(file: "a.wav"), .folderMissing(file: "a.wav"),
        .isFolder(file: "music"), .nameTooLong, .fileMissing(file: "a.wav"), .notSound(file: "a.wav"),
        .tooLong(seconds: 60), .diskFull, .fileTooLarge, .brokenPipe, .noSoundOutput, .playbackFailed(status: -5),
        .codecFailed(.mp3, status: 1), .codecFailed(nil, status: 1), .system(errno: 22),
    ]

    @Test("says in whole sentences what is wrong and what to do", arguments: all)
    func words(_ error: AudioFileError) throws {
        let suggestion = try #require(error.suggestion)
        #expect(error.code.hasPrefix("audio."))
        for sentence in [error.message, suggestion] {
            #expect(sentence.hasSuffix(".") && !sentence.contains("/"))
        }
    }

    @Test("names the formats that can be chosen", arguments: ["xyz", ""])
    func formats(ending: String) {
        #expect(AudioFileError.unknownFormat(ending: ending).suggestion?.contains("raw") == true)
        let narrower = AudioFileError.unknownFormat(ending: ending, formats: ["wav", "m4b"])
        #expect(narrower.suggestion == "Choose one with --format: wav, m4b.")
    }

    @Test("names a file, never its folder", arguments: [2, 13, 20, 21, 28, 30, 36, 122])
    func noPath(_ errno: Int32) {
        let error = AudioFileError(errno: errno, file: "/home/somebody/secret/a.wav")
        #expect(!error.message.contains("secret"))
    }
}
