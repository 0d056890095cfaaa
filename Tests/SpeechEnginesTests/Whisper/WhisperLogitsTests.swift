import EchoText
import Foundation
import ONNXFormat
import Testing

@testable import SpeechEngines

@Suite("Division of Whisper's decoder")
struct WhisperDivisionTests {
    private static let sound: Set = ["n_layer_cross_k", "n_layer_cross_v"]

    private func decoder() throws -> ONNXGraph {
        try ONNXGraph(model: Data(contentsOf: URL(filePath: "\(Tones.whisper)/fixture.en-decoder.int8.onnx")))
    }

    @Test
    func `lays a sound out once, and leaves the rest for each token`() throws {
        let graph = try decoder()
        let division = try #require(WhisperDivision(graph, sound: Self.sound))
        #expect(division.tensors == ["scores"])
        #expect(division.layout.nodes.map(\.operation) == ["Squeeze", "Transpose", "Transpose"])
        #expect(division.layout.nodes.count + division.decoder.nodes.count == graph.nodes.count)
        #expect(Set(division.layout.inputs.map(\.name)) == Self.sound)
        #expect(!division.decoder.inputs.contains { Self.sound.contains($0.name) })
        #expect(division.decoder.outputs == graph.outputs)
    }

    @Test
    func `is none where nothing is laid out, or the sound is read beside it`() throws {
        var graph = try decoder()
        graph.nodes.append(ONNXNode("Shape", ["n_layer_cross_v"], ["its shape"]))
        graph.outputs.append(ONNXGraph.Port("its shape", type: ONNXTensor.Element.int64))
        #expect(WhisperDivision(graph, sound: Self.sound) == nil)
        #expect(WhisperDivision(try decoder(), sound: ["tokens"]) == nil)
        #expect(WhisperDivision(try decoder(), sound: ["no such input"]) == nil)
    }
}

@Suite("Whisper's logits in 8-bit numbers")
struct WhisperLogitsTests {
    private static let width = 64

    private func model(_ file: String) throws -> Data {
        try Data(contentsOf: URL(filePath: "\(Tones.whisper)/fixture.en-\(file).onnx"))
    }

    /// What a decoder makes of a sound that is noise, after so many tokens.
    private func logits(_ decoder: Data, after count: Int, in environment: ONNXEnvironment) throws -> [Float] {
        var noise = NormalNoise(seed: 7)
        let frames = 40
        let sound = noise.numbers(frames * Self.width)
        let cache = [Float](repeating: 0, count: 448 * Self.width)
        let session = try ONNXSession(model: decoder, in: environment)
        let made = try session.run(
            [
                ("tokens", ONNXInput([11] as [Int], [1, 1])),
                ("in_n_layer_self_k_cache", ONNXInput(cache, [1, 1, 448, Self.width])),
                ("in_n_layer_self_v_cache", ONNXInput(cache, [1, 1, 448, Self.width])),
                ("n_layer_cross_k", ONNXInput(sound, [1, 1, frames, Self.width])),
                ("n_layer_cross_v", ONNXInput(sound, [1, 1, frames, Self.width])),
                ("offset", ONNXInput([count], [1])),
            ],
            for: [WhisperLogits.name]
        )
        return made[0].values
    }

    @Test
    func `are those of the original`() throws {
        let original = try model("decoder.int8")
        let graph = try ONNXGraph(model: original)
        let prepared = try #require(WhisperLogits.graph(graph))
        #expect(graph.nodes.count { $0.operation == "MatMulInteger" } == 1)
        #expect(prepared.nodes.count { $0.operation == "MatMulInteger" } == 2)
        #expect(!prepared.nodes.contains { $0.operation == "MatMul" })
        #expect(prepared.inputs == graph.inputs && prepared.outputs == graph.outputs)
        let environment = try ONNXEnvironment(library: try ONNXRuntimeLibrary(folder: Fixtures.library))
        for count in 0..<4 {
            let own = try logits(prepared.model, after: count, in: environment)
            let its = try logits(original, after: count, in: environment)
            #expect(WhisperLogits.areAlike(own, its), "after \(count) tokens")
            #expect(own.indices.max { own[$0] < own[$1] } == its.indices.max { its[$0] < its[$1] })
        }
    }

    @Test
    func `are only made where there are other 8-bit numbers, and one product makes logits`() throws {
        let encoder = try ONNXGraph(model: model("encoder"))
        #expect(WhisperLogits.graph(encoder) == nil)
        var float = try ONNXGraph(model: model("decoder.int8"))
        float.nodes.removeAll { $0.operation == "MatMulInteger" }
        #expect(WhisperLogits.graph(float) == nil)
        var shared = try ONNXGraph(model: model("decoder.int8"))
        shared.outputs.append(ONNXGraph.Port("product", type: ONNXTensor.Element.float))
        #expect(WhisperLogits.graph(shared) == nil)
    }

    @Test
    func `differ too much by a fifth of their spread`() {
        let original = (0..<100).map { Float($0 % 2) }
        #expect(WhisperLogits.areAlike(original, original))
        #expect(WhisperLogits.areAlike(original.map { $0 + 0.03 }, original))
        #expect(!WhisperLogits.areAlike(original.map { $0 + 0.1 }, original))
        #expect(!WhisperLogits.areAlike(original.map { _ in .nan }, original))
        #expect(!WhisperLogits.areAlike([], original) && !WhisperLogits.areAlike([], []))
    }

    @Test
    func `keep their precision beside numbers that are a hundred times greater`() throws {
        var graph = try ONNXGraph(model: model("decoder.int8"))
        let turned = try #require(graph.nodes.firstIndex { $0.outputs == ["turned"] })
        let weights = try #require(graph.constants["codes"]?.floats)
        // The first number of what is known becomes a hundred times greater, and counts for a hundredth.
        let gains = (0..<Self.width).map { $0 == 0 ? Float(100) : 1 }
        let lessened = weights.enumerated().map { $0.element / gains[$0.offset % Self.width] }
        let rows = weights.count / Self.width
        graph.constants["gains"] = ONNXTensor(name: "gains", floats: gains, dimensions: [Self.width])
        graph.constants["lessened"] = ONNXTensor(name: "lessened", floats: lessened, dimensions: [rows, Self.width])
        graph.nodes[turned].inputs = ["greater"]
        graph.nodes.insert(ONNXNode("Mul", ["known", "gains"], ["greater"]), at: turned)
        let product = try #require(graph.nodes.firstIndex { $0.outputs == ["product"] })
        graph.nodes[product].inputs = ["lessened", "turned"]
        let prepared = try #require(WhisperLogits.graph(graph))
        let environment = try ONNXEnvironment(library: try ONNXRuntimeLibrary(folder: Fixtures.library))
        for count in 0..<4 {
            let own = try logits(prepared.model, after: count, in: environment)
            #expect(WhisperLogits.areAlike(own, try logits(graph.model, after: count, in: environment)))
        }
    }
}
