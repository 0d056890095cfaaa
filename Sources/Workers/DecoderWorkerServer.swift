package import EchoText
internal import Foundation

/// The worker's side: decodes one sound file for the program.
package struct DecoderWorkerServer: Sendable {
    /// Decodes a file of `length` bytes that it reads by ranges; throws ``SoundImportError``.
    package typealias Decoding =
        @Sendable (
            _ length: Int, _ read: @escaping (Range<Int>) throws -> [UInt8], _ give: (DecodedSound) throws -> Void
        ) throws -> Void

    private let decoding: Decoding
    private let confinement: WorkerConfinement?

    /// - Parameters:
    ///   - confinement: Limits the processor time; `nil` for no limit.
    ///   - decoding: Decodes the file.
    package init(confinement: WorkerConfinement? = nil, decoding: @escaping Decoding) {
        self.confinement = confinement
        self.decoding = decoding
    }

    /// Answers the program's one request.
    ///
    /// Takes over both descriptors: from then on, libraries that print to standard output write to standard error.
    package func run(input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO) async {
        await OneShotServer(accepted: Frame.Kind.toDecoder, confinement: confinement).run(
            input: input,
            output: output,
            refusing: DecoderRefusal.damaged
        ) { (request: DecoderRequest, rest, output) in
            let program = DecoderProgram(rest, output, length: request.length)
            do {
                try decoding(request.length, program.read, program.give)
            } catch SoundImportError.unknownKind {
                throw DecoderRefusal.unknownKind
            } catch SoundImportError.noSound {
                throw DecoderRefusal.noSound
            }
        }
    }
}

/// The program, as a decoder's worker sees it.
private final class DecoderProgram {
    private let frames: FollowingFrames
    private let output: FrameOutput
    private let length: Int

    init(_ frames: FollowingFrames, _ output: FrameOutput, length: Int) {
        (self.frames, self.output, self.length) = (frames, output, length)
    }

    /// The bytes of the file in `range`, cut at its end and to the length of a frame.
    func read(_ range: Range<Int>) throws -> [UInt8] {
        let range = range.clamped(to: 0..<length).prefix(Frame.longestPiece)
        guard !range.isEmpty else { return [] }
        var payload = PayloadWriter()
        payload.write(Int64(range.lowerBound))
        payload.write(UInt32(range.count))
        output.sendNow(Frame(.want, request: 1, payload: payload.bytes).encoded)
        return try answer(.piece).payload
    }

    /// Sends `sound`, and waits until the program requests more.
    func give(_ sound: DecodedSound) throws {
        output.sendNow(sound.frame)
        _ = try answer(.more)
    }

    /// - Throws: ``WorkerError`` when the program violates the protocol or has closed the pipe.
    private func answer(_ kind: Frame.Kind) throws -> Frame {
        guard let frame = try frames.next(), frame.kind == kind else { throw WorkerError.protocolViolation }
        return frame
    }
}
