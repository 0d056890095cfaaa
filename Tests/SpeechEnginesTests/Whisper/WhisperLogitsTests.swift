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

@Suite("Memory of Whisper's decoder")
struct WhisperMemoryTests {
    private static let width = 3
    private static let ports: [WhisperMemory.Ports] = [(given: "memory", made: "made")]
    /// The names of what each layer is given, and of what the last one makes.
    private static let memories = ["memory", "memory 1", "made"]

    /// A decoder of two layers that write what they remember as those of an exported one do; it knows the sum of both.
    private func decoder() throws -> ONNXGraph {
        var graph = try ONNXGraph(model: fixture)
        let numbers = [("0", [0]), ("1", [1]), ("2", [2]), ("0 and 2", [0, 2]), ("-1", [-1])]
        var constants = numbers.map { ONNXTensor(name: $0, int64s: $1) }
        for number in 0..<2 {
            constants.append(layer(number, called: "layer \(number)", dimensions: [1, 1, 1]))
            constants.append(layer(number, called: "which \(number)", dimensions: []))
            constants.append(ONNXTensor(name: "gain \(number)", floats: [number == 0 ? 1 : 10], dimensions: [1]))
        }
        graph.constants = Dictionary(uniqueKeysWithValues: constants.map { ($0.name, $0) })
        let (first, last) = ([ONNXAttribute("axis", integer: 0)], [ONNXAttribute("axis", integer: -1)])
        graph.nodes = [
            ONNXNode("Shape", ["new"], ["shape"]),
            ONNXNode("Slice", ["shape", "1", "2", "0"], ["count"]),
            ONNXNode("Add", ["offset", "count"], ["end"]),
            ONNXNode("Squeeze", ["offset", "0"], ["first"]),
            ONNXNode("Squeeze", ["end", "0"], ["last"]),
            ONNXNode("Range", ["first", "last", "which 1"], ["own rows"]),
            ONNXNode("Range", ["which 0", "last", "which 1"], ["rows"]),
            ONNXNode("Unsqueeze", ["own rows", "0 and 2"], ["own row"]),
            ONNXNode("Mul", ["own row", "0"], ["own sound"]),
            ONNXNode("Concat", ["own sound", "own row"], ["own places"], attributes: last),
            ONNXNode("Concat", ["1", "1", "end"], ["size"], attributes: first),
            ONNXNode("Expand", ["layer 0", "size"], ["sounds"]),
            ONNXNode("Unsqueeze", ["sounds", "-1"], ["sound"]),
            ONNXNode("Expand", ["rows", "size"], ["all rows"]),
            ONNXNode("Unsqueeze", ["all rows", "-1"], ["row"]),
        ]
        for number in 0..<2 { graph.nodes += nodes(ofLayer: number, first, last) }
        graph.nodes.append(ONNXNode("Add", ["known 0", "known 1"], ["known"]))
        graph.inputs = [
            ONNXGraph.Port("new", type: ONNXTensor.Element.float),
            ONNXGraph.Port("offset", type: ONNXTensor.Element.int64),
            ONNXGraph.Port("memory", type: ONNXTensor.Element.float),
        ]
        graph.outputs = ["known", "made"].map { ONNXGraph.Port($0, type: ONNXTensor.Element.float) }
        return graph
    }

    private var fixture: Data {
        get throws { try Data(contentsOf: URL(filePath: "\(Tones.whisper)/fixture.en-decoder.int8.onnx")) }
    }

    private func layer(_ number: Int, called name: String, dimensions: [Int]) -> ONNXTensor {
        var layer = ONNXTensor(name: name, int64s: [number])
        layer.dimensions = dimensions
        return layer
    }

    private func nodes(ofLayer number: Int, _ first: [ONNXAttribute], _ last: [ONNXAttribute]) -> [ONNXNode] {
        [
            ONNXNode("Gather", [Self.memories[number], "which \(number)"], ["own \(number)"], attributes: first),
            ONNXNode("Slice", ["own \(number)", "0", "end", "1"], ["before \(number)"]),
            ONNXNode("Mul", ["new", "gain \(number)"], ["new \(number)"]),
            ONNXNode("ScatterND", ["before \(number)", "own places", "new \(number)"], ["known \(number)"]),
            ONNXNode("Expand", ["layer \(number)", "size"], ["layers \(number)"]),
            ONNXNode("Unsqueeze", ["layers \(number)", "-1"], ["each \(number)"]),
            ONNXNode("Concat", ["each \(number)", "sound", "row"], ["places \(number)"], attributes: last),
            ONNXNode("Shape", ["before \(number)"], ["shape \(number)"]),
            ONNXNode("Expand", ["known \(number)", "shape \(number)"], ["spread \(number)"]),
            ONNXNode("Concat", ["1", "shape \(number)"], ["whole \(number)"], attributes: first),
            ONNXNode("Reshape", ["spread \(number)", "whole \(number)"], ["rows \(number)"]),
            ONNXNode(
                "ScatterND",
                [Self.memories[number], "places \(number)", "rows \(number)"],
                [Self.memories[number + 1]]
            ),
        ]
    }

    /// The memory of a decoder after a few more tokens.
    private func run(_ session: ONNXSession, _ new: [Float], after count: Int, memory: [Float]) throws -> [ONNXOutput] {
        let places = memory.count / 2 / Self.width
        return try session.run(
            [
                ("new", ONNXInput(new, [1, new.count / Self.width, Self.width])),
                ("offset", ONNXInput([count], [1])),
                ("memory", ONNXInput(memory, [2, 1, places, Self.width])),
            ],
            for: ["known", "made"]
        )
    }

    @Test
    func `grows with each token, and is that of the original`() throws {
        let graph = try decoder()
        let grown = try #require(WhisperMemory.graph(graph, Self.ports))
        #expect(grown.nodes.count { $0.operation == "ScatterND" } == 2, "those of the new rows alone")
        #expect(grown.inputs == graph.inputs && grown.outputs == graph.outputs)
        let environment = try ONNXEnvironment(library: try ONNXRuntimeLibrary(folder: Fixtures.library))
        let original = try ONNXSession(model: graph.model, in: environment)
        let session = try ONNXSession(model: grown.model, in: environment)
        var whole = [Float](repeating: 0, count: 2 * 8 * Self.width)
        var memory = [Float](repeating: 0, count: 2 * 2 * Self.width)
        var read = 0
        for count in [2, 1, 1] {
            let new = (1...count * Self.width).map { Float(read * Self.width + $0) }
            let its = try run(original, new, after: read, memory: whole)
            let own = try run(session, new, after: read, memory: memory)
            read += count
            #expect(own[0].values == its[0].values && own[0].dimensions == [1, read, Self.width])
            #expect(own[0].values.last == Float(11 * read * Self.width))
            #expect(own[1].dimensions == [2, 1, read + 1, Self.width], "with a place for the next token")
            (whole, memory) = (its[1].values, own[1].values)
        }
    }

    @Test
    func `stays as it is where something else is written, or reads it`() throws {
        #expect(WhisperMemory.graph(try ONNXGraph(model: fixture), Self.ports) == nil)
        let ports = [(given: "in_n_layer_self_k_cache", made: "out_n_layer_self_k_cache")]
        #expect(WhisperMemory.graph(try ONNXGraph(model: fixture), ports) == nil)
        let graph = try decoder()
        #expect(WhisperMemory.graph(graph, [(given: "memory 1", made: "memory 1")]) == nil)
        for memory in Self.memories {
            var shared = graph
            shared.nodes.append(ONNXNode("Shape", [memory], ["its shape"]))
            shared.outputs.append(ONNXGraph.Port("its shape", type: ONNXTensor.Element.int64))
            #expect(WhisperMemory.graph(shared, Self.ports) == nil, "\(memory)")
        }
        var twice = graph
        twice.constants["layer 1"] = layer(0, called: "layer 1", dimensions: [1, 1, 1])
        #expect(WhisperMemory.graph(twice, Self.ports) == nil, "both layers are written to one place")
        var same = graph
        same.constants["which 1"] = layer(0, called: "which 1", dimensions: [])
        #expect(WhisperMemory.graph(same, Self.ports) == nil, "both layers read one place")
        var late = graph
        late.constants["0"] = ONNXTensor(name: "0", int64s: [1])
        #expect(WhisperMemory.graph(late, Self.ports) == nil, "a layer does not remember its first token")
    }
}

@Suite("Whisper's logits in 8-bit numbers")
struct WhisperLogitsTests {
    private static let width = 64

    private func model(_ file: String) throws -> Data {
        try Data(contentsOf: URL(filePath: "\(Tones.whisper)/fixture.en-\(file).onnx"))
    }

    /// The output of a decoder for a sound that is noise, after so many tokens.
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
    func `are made of weights that are quantized when the model is opened`() throws {
        let graph = try ONNXGraph(model: model("decoder.int8"))
        let prepared = try #require(WhisperLogits.graph(graph))
        let read = try ONNXGraph(model: prepared.model)
        let weights = try #require(graph.constants["codes"]).dimensions
        #expect(read.constants["echotext codes"]?.type == ONNXTensor.Element.int8)
        #expect(read.constants["echotext codes"]?.dimensions == Array(weights.reversed()))
        #expect(read.constants["echotext codes"]?.bytes == prepared.constants["echotext codes"]?.bytes)
        for operation in ["Abs", "ReduceMax", "Div", "Round"] {
            let isIt = { (node: ONNXNode) in node.operation == operation }
            #expect(read.nodes.count(where: isIt) == graph.nodes.count(where: isIt), "\(operation)")
        }
    }

    @Test(arguments: [(1, 1), (3, 2), (64, 64), (70, 129)])
    func `have the nearest codes of their weights`(tokens: Int, width: Int) throws {
        var noise = NormalNoise(seed: 3)
        let numbers = noise.numbers(tokens * width)
        let tensor = ONNXTensor(name: "weights", floats: numbers, dimensions: [tokens, width])
        let weights = try #require(QuantizedWeights(tensor))
        #expect(weights.codes.count == tokens * width && weights.scales.count == tokens)
        for column in 0..<width {
            let own = (0..<tokens).map { abs(numbers[$0 * width + column]) }
            #expect(weights.columns[column] == own.max())
        }
        for token in 0..<tokens {
            let parts = (0..<width).map { numbers[token * width + $0] / weights.columns[$0] }
            let scale = weights.scales[token]
            #expect(scale == (parts.map { abs($0) }.max() ?? 0) / 127)
            let codes = parts.map { Int8(($0 / scale).rounded(.toNearestOrEven)) }
            #expect((0..<width).map { weights.codes[$0 * tokens + token] } == codes)
        }
    }

    @Test
    func `have the even code of two that are as near, on both sides of 0`() throws {
        // The first row makes each column's size 1; the second one's scale is 1/128 exactly.
        let halves: [Float] = [127, 0.5, 1.5, 2.5, -0.5, -1.5, 126.5, -127]
        let numbers = [Float](repeating: 1, count: halves.count) + halves.map { $0 / 128 }
        let tensor = ONNXTensor(name: "weights", floats: numbers, dimensions: [2, halves.count])
        let weights = try #require(QuantizedWeights(tensor))
        #expect(weights.scales[1] == 1.0 / 128)
        #expect(halves.indices.map { weights.codes[$0 * 2 + 1] } == [127, 0, 2, 2, 0, -2, 126, -127])
        #expect(halves.indices.allSatisfy { weights.codes[$0 * 2] == 127 })
    }

    @Test
    func `have codes for weights that are 0, infinite or no numbers, and for weights anywhere in a file`() throws {
        let numbers: [Float] = [0, .nan, .infinity, 0, 1, -.infinity]
        let tensor = ONNXTensor(name: "weights", floats: numbers, dimensions: [2, 3])
        let weights = try #require(QuantizedWeights(tensor))
        #expect(weights.codes.count == 6 && weights.codes.allSatisfy { $0 > -128 })
        #expect(weights.codes[0] == 0 && weights.codes[1] == 0, "the first column is 0")
        // The length of a name moves the weights behind it.
        for length in 0..<4 {
            var graph = try ONNXGraph(model: model("decoder.int8"))
            var moved = try #require(graph.constants["codes"])
            moved.name = "codes" + String(repeating: "x", count: length)
            graph.constants = [moved.name: moved]
            graph.nodes = [ONNXNode("Abs", [moved.name], ["y"])]
            graph.outputs = [ONNXGraph.Port("y", type: ONNXTensor.Element.float)]
            let read = try #require(try ONNXGraph(model: graph.model).constants[moved.name])
            let (own, its) = (try #require(QuantizedWeights(read)), try #require(QuantizedWeights(moved)))
            #expect(own.codes == its.codes && own.columns == its.columns && own.scales == its.scales)
        }
    }

    @Test
    func `are not made of weights that are no matrix of floats`() {
        #expect(QuantizedWeights(ONNXTensor(name: "weights", int64s: [1])) == nil)
        #expect(QuantizedWeights(ONNXTensor(name: "weights", floats: [1], dimensions: [1])) == nil)
        #expect(QuantizedWeights(ONNXTensor(name: "weights", floats: [], dimensions: [0, 4])) == nil)
        #expect(QuantizedWeights(ONNXTensor(name: "weights", int8s: [1], dimensions: [1, 1])) == nil)
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
