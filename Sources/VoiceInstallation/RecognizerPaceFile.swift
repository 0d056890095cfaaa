package import EchoText
import FileSystem
import Foundation

/// Stores in a hidden file of the recognisers' folder how long they have needed; only their ids and two numbers each are in it.
package struct RecognizerPaceFile: RecognizerPaceStore {
    private let folder: String
    private let disk = BlockingExecutor(label: "echotext.paces")

    /// The most bytes that are read, for many recognisers.
    private static let largest = 1_000_000

    /// - Parameter folder: The folder of the recognisers; made when something is stored.
    package init(in folder: String) {
        self.folder = folder
    }

    private var path: String { "\(folder)/.paces.json" }

    package func paces() async -> RecognizerPaces {
        await disk.run { [path] in Self.read(path) }
    }

    package func note(_ recognizer: Recognizer.ID, heard: Double, took: Double) async {
        await disk.run { [folder, path] in
            let before = Self.read(path)
            var paces = before
            paces.note(recognizer, heard: heard, took: took)
            guard paces != before, let data = try? JSONEncoder().encode(paces) else { return }
            // What cannot be stored is measured again the next time.
            try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try? AtomicFile.write(data, to: path)
        }
    }

    /// A file that cannot be read, or is larger than any, counts as missing.
    private static func read(_ path: String) -> RecognizerPaces {
        let facts = try? FileManager.default.attributesOfItem(atPath: path)
        guard let size = (facts?[.size] as? NSNumber)?.intValue, size <= largest,
            let data = FileManager.default.contents(atPath: path)
        else { return RecognizerPaces() }
        return (try? JSONDecoder().decode(RecognizerPaces.self, from: data)) ?? RecognizerPaces()
    }
}
