import DocumentReaders
import EchoText
import Foundation
import Workers

/// A reader of documents for the tests that behaves well or badly, as its last argument says.
@main
enum Fixture {
    static func main() async throws {
        let confinement = try WorkerConfinement.ofThisProcess()
        let behavior = CommandLine.arguments.last ?? ""
        let server = ReaderWorkerServer(confinement: confinement) { next, give in
            misbehave(behavior)
            return try TextReader().read(next, giving: give)
        } reader: { leavingOut, beginning in
            let reader = LocalDocumentReader(leavingOut: leavingOut) { page in
                beginning(page)
                if behavior == "busy", page <= 6 { compute() }
                if page == 2 { misbehave(behavior) }
            }
            return FixtureReader(reader: reader) { misbehave(behavior) }
        }
        switch behavior {
        case "garbage": FileHandle.standardOutput.write(Data(repeating: 0xA5, count: 100_000))
        case "lie": lie()
        case "quit": exit(7)
        default: await server.run()
        }
        _exit(0)
    }

    /// The behavior at the second page of a PDF, and at any text.
    private static func misbehave(_ behavior: String) {
        switch behavior {
        case "crash": kill(getpid(), SIGSEGV)
        case "hang": while true { pause() }
        case "spin": while true {}
        case "bloat":
            var held: [[UInt8]] = []
            while true { held.append([UInt8](repeating: 1, count: 64 << 20)) }
        default: break
        }
    }

    /// Takes half a second of processor time.
    private static func compute() {
        let begun = clock()
        // It counts a million a second everywhere.
        while clock() - begun < 500_000 {}
    }

    /// Sends an untrue structure of a text.
    private static func lie() {
        let structure =
            #"{"kind":"pdf","pages":[{"number":1,"range":[0,900]}],"chapters":[],"blocks":[],"marks":[],"notices":[]}"#
        FileHandle.standardOutput.write(
            Data(
                FrameFormat.preamble + Frame(.text, request: 1, payload: Array("Hello".utf8)).encoded
                    + Frame(.structure, request: 1, payload: Array(structure.utf8)).encoded
                    + Frame(.done, request: 1).encoded
            )
        )
        while true { pause() }
    }
}

/// Misbehaves at the start of Markdown, and of a text to decode.
private struct FixtureReader: DocumentReader {
    let reader: LocalDocumentReader
    let begin: @Sendable () -> Void

    func read(_ file: DocumentFile) async throws -> DocumentText {
        if try DocumentKind(of: file.bytes) == .markdown { begin() }
        return try await reader.read(file)
    }

    func decode(_ bytes: Data) async throws -> DocumentText {
        begin()
        return try await reader.decode(bytes)
    }

    func picture(of page: Int?, in file: DocumentFile, width: Int) async throws -> PagePicture {
        try await reader.picture(of: page, in: file, width: width)
    }
}
