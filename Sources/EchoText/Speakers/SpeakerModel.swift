import Foundation

/// A model for speaker diarization, in its own folder among the recognizers.
package struct SpeakerModel: Sendable, Hashable, Codable {
    package enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// Detects when each of a few people speaks in a window of some seconds: a model of sherpa-onnx's
        /// “speaker-segmentation-models”.
        case segmentation
        /// Computes a vector from a voice, for comparison: a model of sherpa-onnx's “speaker-recongition-models”.
        case embedding
    }

    package let kind: Kind
    /// Absolute path of the folder.
    package let path: String
    /// The bare name of the model.
    private let file: String

    fileprivate init(_ kind: Kind, path: String, file: String) {
        (self.kind, self.path, self.file) = (kind, path, file)
    }

    /// The folder's bare name, which is the archive's, or the model's without its ending.
    package var name: String { (path as NSString).lastPathComponent }

    /// The id in commands and on the page, such as `speakers/nemo_en_titanet_small`.
    package var id: Recognizer.ID { Recognizer.ID(rawValue: "speakers/\(name)") }

    /// Absolute path of the model.
    package var model: String { "\(path)/\(file)" }

    /// Bytes on this disk.
    package var size: Int64 {
        (ModelReceipt(at: path)?.files ?? ModelReceipt.files(in: path)).values.totalSize
    }
}

extension SpeakerModel {
    /// The ending of a model's name.
    package static let ending = ".onnx"

    /// Finds the model in the folder at `path`; returns `nil` when there is none.
    ///
    /// A segmentation model has the layout of its archive, and its name indicates its kind. An embedding model is a
    /// single file in a folder of the same name.
    package static func find(at path: String) -> SpeakerModel? {
        let path = URL(filePath: path).standardizedFileURL.path
        // A folder that cannot be listed contains no model.
        let all = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        let names = all.filter { !$0.hasPrefix(".") }
        let folder = (path as NSString).lastPathComponent
        if names == [folder + ending] { return SpeakerModel(.embedding, path: path, file: folder + ending) }
        let words = folder.lowercased().split { "-_.".contains($0) }
        guard words.contains("segmentation") || words.contains("diarization"), !names.contains("tokens.txt") else {
            return nil
        }
        // The model with 8-bit weights is less accurate and not faster.
        let file = ["model.onnx", "model.int8.onnx"].first { names.contains($0) }
        return file.map { SpeakerModel(.segmentation, path: path, file: $0) }
    }
}

/// The two models for speaker diarization.
package struct SpeakerModels: Sendable, Hashable, Codable {
    package let segmentation: SpeakerModel
    package let embedding: SpeakerModel

    /// - Parameter installed: The installed models; of several of one kind the first is used.
    /// - Throws: ``SpeakerError/missingModels(_:)``.
    package init(of installed: [SpeakerModel]) throws(SpeakerError) {
        let segmentation = installed.first { $0.kind == .segmentation }
        let embedding = installed.first { $0.kind == .embedding }
        guard let segmentation, let embedding else {
            throw .missingModels(SpeakerModel.Kind.allCases.filter { kind in !installed.contains { $0.kind == kind } })
        }
        (self.segmentation, self.embedding) = (segmentation, embedding)
    }

    /// Absolute paths of the folders in which all files are.
    package var paths: [String] { [segmentation.path, embedding.path] }

    /// Bytes on this disk.
    package var size: Int64 { segmentation.size + embedding.size }

    /// The bare names, for errors.
    package var names: String { "\(segmentation.name)” or “\(embedding.name)" }
}

/// Tries models that are not in use yet, where they can harm nobody.
package protocol SpeakerModelExaminer: Sendable {
    /// - Throws: ``SpeakerError``, ``RecognitionError``, `CancellationError`.
    func examine(_ models: SpeakerModels) async throws
}

/// A model for speaker diarization that can be downloaded.
package struct SpeakerModelOffer: Sendable, Hashable {
    package let kind: SpeakerModel.Kind
    package let entry: CatalogueEntry
    package let download: ModelDownload.State

    package init(_ kind: SpeakerModel.Kind, entry: CatalogueEntry, download: ModelDownload.State) {
        (self.kind, self.entry, self.download) = (kind, entry, download)
    }
}

extension SpeakerModel.Kind {
    /// The model of this kind that people are offered; it knows voices in any language.
    package var recommended: CatalogueEntry.ID {
        switch self {
        case .segmentation: CatalogueEntry.ID(rawValue: "sherpa-onnx-pyannote-segmentation-3-0")
        case .embedding: CatalogueEntry.ID(rawValue: "nemo_en_titanet_small")
        }
    }
}
