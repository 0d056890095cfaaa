import AudioFiles
import EchoText
import EchoTextTesting
import Foundation
import Testing

@Suite("Tags of a sound file", .endsInTime, .enabled(if: ffprobe != nil, "needs ffprobe (package ffmpeg)"))
struct TagTests {
    struct Report: Decodable {
        struct Part: Decodable {
            let tags: [String: String]?
            let duration: String?
        }
        let streams: [Part]
        let format: Part

        /// The tags, their names in lower case.
        var tags: [String: String] {
            let all = (streams + [format]).flatMap { Array($0.tags ?? [:]) }
            return Dictionary(all.map { ($0.key.lowercased(), $0.value) }) { first, _ in first }
        }
    }

    @Test("are read by others", arguments: [AudioFormat.wav, .flac, .mp3, .opus, .ogg])
    func readable(_ format: AudioFormat) async throws {
        let program = try #require(ffprobe)
        try await withTemporaryFolder { folder in
            let path = "\(folder)/a.\(format.rawValue)"
            let tags = AudioTags(title: "Õhtu – 夜", artist: "Kärt", album: "Kogu", comment: "Odd", date: "2026")
            let tone = AudioClip.tone(440, seconds: 1.25, sampleRate: 24_000)
            try await write([tone], to: path, format, tags: tags)
            let text = try await output(
                of: program,
                ["-v", "error", "-show_format", "-show_streams", "-of", "json", path]
            )
            let report = try JSONDecoder().decode(Report.self, from: Data(text.utf8))
            #expect(report.tags["title"] == tags.title)
            #expect(report.tags["artist"] == tags.artist)
            #expect(report.tags["album"] == tags.album)
            #expect(report.tags["comment"] == tags.comment)
            #expect(report.tags["date"] == tags.date)
            let seconds = try #require(report.format.duration.flatMap(Double.init))
            #expect(abs(seconds - tone.seconds) < 0.08)
        }
    }
}
