/// A model for speaker diarization that can be downloaded.
package struct SpeakerModelOffer: Sendable, Hashable {
    package let kind: SpeakerModel.Kind
    package let entry: CatalogueEntry
    package let download: VoiceDownload.State

    package init(_ kind: SpeakerModel.Kind, entry: CatalogueEntry, download: VoiceDownload.State) {
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
