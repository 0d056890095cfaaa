import EchoTextTesting
import Foundation
import Testing

@testable import AudioFiles
@testable import EchoText

@Suite("Timing file writer")
struct TimingFileWriterTests {
    private func passage(_ number: Int) -> Passage {
        Passage(
            sentence: number,
            source: 10 * number..<10 * number + 9,
            text: "Number \(number).",
            beginsSentence: true,
            endsSentence: true,
            clip: AudioClip(samples: [Float](repeating: 0.5, count: 1_000), sampleRate: 1_000),
            decay: 0,
            silence: 0,
            start: 1_000 * number,
            words: [],
            isLeftOut: false,
            isSilenced: false,
            delay: nil
        )
    }

    @Test("keeps the sentences that came when its task was cancelled already", arguments: [false, true])
    func cancelled(isTaken: Bool) async throws {
        let folder = TemporaryFolder()
        let writer = try await TimingFileWriter(path: folder("a.srt"), format: .srt, sampleRate: 1_000)
        try await writer.append(passage(0))
        let second = passage(1)
        await #expect(throws: CancellationError.self) {
            try await Task {
                withUnsafeCurrentTask { $0?.cancel() }
                if isTaken {
                    await writer.take(second)
                    try Task.checkCancellation()
                }
                try await writer.append(second)
            }.value
        }
        try await writer.finishPartial()
        let written = String(decoding: try folder.data(of: "a.srt"), as: UTF8.self)
        #expect(written.contains("Number 0.") && written.hasSuffix("Number 1.\n\n"), "\(written)")
    }

    @Test("is whole when it is finished, also where what plays the sound is stopped after that")
    func finished() async throws {
        let folder = TemporaryFolder()
        let writer = try await TimingFileWriter(path: folder("a.srt"), format: .srt, sampleRate: 1_000)
        try await writer.append(passage(0))
        try await writer.finish()
        let written = try folder.data(of: "a.srt")
        try await writer.finishPartial()
        #expect(try folder.data(of: "a.srt") == written)
        #expect(folder.names == ["a.srt"])
    }

    @Test("is not called complete where a stream has not taken all of it")
    func refused() async throws {
        let writer = try await TimingFileWriter(path: "/dev/full", format: .srt, sampleRate: 1_000)
        await #expect(throws: AudioFileError.self) { try await writer.append(passage(0)) }
        await #expect(throws: AudioFileError.self) { try await writer.finishPartial() }
        await writer.discard()
    }
}
