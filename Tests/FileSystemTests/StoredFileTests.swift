import EchoText
import EchoTextTesting
import FileSystem
import Foundation
import Testing

@Suite("A stored file")
struct StoredFileTests {
    private let folder = TemporaryFolder()

    @Test("has its length when it is opened, and knows that it has grown since")
    func growth() async throws {
        let file = try StoredFile(at: try folder.write("Good morning.", to: "talk"))
        #expect(file.length == 13 && !file.hasGrown)
        let end = try FileHandle(forWritingTo: URL(filePath: folder("talk")))
        try end.seekToEnd()
        try end.write(contentsOf: Data(" And more.".utf8))
        try end.close()
        #expect(file.length == 13 && file.hasGrown)
        #expect(try await file.read(0..<file.length) == Data("Good morning.".utf8))
    }
}
