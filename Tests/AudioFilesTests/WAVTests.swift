import EchoText
import Foundation
import Testing

@testable import AudioFiles

@Suite("WAV header")
struct WAVTests {
    private func number<Number: FixedWidthInteger>(_ bytes: some Collection<UInt8>, as type: Number.Type) -> Number {
        bytes.reversed().reduce(0) { $0 << 8 | Number($1) }
    }

    @Test("gives the sizes of what fits into 4 GiB")
    func small() {
        let header = WAVHeader(sampleRate: 22_050, dataLength: 1_000, isExtensible: true).bytes
        #expect(Array(header[0..<4]) == Array("RIFF".utf8))
        #expect(number(header[4..<8], as: UInt32.self) == UInt32(header.count - 8 + 1_000))
        #expect(Array(header[12..<16]) == Array("JUNK".utf8))
        #expect(number(header.suffix(4), as: UInt32.self) == 1_000)
    }

    @Test("becomes RF64 beyond")
    func large() {
        let length: Int64 = 5 << 30
        let header = WAVHeader(sampleRate: 22_050, dataLength: length, isExtensible: true).bytes
        #expect(Array(header[0..<4]) == Array("RF64".utf8))
        #expect(number(header[4..<8], as: UInt32.self) == .max)
        #expect(Array(header[12..<16]) == Array("ds64".utf8))
        #expect(number(header[20..<28], as: UInt64.self) == UInt64(header.count - 8) + UInt64(length))
        #expect(number(header[28..<36], as: UInt64.self) == UInt64(length))
        #expect(number(header[36..<44], as: UInt64.self) == UInt64(length / 2))
        #expect(number(header.suffix(4), as: UInt32.self) == .max)
        #expect(header.count == WAVHeader(sampleRate: 22_050, dataLength: nil, isExtensible: true).bytes.count)
    }

    @Test("holds tags in chunks of even length", arguments: ["", "a", "ab", "õ", "Long"])
    func tags(_ title: String) {
        let bare = WAVHeader(sampleRate: 22_050, dataLength: nil, isExtensible: false).bytes
        let tagged = WAVHeader(sampleRate: 22_050, tags: AudioTags(title: title), dataLength: nil, isExtensible: false)
        let padded = (title.utf8.count + 2) / 2 * 2
        #expect(tagged.bytes.count - bare.count == 20 + padded)
        let list = tagged.bytes.suffix(28 + padded)
        #expect(Array(list.prefix(4)) == Array("LIST".utf8))
        #expect(number(list.dropFirst(4).prefix(4), as: UInt32.self) == UInt32(12 + padded))
        #expect(number(list.dropFirst(16).prefix(4), as: UInt32.self) == UInt32(title.utf8.count + 1))
        #expect(Array(list.dropFirst(20).prefix(title.utf8.count)) == Array(title.utf8))
    }

    @Test("of a file past 4 GiB is read by others", .enabled(if: ffprobe != nil, "needs ffprobe (package ffmpeg)"))
    func largeFile() async throws {
        let program = try #require(ffprobe)
        try await withTemporaryFolder { folder in
            let path = "\(folder)/large.wav"
            let file = try OutputFile(path: path, interruption: Interruption())
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
