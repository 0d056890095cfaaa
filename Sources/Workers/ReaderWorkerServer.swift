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
        guard let input = FrameInput.takeOver(input, accepting: Frame.Kind.toReader),
            let output = FrameOutput.takeOver(output)
        else { return }
        confinement?.allow(requests: 1)
        if let (request, bytes) = Self.receive(from: input) {
            await answer(request, DocumentFile(name: "", bytes: bytes, password: request.password), to: output)
        }
        await output.finish()
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
            output.send(failure: error as? DocumentError ?? .readerDied)
        }
    }

    /// The request and its document; `nil` when the program goes away or says what makes no sense.
    private static func receive(from input: consuming FrameInput) -> (ReaderRequest, Data)? {
        do {
            guard let ask = try input.next(), ask.kind == .ask else { return nil }
            let request = try JSONDecoder().decode(ReaderRequest.self, from: Data(ask.payload))
            guard (1...longestDocument).contains(request.length) else { return nil }
            var document = Data(capacity: request.length)
            while document.count < request.length {
                guard let piece = try input.next(), piece.kind == .piece else { return nil }
                document.append(contentsOf: piece.payload)
            }
            return document.count == request.length ? (request, document) : nil
        } catch {
            return nil
        }
    }

    /// In bytes; the limit of the worker's memory.
    private static let longestDocument = 1 << 30
}
