import EchoText
import EchoTextTesting
import Testing

@testable import Workers

@Suite("Frames")
struct FrameTests {
    /// A sequence of frames of every kind a worker sends, and its encoded bytes.
    static let frames: [Frame] = [
        EngineReply.alive.frame(request: 1),
        EngineReply.audio((0..<5_000).map { Float($0) / 5_000 }).frame(request: 1),
        EngineReply.audio([]).frame(request: 2),
        EngineReply.done.frame(request: 1),
        EngineReply.failed(.voiceFolder(.badModel("voice.onnx"))).frame(request: .max),
    ]
    static let stream = FrameFormat.preamble + frames.flatMap(\.encoded)

    @Test("are the same however the bytes are cut", arguments: [1, 2, 3, 7, 8, 9, 10, 64, 4_096, 1 << 20])
    func splitting(piece: Int) throws {
        var decoder = FrameDecoder(accepting: Frame.Kind.ofWorker)
        #expect(try decoder.frames(in: Self.stream, piece: piece) == Self.frames)
        #expect(decoder.hasGreeted)
    }

    @Test("are the same when the bytes are cut at random")
    func sameWhenBytes() throws {
        var random = SeededNumbers(seed: 1)
        for _ in 0..<200 {
            var decoder = FrameDecoder(accepting: Frame.Kind.ofWorker)
            var found: [Frame] = []
            var rest = Self.stream[...]
            while !rest.isEmpty {
                let piece = rest.prefix(Int.random(in: 1...3_000, using: &random))
                rest = rest.dropFirst(piece.count)
                found += try decoder.frames(in: Array(piece), piece: .max)
            }
            #expect(found == Self.frames)
        }
    }

    @Test("cut short give the whole frames there are, and no error")
    func cutShortGive() throws {
        for length in stride(from: 0, to: Self.stream.count, by: 13) {
            var decoder = FrameDecoder(accepting: Frame.Kind.ofWorker)
            let found = try decoder.frames(in: Array(Self.stream.prefix(length)), piece: .max)
            #expect(found == Array(Self.frames.prefix(found.count)))
        }
    }

    @Test("longer than their kind allows are refused by their header", arguments: Frame.Kind.allCases)
    func length(kind: Frame.Kind) {
        for length in [kind.longestPayload + 1, Int(Int32.max), Int(UInt32.max)] {
            var decoder = FrameDecoder(accepting: Set(Frame.Kind.allCases))
            let header = withUnsafeBytes(of: UInt32(length).littleEndian) { Array($0) } + [kind.rawValue, 1, 0, 0, 0]
            #expect(throws: WorkerError.protocolViolation) {
                try decoder.frames(in: FrameFormat.preamble + header, piece: .max)
            }
            #expect(decoder.heldBytes == 0)
            #expect(throws: WorkerError.protocolViolation) { try decoder.next() }
        }
    }

    @Test("of the other direction are refused")
    func otherDirectionRefused() {
        for kind in Frame.Kind.ofProgram {
            var decoder = FrameDecoder(accepting: Frame.Kind.ofWorker)
            #expect(throws: WorkerError.protocolViolation) {
                try decoder.frames(in: FrameFormat.preamble + Frame(kind, request: 1).encoded, piece: .max)
            }
        }
    }

    @Test("of another version are refused by its number", arguments: [0, FrameFormat.version + 1, .max])
    func version(version: UInt32) {
        var decoder = FrameDecoder(accepting: Frame.Kind.ofWorker)
        let expected = WorkerError.incompatibleVersion(found: Int(version), wanted: Int(FrameFormat.version))
        #expect(throws: expected) { try decoder.frames(in: FrameFormat.preamble(version: version), piece: 1) }
    }

    @Test("of noise never trap nor pile up", arguments: 0..<40)
    func noise(seed: UInt64) {
        var random = SeededNumbers(seed: seed)
        for isGreeted in [false, true] {
            var bytes = isGreeted ? FrameFormat.preamble : []
            bytes += (0..<20_000).map { _ in UInt8.random(in: 0...255, using: &random) }
            consume(bytes, piece: Int.random(in: 1...5_000, using: &random))
        }
    }

    @Test("with bits turned never trap nor pile up", arguments: 0..<40)
    func flips(seed: UInt64) {
        var random = SeededNumbers(seed: seed)
        for _ in 0..<50 {
            var bytes = Self.stream
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                // Half of the changes hit headers and short payloads.
                let place = Int.random(in: 0..<(Bool.random(using: &random) ? bytes.count : 64), using: &random)
                bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            }
            consume(bytes, piece: Int.random(in: 1...5_000, using: &random))
        }
    }

    /// Decodes all frames and their values, until one is refused.
    private func consume(_ bytes: [UInt8], piece: Int) {
        var decoder = FrameDecoder(accepting: Set(Frame.Kind.allCases))
        let most = Frame.Kind.audio.longestPayload + FrameFormat.headerLength + piece
        do {
            for frame in try decoder.frames(in: bytes, piece: piece) {
                if let reply = try? EngineReply(frame), case .failed(let failure) = reply {
                    let error = failure.error as? any UserFacingError
                    _ = "\(error?.message ?? "")\(error?.suggestion ?? "")"  // Words must be found for any of them.
                }
                _ = try? EngineCommand(frame)
            }
        } catch {
            #expect(error is WorkerError)
        }
        #expect(decoder.heldBytes <= most)
    }
}

extension FrameDecoder {
    mutating func frames(in bytes: [UInt8], piece: Int) throws -> [Frame] {
        var found: [Frame] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            Array(rest.prefix(piece)).withUnsafeBytes { append($0) }
            rest = rest.dropFirst(piece)
            while let frame = try next() { found.append(frame) }
        }
        return found
    }
}
