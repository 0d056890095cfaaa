import EchoText
import Foundation
import ONNXFormat

/// The metadata that sherpa-onnx reads from a diarization model before it uses the model.
///
/// It ends its process if a segmentation model lacks an entry, and reads out of bounds if a file is not an embedding
/// model: both are rejected here.
enum SpeakerModelMetadata {
    /// - SeeAlso: `offline-speaker-segmentation-pyannote-model.cc` and `speaker-embedding-extractor-model.cc` of
    ///   github.com/k2-fsa/sherpa-onnx.
    private static func needed(by kind: SpeakerModel.Kind) -> Set<String> {
        switch kind {
        case .segmentation:
            [
                "sample_rate", "window_size", "receptive_field_size", "receptive_field_shift", "num_speakers",
                "powerset_max_classes", "num_classes",
            ]
        case .embedding: ["framework", "output_dim", "sample_rate"]
        }
    }

    /// - Throws: ``SpeakerError/badModel(_:)``.
    static func check(_ model: SpeakerModel) throws(SpeakerError) {
        guard let bytes = try? Data(contentsOf: URL(filePath: model.model), options: .alwaysMapped),
            let metadata = ONNXMetadata(of: bytes), needed(by: model.kind).isSubset(of: metadata.keys)
        else { throw .badModel(model.name) }
    }
}
