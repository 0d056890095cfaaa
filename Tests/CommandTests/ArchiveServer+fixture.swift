import EchoTextTesting
import Foundation

extension ArchiveServer {
    /// A server of the fixture voice's archive.
    static func withFixture() throws -> ArchiveServer {
        let server = try ArchiveServer()
        let name = (VoiceHome.archive as NSString).lastPathComponent
        try FileManager.default.copyItem(atPath: VoiceHome.archive, toPath: server.folder("tts-models/\(name)"))
        return server
    }
}
