internal import CProcess
package import EchoText
internal import Foundation

/// The worker's side: unpacks one archive for the program, and ends.
package struct UnpackerWorkerServer: Sendable {
    private let unpacker: any ArchiveUnpacker
    private let confinement: WorkerConfinement?

    /// - Parameters:
    ///   - unpacker: Reads the archive.
    ///   - confinement: What limits the processor time; `nil` for none.
    package init(unpacker: any ArchiveUnpacker, confinement: WorkerConfinement? = nil) {
        self.unpacker = unpacker
        self.confinement = confinement
    }

    /// Answers the one request of the program.
    ///
    /// Takes both descriptors over: what a library prints to standard output goes to standard error from here on.
    package func run(input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO) async {
        guard let input = FrameInput.takeOver(input, accepting: Frame.Kind.toUnpacker),
            let output = FrameOutput.takeOver(output)
        else { return }
        confinement?.allow(requests: 1)
        if let request = Self.receive(from: input) { await answer(request, to: output) }
        await output.finish()
    }

    private func answer(_ request: UnpackerRequest, to output: FrameOutput) async {
        do {
            // A program that writes slowly holds the unpacking up, so that nothing grows between them.
            try await unpacker.unpack(request.path, by: request.rules) { output.sendNow($0.frame) }
            output.send(Frame(.done, request: 1).encoded)
        } catch {
            output.send(failure: error as? VoiceInstallError ?? .unpackerDied)
        }
    }

    /// The request; `nil` when the program goes away or says what makes no sense.
    private static func receive(from input: consuming FrameInput) -> UnpackerRequest? {
        do {
            return try input.next().map { try JSONDecoder().decode(UnpackerRequest.self, from: Data($0.payload)) }
        } catch {
            return nil
        }
    }
}
