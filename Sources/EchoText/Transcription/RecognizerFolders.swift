import Foundation

/// The folder in which recognisers and the models that tell speakers apart are installed: one folder for each.
package struct RecognizerFolders: Sendable {
    private let path: String

    /// - Parameter path: Absolute path; the folder need not exist.
    package init(in path: String) {
        self.path = path
    }

    /// The recognisers whose files are there as they were installed, by name.
    package func recognizers() -> [LocalRecognizer] {
        // What cannot be used is passed over; ``contents()`` says why.
        contents().compactMap { try? $0.result.get() }
    }

    /// Every folder with the recogniser in it, or what is wrong with it, by name; hidden ones are passed over.
    ///
    /// A model that tells speakers apart is among them only when something is wrong with it.
    package func contents() -> [(name: String, result: Result<LocalRecognizer, RecognitionError>)] {
        names.compactMap { name in
            if let model = SpeakerModel.find(at: "\(path)/\(name)") {
                let file = VoiceReceipt(at: model.path)?.difference(at: model.path)
                return file.map { (name, .failure(.missingFile(($0 as NSString).lastPathComponent))) }
            }
            return (name, Result { () throws(RecognitionError) in try recognizer(in: name) })
        }
    }

    /// The models that tell speakers apart, the one that was added last first; one whose files have changed is passed over.
    package func speakerModels() -> [SpeakerModel] {
        names.compactMap { SpeakerModel.find(at: "\(path)/\($0)") }
            .map { (model: $0, receipt: VoiceReceipt(at: $0.path)) }
            .filter { $0.receipt?.difference(at: $0.model.path) == nil }
            .sorted { ($0.receipt?.installedAt ?? 0) > ($1.receipt?.installedAt ?? 0) }
            .map(\.model)
    }

    /// The folders, by name, hidden ones left out.
    private var names: [String] {
        // A home for recognisers that does not exist yet holds none.
        let all = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return all.sorted().filter { !$0.hasPrefix(".") }
    }

    private func recognizer(in name: String) throws(RecognitionError) -> LocalRecognizer {
        let folder = try RecognizerFolder.find(at: "\(path)/\(name)")
        if let file = VoiceReceipt(at: folder.path)?.difference(at: folder.path) {
            throw .missingFile((file as NSString).lastPathComponent)
        }
        return folder.recognizer
    }
}
