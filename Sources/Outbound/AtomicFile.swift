import EchoText
import Foundation

#if canImport(Glibc)
import Glibc
#endif

/// Small files that are whole or not there, whenever the program ends.
enum AtomicFile {
    /// Where the content is until it is whole; what a killed program leaves there is written over the next time.
    static func neighbour(of path: String) -> String { path + ".new" }

    /// - Throws: ``VoiceDownloadError/cannotWrite``.
    static func write(_ value: some Encodable, to path: String) throws(VoiceDownloadError) {
        do {
            let neighbour = neighbour(of: path)
            try JSONEncoder().encode(value).write(to: URL(filePath: neighbour))
            guard rename(neighbour, path) == 0 else { throw VoiceDownloadError.cannotWrite }
        } catch {
            throw .cannotWrite
        }
    }
}
