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
        guard let source = FrameOutput.takeOver(input, leaving: open("/dev/null", O_RDONLY | O_CLOEXEC)),
            let target = FrameOutput.takeOver(output, leaving: dup(STDERR_FILENO))
        else { return }
        confinement?.allow(requests: 1)
        let output = FrameOutput(target)
        if let request = Self.receive(from: source) { await answer(request, to: output) }
        await output.finish()
        close(source)
    }

    private func answer(_ request: UnpackerRequest, to output: FrameOutput) async {
        do {
            // A program that writes slowly holds the unpacking up, so that nothing grows between them.
            try await unpacker.unpack(request.path, by: request.rules) { output.sendNow($0.frame) }
            output.send(Frame(.done, request: 1).encoded)
        } catch {
            let failure = error as? VoiceInstallError ?? .unpackerDied
            // An error that cannot be written down leaves the program to see this process end.
            if let payload = try? JSONEncoder().encode(failure) {
                output.send(Frame(.failed, request: 1, payload: Array(payload)).encoded)
            }
        }
    }

    /// The request; `nil` when the program goes away or says what makes no sense.
    private static func receive(from source: Int32) -> UnpackerRequest? {
        var decoder = FrameDecoder(accepting: Frame.Kind.toUnpacker)
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
        defer { piece.deallocate() }
        while true {
            let count = read(source, piece.baseAddress, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            decoder.append(UnsafeRawBufferPointer(rebasing: piece[..<count]))
            do {
                guard let frame = try decoder.next() else { continue }
                return try JSONDecoder().decode(UnpackerRequest.self, from: Data(frame.payload))
            } catch {
                return nil
            }
        }
    }
}
