import Foundation

/// The folder in which recognisers are installed: one folder for each.
package struct RecognizerFolders: Sendable {
    private let path: String

    /// - Parameter path: Absolute path; the folder need not exist.
    package init(in path: String) {
        self.path = path
    }

    /// The recognisers whose files are there as they were installed, by name.
    package func recognizers() -> [LocalRecognizer] {
        // What cannot be used is passed over; ``contents()`` tells why.
        contents().compactMap { try? $0.result.get() }
    }

    /// Every folder with the recogniser in it, or what is wrong with it, by name; hidden ones are passed over.
    package func contents() -> [(name: String, result: Result<LocalRecognizer, RecognitionError>)] {
        // A home for recognisers that does not exist yet holds none.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.sorted().filter { !$0.hasPrefix(".") }.map { name in
            (name, Result { () throws(RecognitionError) in try recognizer(in: name) })
        }
    }

    private func recognizer(in name: String) throws(RecognitionError) -> LocalRecognizer {
        let folder = try RecognizerFolder.find(at: "\(path)/\(name)")
        if let file = VoiceReceipt(at: folder.path)?.difference(at: folder.path) {
            throw .missingFile((file as NSString).lastPathComponent)
        }
        return folder.recognizer
    }
}
