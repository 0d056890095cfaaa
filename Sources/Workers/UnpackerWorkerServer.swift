package import EchoText
internal import Foundation

/// The worker's side: unpacks one archive for the program.
package struct UnpackerWorkerServer: Sendable {
    private let unpacker: any ArchiveUnpacker
    private let confinement: WorkerConfinement?

    /// - Parameters:
    ///   - unpacker: Reads the archive.
    ///   - confinement: Limits the processor time; `nil` for no limit.
    package init(unpacker: any ArchiveUnpacker, confinement: WorkerConfinement? = nil) {
        self.unpacker = unpacker
        self.confinement = confinement
    }

    /// Answers the program's one request.
    ///
    /// Takes over both descriptors: from then on, libraries that print to standard output write to standard error.
    package func run(input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO) async {
        await OneShotServer(accepted: Frame.Kind.toUnpacker, confinement: confinement).run(
            input: input,
            output: output,
            refusing: VoiceInstallError.unpackerDied
        ) { (request: UnpackerRequest, _, output) in
            // A program that writes slowly delays the unpacking, so that no frames queue up in between.
            try await unpacker.unpack(request.path, by: request.rules) { output.sendNow($0.frame) }
        }
    }
}
