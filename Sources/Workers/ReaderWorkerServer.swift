internal import CProcess
package import EchoText
internal import Foundation

/// The worker's side: reads one document for the program, and ends.
package struct ReaderWorkerServer: Sendable {
    private let reader:
        @Sendable (_ leavingOut: Set<Int>, _ beginning: @escaping @Sendable (Int) -> Void) -> any DocumentReader
    private let confinement: WorkerConfinement?

    /// - Parameters:
    ///   - confinement: What limits the processor time; `nil` for none.
    ///   - reader: Makes the reader, which leaves these pages out and tells each page's number before it begins with it.
    package init(
        confinement: WorkerConfinement? = nil,
        reader:
            @escaping @Sendable (_ leavingOut: Set<Int>, _ beginning: @escaping @Sendable (Int) -> Void)
            -> any DocumentReader
    ) {
        self.confinement = confinement
        self.reader = reader
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
        if let (request, bytes) = Self.receive(from: source) {
            await answer(request, DocumentFile(name: "", bytes: bytes, password: request.password), to: output)
        }
        await output.finish()
        close(source)
    }

    private func answer(_ request: ReaderRequest, _ file: DocumentFile, to output: FrameOutput) async {
        do {
            switch request.task {
            case .read(let leftOut):
                let reader = reader(Set(leftOut)) { page in
                    let number = withUnsafeBytes(of: UInt32(truncatingIfNeeded: page).littleEndian) { Array($0) }
                    // The program has to know even if the page ends this process.
                    output.sendNow(Frame(.page, request: 1, payload: number).encoded)
                }
                let document = try await reader.read(file)
                var text = document.text
                text.withUTF8 { Frame.cut(UnsafeRawBufferPointer($0), as: .text, output.send) }
                let structure = try JSONEncoder().encode(document.structure)
                structure.withUnsafeBytes { Frame.cut($0, as: .structure, output.send) }
            case .draw(let page, let width):
                let picture = try await reader([]) { _ in }.picture(of: page, in: file, width: width)
                picture.png.withUnsafeBytes { Frame.cut($0, as: .picture, output.send) }
            }
            output.send(Frame(.done, request: 1).encoded)
        } catch {
            let failure = error as? DocumentError ?? .readerDied
            // An error that cannot be written down leaves the program to see this process end.
            if let payload = try? JSONEncoder().encode(failure) {
                output.send(Frame(.failed, request: 1, payload: Array(payload)).encoded)
            }
        }
    }

    /// The request and its document; `nil` when the program goes away or says what makes no sense.
    private static func receive(from source: Int32) -> (ReaderRequest, Data)? {
        var decoder = FrameDecoder(accepting: Frame.Kind.toReader)
        var request: ReaderRequest?
        var document = Data()
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
        defer { piece.deallocate() }
        while true {
            let count = read(source, piece.baseAddress, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            decoder.append(UnsafeRawBufferPointer(rebasing: piece[..<count]))
            do {
                while let frame = try decoder.next() {
                    if frame.kind == .ask, request == nil {
                        let asked = try JSONDecoder().decode(ReaderRequest.self, from: Data(frame.payload))
                        guard (1...(1 << 30)).contains(asked.length) else { return nil }
                        document.reserveCapacity(asked.length)
                        request = asked
                    } else if frame.kind == .piece, request != nil {
                        document.append(contentsOf: frame.payload)
                    } else {
                        return nil
                    }
                }
            } catch {
                return nil
            }
            guard let request, document.count >= request.length else { continue }
            return document.count == request.length ? (request, document) : nil
        }
    }
}
