import EchoText
import EchoTextTesting
import Foundation
import Testing

@Suite("The kind of a sound file")
struct SoundFileKindTests {
    @Test(
        "is known by its first bytes",
        arguments: [
            ("RIFF....WAVE", .wav), ("RF64....WAVE", .wav), ("RIFF....AVI LIST", .avi), ("FORM....AIFF", .aiff),
            ("fLaC....", .flac), ("OggS\u{0}", .ogg), ("....ftypM4A ", .movie), ("....moov", .movie),
            ("caff\u{0}", .caf),
            ("#!AMR\n", .amr), ("wvpk", .wavPack),
        ] as [(String, SoundFileKind)]
    )
    func signs(_ head: String, _ kind: SoundFileKind) async throws {
        #expect(try await SoundFileKind(of: HeldBytes(Data(head.utf8))) == kind)
    }

    @Test(
        "is known by the first frame",
        arguments: [
            ([0xFF, 0xFB, 0x90, 0x64], .mp3), ([0xFF, 0xF3, 0x40, 0xC4], .mp3), ([0xFF, 0xF1, 0x50, 0x80], .aac),
            ([0x0B, 0x77, 0, 0], .ac3), ([0x1A, 0x45, 0xDF, 0xA3], .matroska), ([0, 0, 1, 0xBA], .mpegProgram),
        ] as [([UInt8], SoundFileKind)]
    )
    func frames(_ head: [UInt8], _ kind: SoundFileKind) {
        #expect(SoundFileKind(head: Data(head)) == kind)
    }

    @Test("is that of frames which begin behind something else")
    func lateFrames() async throws {
        let frame = Data([0xFF, 0xFB, 0x90, 0x64]) + Data(count: 413)
        let frames = Data((0..<5).flatMap { _ in frame })
        #expect(try await SoundFileKind(of: HeldBytes(Data(count: 4_321) + frames)) == .mp3)
        await #expect(throws: SoundImportError.unknownKind(found: nil)) {
            try await SoundFileKind(of: HeldBytes(Data(count: 4_321) + frame + frame))
        }
    }

    @Test("is that of a broadcast which begins within a packet", arguments: [188, 192])
    func latePackets(_ length: Int) async throws {
        let packet = Data([0x47, 0x01, 0x02, 0x10]) + Data(repeating: 0xA5, count: length - 4)
        let packets = Data((0..<30).flatMap { _ in packet })
        for start in [1, 77, length - 1] {
            #expect(try await SoundFileKind(of: HeldBytes(packets.dropFirst(start))) == .mpegTransport)
        }
        await #expect(throws: SoundImportError.unknownKind(found: nil)) {
            try await SoundFileKind(of: HeldBytes(packets.dropFirst(1).prefix(1_500)))
        }
    }

    @Test("is looked for behind a tag")
    func tag() async throws {
        let tag = Data("ID3\u{4}\u{0}\u{0}\u{0}\u{0}\u{1}\u{0}".utf8) + Data(count: 128)
        #expect(try await SoundFileKind(of: HeldBytes(tag + Data("fLaC".utf8))) == .flac)
        #expect(try await SoundFileKind(of: HeldBytes(tag + Data(count: 9))) == .mp3)
        await #expect(throws: SoundImportError.damaged(seconds: 0)) { try await SoundFileKind(of: HeldBytes(tag)) }
    }

    @Test(
        "is none for other files, with a word for what they are",
        arguments: [
            (Data("%PDF-1.7".utf8), "a PDF document"), (Data("Dear all".utf8), nil), (Data("RIFF....WEBP".utf8), nil),
            (Data([0xFF, 0xFE, 0x48, 0]), nil), (Data([0x89, 0x50, 0x4E, 0x47]), "a PNG picture"),
        ] as [(Data, String?)]
    )
    func others(_ head: Data, _ found: String?) async {
        await #expect(throws: SoundImportError.unknownKind(found: found)) {
            try await SoundFileKind(of: HeldBytes(head))
        }
    }
}
