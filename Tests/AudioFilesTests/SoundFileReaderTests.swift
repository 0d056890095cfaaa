import AudioFiles
import EchoText
import Foundation
import Testing

@Suite("Sound file reader")
struct SoundFileReaderTests {
    @Test("stops at the limit it is given")
    func limit() async throws {
        try await withTemporaryFolder { folder in
            let tone = AudioClip.tone(440, seconds: 2, sampleRate: 8_000)
            try await write([tone], to: "\(folder)/a", .flac)
            await #expect(throws: AudioFileError.tooLong(seconds: 1)) {
                _ = try await SoundFileReader().read("\(folder)/a", limit: 8_000)
            }
            #expect(try await SoundFileReader().read("\(folder)/a", limit: 16_000).samples.count == 16_000)
        }
    }

    @Test(
        "refuses what is no sound file",
        arguments: [
            ("text", AudioFileError.notSound(file: "text")), ("empty", .notSound(file: "empty")),
            ("folder", .isFolder(file: "folder")), ("missing", .fileMissing(file: "missing")),
        ]
    )
    func refused(_ name: String, reason: AudioFileError) async throws {
        try await withTemporaryFolder { folder in
            try Data("Once upon a time".utf8).write(to: URL(filePath: "\(folder)/text"))
            try Data().write(to: URL(filePath: "\(folder)/empty"))
            try FileManager.default.createDirectory(atPath: "\(folder)/folder", withIntermediateDirectories: false)
            await #expect(throws: reason) { _ = try await SoundFileReader().read("\(folder)/\(name)", limit: 1_000) }
        }
    }
}
