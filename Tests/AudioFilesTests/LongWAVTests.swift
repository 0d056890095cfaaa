import EchoText
import Foundation
import Testing

@testable import AudioFiles

@Suite("Long WAV file")
struct LongWAVTests {
    @Test("is read by others past 4 GiB", .enabled(if: ffprobe != nil, "needs ffprobe (package ffmpeg)"))
    func largeFile() async throws {
        let program = try #require(ffprobe)
        try await withTemporaryFolder { folder in
            let path = "\(folder)/large.wav"
            let file = try OutputFile(path: path, interruption: WaitInterruption())
            let encoder = try PCMEncoder(format: .wav, sampleRate: 48_000, tags: AudioTags(title: "Long"), file: file)
            // A hole: the file is 5 GiB long and takes a few blocks of the disk.
            try [UInt8](repeating: 0, count: 2).withUnsafeBytes { try file.write($0, at: 5 << 30) }
            try encoder.finish()
            try file.commit()
            let text = try await output(
                of: program,
                [
                    "-v", "error", "-probesize", "5000", "-show_entries", "format=duration:format_tags=title", "-of",
                    "csv=p=0", path,
                ]
            )
            let fields = text.split(whereSeparator: { $0 == "," || $0.isNewline })
            let seconds = try #require(fields.first.flatMap { Double($0) })
            #expect(abs(seconds - Double(5 << 30) / 96_000) < 0.01)
            #expect(fields.last == "Long")
        }
    }
}
