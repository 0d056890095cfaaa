import EchoText
import EchoTextTesting
import Foundation
import ONNXFormat
import Testing

@testable import ModelInstallation

@Suite("Voices from elsewhere", .endsInTime)
struct CompletionTests {
    private let name = "en_US-fixture-low"

    /// The fixture's model as Piper would publish it: without the notes that sherpa-onnx reads.
    private func bareModel() throws -> Data {
        let model = try Data(contentsOf: URL(filePath: "\(Fixtures.voice)/\(name).onnx"))
        let notes = ["model_type", "comment", "language", "voice", "has_espeak", "n_speakers", "sample_rate"]
        let values = ["vits", "piper", "English", "en-us", "1", "2", "16000"]
        let ending = ONNXMetadata.ending(adding: Array(zip(notes, values)).map { (key: $0.0, value: $0.1) })
        #expect(model.suffix(ending.count) == ending, "the same bytes as the fixture's maker writes")
        return model.dropLast(ending.count)
    }

    @Test func `get the notes that their models lack, and the symbols`() throws {
        let folder = TemporaryFolder()
        try bareModel().write(to: URL(filePath: folder("\(name).onnx")))
        try FileManager.default.copyItem(
            atPath: "\(Fixtures.voice)/\(name).onnx.json",
            toPath: folder("\(name).onnx.json")
        )
        try #require(VoiceCompletion(of: folder.path, named: name)).complete()
        for file in ["\(name).onnx", "tokens.txt"] {
            let isSame = FileManager.default.contentsEqual(
                atPath: folder(file),
                andPath: "\(Fixtures.voice)/\(file)"
            )
            #expect(isSame, "\(file) becomes what it is in sherpa-onnx's archives")
        }
        let before = try Data(contentsOf: URL(filePath: folder("\(name).onnx")))
        try #require(VoiceCompletion(of: folder.path, named: name)).complete()
        let isSame = try Data(contentsOf: URL(filePath: folder("\(name).onnx"))) == before
        #expect(isSame, "what is complete stays as it is")
    }

    @Test func `keep the notes they have`() throws {
        let folder = TemporaryFolder()
        let own = ONNXMetadata.ending(adding: [("sample_rate", "22050"), ("author", "somebody")])
        try (try bareModel() + own).write(to: URL(filePath: folder("\(name).onnx")))
        try FileManager.default.copyItem(
            atPath: "\(Fixtures.voice)/\(name).onnx.json",
            toPath: folder("\(name).onnx.json")
        )
        try #require(VoiceCompletion(of: folder.path, named: name)).complete()
        let model = try Data(contentsOf: URL(filePath: folder("\(name).onnx")))
        let rate = Data("sample_rate".utf8)
        #expect(model.ranges(of: rate).count == 1)
        #expect(
            ONNXMetadata(of: model)?.keys == [
                "sample_rate", "author", "model_type", "comment", "language", "voice", "has_espeak", "n_speakers",
            ]
        )
    }

    @Test func `have symbols of one scalar only, in the order of their numbers`() throws {
        let folder = TemporaryFolder()
        let description = """
            {"audio": {"sample_rate": 16000}, "phoneme_id_map": {"b": [3], " ": [1], "aɪ": [2], "_": [0], "x": []}}
            """
        try Data(description.utf8).write(to: URL(filePath: folder("v.onnx.json")))
        try #require(VoiceCompletion(of: folder.path, named: "v")).complete()
        #expect(try String(contentsOfFile: folder("tokens.txt"), encoding: .utf8) == "_ 0\n  1\nb 3\n")
    }

    @Test func `that are no models are left for others to judge`() throws {
        let folder = TemporaryFolder()
        let garbage = Data((0..<1_000).map { UInt8(truncatingIfNeeded: $0 &* 37) })
        try garbage.write(to: URL(filePath: folder("v.onnx")))
        try Data(#"{"audio": {"sample_rate": 16000}, "phoneme_id_map": {}}"#.utf8)
            .write(to: URL(filePath: folder("v.onnx.json")))
        try #require(VoiceCompletion(of: folder.path, named: "v")).complete()
        let isSame = try Data(contentsOf: URL(filePath: folder("v.onnx"))) == garbage
        #expect(isSame)
        #expect(!FileManager.default.fileExists(atPath: folder("tokens.txt")))
        try Data("[]".utf8).write(to: URL(filePath: folder("v.onnx.json")))
        #expect(VoiceCompletion(of: folder.path, named: "v") == nil)
    }

    @Test func `have notes that are found however the bytes end`() throws {
        let model = try Data(contentsOf: URL(filePath: "\(Fixtures.voice)/\(name).onnx"))
        #expect(ONNXMetadata(of: Data()) == nil)
        var found = 0
        for length in stride(from: 1, to: model.count, by: 997) where ONNXMetadata(of: model.prefix(length)) != nil {
            found += 1
        }
        #expect(found < 5, "a model that is cut short is seldom a message")
        #expect(ONNXMetadata(of: Data([0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF])) == nil)
        #expect(ONNXMetadata(of: Data([0x72, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F])) == nil)
    }
}
