import DocumentReaders
import EchoText
import Foundation
import Workers

/// A reader of documents for the tests that behaves, or does not, as its last argument says.
@main
enum Fixture {
    static func main() async throws {
        let confinement = try WorkerConfinement.ofThisProcess()
        let behaviour = CommandLine.arguments.last ?? ""
        let server = ReaderWorkerServer(confinement: confinement) { leavingOut, beginning in
            LocalDocumentReader(leavingOut: leavingOut) { page in
                beginning(page)
                if page == 2 { misbehave(behaviour) }
            }
        }
        switch behaviour {
        case "garbage": FileHandle.standardOutput.write(Data(repeating: 0xA5, count: 100_000))
        case "lie": lie()
        case "quit": exit(7)
        default: await server.run()
        }
        _exit(0)
    }

    /// What the second page of a PDF does.
    private static func misbehave(_ behaviour: String) {
        switch behaviour {
        case "crash": kill(getpid(), SIGSEGV)
        case "hang": while true { pause() }
        case "spin": while true {}
        case "bloat":
            var held: [[UInt8]] = []
            while true { held.append([UInt8](repeating: 1, count: 64 << 20)) }
        default: break
        }
    }

    /// Says of a text what is not true.
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
