import Foundation

/// The folder in which recognisers and diarization models are installed, each in its own folder.
package struct RecognizerFolders: Sendable {
    private let path: String

    /// - Parameter path: Absolute path; the folder need not exist.
    package init(in path: String) {
        self.path = path
    }

    /// The recognisers whose files are unchanged since their installation, by name.
    package func recognizers() -> [LocalRecognizer] {
        // Unusable ones are skipped; ``contents()`` has the reasons.
        contents().compactMap { try? $0.result.get() }
    }

    /// All folders with their recognisers or errors, by name; hidden folders are skipped.
    ///
    /// A diarization model is among them only if it has an error.
    package func contents() -> [(name: String, result: Result<LocalRecognizer, RecognitionError>)] {
        names.compactMap { name in
            if let model = SpeakerModel.find(at: "\(path)/\(name)") {
                let file = VoiceReceipt(at: model.path)?.difference(at: model.path)
                return file.map { (name, .failure(.missingFile(($0 as NSString).lastPathComponent))) }
            }
            return (name, Result { () throws(RecognitionError) in try recognizer(in: name) })
        }
    }

    /// The diarization models, the last added first; a model whose files have changed is skipped.
    package func speakerModels() -> [SpeakerModel] {
        names.compactMap { SpeakerModel.find(at: "\(path)/\($0)") }
            .map { (model: $0, receipt: VoiceReceipt(at: $0.path)) }
            .filter { $0.receipt?.difference(at: $0.model.path) == nil }
            .sorted { ($0.receipt?.installedAt ?? 0) > ($1.receipt?.installedAt ?? 0) }
            .map(\.model)
    }

    /// The names of the folders, sorted, without hidden ones.
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
