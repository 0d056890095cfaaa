import EchoText
import Foundation

#if canImport(Glibc)
import Glibc
#endif

/// Small files that are whole or not there, whenever the program ends.
enum AtomicFile {
    private static let ending = ".new"

    /// Where this process has the content until it is whole.
    private static func neighbour(of path: String) -> String { "\(path).\(getpid())\(ending)" }

    /// Removes from a folder what processes that have ended were writing.
    static func sweep(_ folder: String) {
        // A folder that is not there holds nothing.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in names where isLeftOver(name) { unlink("\(folder)/\(name)") }
    }

    private static func isLeftOver(_ name: String) -> Bool {
        guard name.hasSuffix(ending), name.contains(".json.") else { return false }
        let process = name.dropLast(ending.count).split(separator: ".").last.flatMap { pid_t($0) }
        guard let process, process > 0 else { return false }
        return kill(process, 0) != 0 && errno == ESRCH
    }

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
