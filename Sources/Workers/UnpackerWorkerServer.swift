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
        await OneShotServer(accepted: Frame.Kind.toUnpacker, confinement: confinement).run(
            input: input,
            output: output,
            refusing: VoiceInstallError.unpackerDied
        ) { (request: UnpackerRequest, _, output) in
            // A program that writes slowly holds the unpacking up, so that nothing grows between them.
            try await unpacker.unpack(request.path, by: request.rules) { output.sendNow($0.frame) }
        }
    }
}
