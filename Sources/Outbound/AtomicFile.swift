import EchoText
import Foundation

#if canImport(Glibc)
import Glibc
#endif

/// Small files that are whole or not there, whenever the program ends.
enum AtomicFile {
    /// Where this process has the content until it is whole.
    static func neighbour(of path: String) -> String { "\(path).\(getpid()).new" }

    /// - Throws: ``VoiceDownloadError/cannotWrite``.
    static func write(_ value: some Encodable, to path: String) throws(VoiceDownloadError) {
        let neighbour = neighbour(of: path)
        do {
            try JSONEncoder().encode(value).write(to: URL(filePath: neighbour))
            guard rename(neighbour, path) == 0 else { throw VoiceDownloadError.cannotWrite }
        } catch {
            unlink(neighbour)
            throw .cannotWrite
        }
    }
}
