import EchoText
import EchoTextTesting
import Foundation
import Testing

@Suite("Models that tell speakers apart")
struct SpeakerModelTests {
    private let folder = TemporaryFolder()

    private func make(_ name: String, _ files: String...) throws -> String {
        try FileManager.default.createDirectory(atPath: folder(name), withIntermediateDirectories: true)
        for file in files { try folder.write("x", to: "\(name)/\(file)") }
        return folder(name)
    }

    @Test("are known by their archives' layouts, whose exact model is preferred")
    func layouts() throws {
        let names = ["sherpa-onnx-pyannote-segmentation-3-0", "sherpa-onnx-reverb-diarization-v1"]
        for name in names {
            let model = SpeakerModel.find(at: try make(name, "model.int8.onnx", "model.onnx", "README.md"))
            #expect(model?.kind == .segmentation && model?.model == folder("\(name)/model.onnx"))
            #expect(model?.id.rawValue == "speakers/\(name)")
        }
        let small = SpeakerModel.find(at: try make("my.segmentation", "model.int8.onnx"))
        #expect(small?.model == folder("my.segmentation/model.int8.onnx"))
        let voices = SpeakerModel.find(at: try make("nemo_en_titanet_small", "nemo_en_titanet_small.onnx"))
        #expect(voices?.kind == .embedding && voices?.size == 1)
    }

    @Test("are not seen where there are none")
    func others() throws {
        #expect(SpeakerModel.find(at: folder("nowhere")) == nil)
        #expect(SpeakerModel.find(at: try make("empty-segmentation", "model.txt")) == nil)
        #expect(SpeakerModel.find(at: try make("sense-voice-segmentation", "model.onnx", "tokens.txt")) == nil)
        #expect(SpeakerModel.find(at: try make("voice", "voice.onnx", "voice.onnx.json")) == nil)
        #expect(SpeakerModel.find(at: try make("sherpa-onnx-nemo-ctc", "model.onnx", "tokens.txt")) == nil)
    }

    @Test("are needed both, and of several the newest is used")
    func pairs() throws {
        let old = try make("sherpa-onnx-pyannote-segmentation-3-0", "model.onnx")
        let new = try make("sherpa-onnx-reverb-diarization-v1", "model.onnx")
        for (place, time) in [(old, 1.0), (new, 2.0)] {
            let receipt = ModelReceipt(
                entry: nil,
                url: nil,
                archiveBytes: nil,
                sha256: nil,
                installedAt: time,
                files: ModelReceipt.files(in: place)
            )
            try receipt.encoded.write(to: URL(filePath: "\(place)/\(ModelReceipt.fileName)"))
        }
        let folders = RecognizerFolders(in: folder.path)
        #expect(folders.speakerModels().map(\.path) == [new, old])
        #expect(folders.contents().isEmpty, "they are no recognisers")
        #expect(throws: SpeakerError.missingModels([.embedding])) { try SpeakerModels(of: folders.speakerModels()) }
        #expect(throws: SpeakerError.missingModels([.segmentation, .embedding])) { try SpeakerModels(of: []) }
        let voices = try make("voices", "voices.onnx")
        let pair = try SpeakerModels(of: folders.speakerModels())
        #expect((pair.segmentation.path, pair.embedding.path) == (new, voices))
        try folder.write("changed", to: "sherpa-onnx-reverb-diarization-v1/model.onnx")
        #expect(try SpeakerModels(of: folders.speakerModels()).segmentation.path == old, "a damaged one is not used")
    }

    @Test("find as many speakers as are named, or find out", arguments: [nil, 1, 20])
    func counts(speakers: Int?) throws {
        #expect(try SpeakerCount(speakers) == speakers.map { .known($0) } ?? .unknown())
        for wrong in [0, -1, 21] {
            #expect(throws: SpeakerError.invalidCount) { try SpeakerCount(wrong) }
        }
    }
}
