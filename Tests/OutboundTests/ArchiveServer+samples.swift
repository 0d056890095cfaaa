import Crypto
import EchoText
import EchoTextTesting
import Foundation

extension ArchiveServer {
    static let voice = sample("vits-piper-en_US-sample-medium")
    static let other = sample("vits-piper-de_DE-other-low")
    /// A model that is no archive.
    static let model = sample("nemo_sample", ending: ".onnx", beginning: [8, 7])

    /// A server of both voices, of the model, and of a file that is none.
    static func withSamples(certificate: Certificate? = nil) throws -> ArchiveServer {
        let server = try ArchiveServer(certificate: certificate.map { ($0.path, $0.key) })
        for (entry, bytes) in [voice, other, model] {
            try server.folder.write(bytes, to: "\(entry.release.rawValue)/\(entry.archive)")
        }
        try server.folder.write("text", to: "tts-models/espeak-ng-data.tar.bz2")
        return server
    }

    /// A file of one megabyte, the same in every run, that is an archive at most in its first bytes.
    private static func sample(
        _ id: String,
        ending: String = ".tar.bz2",
        beginning: [UInt8] = Array("BZh9".utf8)
    ) -> (entry: CatalogueEntry, bytes: Data) {
        var (bytes, state) = (Data(beginning), UInt32(truncatingIfNeeded: id.utf8.count))
        while bytes.count < 1_000_000 {
            state = state &* 1_664_525 &+ 1_013_904_223
            bytes.append(UInt8(state >> 24))
        }
        guard var entry = CatalogueEntry(archive: id + ending) else { preconditionFailure("\(id) is no entry") }
        entry.archiveBytes = Int64(bytes.count)
        entry.sha256 = SHA256.hash(data: bytes).map { String(format: "%02x", $0) }.joined()
        return (entry, bytes)
    }
}
