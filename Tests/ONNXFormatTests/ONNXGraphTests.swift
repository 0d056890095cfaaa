import EchoTextTesting
import Foundation
import Testing

@testable import ONNXFormat

@Suite("ONNX graphs")
struct ONNXGraphTests {
    /// A model of one convolution, written by hand.
    private func model(_ change: (inout ONNXGraph) -> Void = { _ in }) throws -> Data {
        var graph = try ONNXGraph(model: Self.smallest)
        change(&graph)
        return graph.model
    }

    /// Version 8, operations of version 15, and a graph in which `y` is `x`.
    private static var smallest: Data {
        var operations = MessageWriter()
        operations.write(2, 15)
        var port = MessageWriter()
        port.write(1, "x")
        var graph = MessageWriter()
        graph.write(11, port.data)
        graph.write(12, port.data)
        var model = MessageWriter()
        model.write(1, 8)
        model.write(8, operations.data)
        model.write(7, graph.data)
        return model.data
    }

    @Test("are read as they were written")
    func readAsThey() throws {
        let bytes = try model { graph in
            graph.constants["w"] = ONNXTensor(name: "w", int64s: [3, -1, 1 << 40])
            graph.nodes = [
                ONNXNode("Late", ["a", "w", ""], ["y"], attributes: [ONNXAttribute("pads", integers: [0, -3])]),
                ONNXNode("Early", ["x"], ["a"]),
            ]
            graph.outputs = [.init("y", type: ONNXTensor.Element.float, dimensions: [1, 192, nil])]
        }
        let read = try ONNXGraph(model: bytes)
        #expect(read.operations == 15)
        #expect(read.nodes.map(\.operation) == ["Early", "Late"], "each node comes after what it reads")
        #expect(read.nodes[1].inputs == ["a", "w", ""])
        #expect(read.nodes[1].integers("pads") == [0, -3])
        #expect(read.constants["w"]?.int64s == [3, -1, 1 << 40])
        #expect(read.outputs.first?.name == "y")
        #expect(try ONNXGraph(model: read.model).nodes.map(\.operation) == ["Early", "Late"])
    }

    @Test("keep the elements of constants of every kind beside each other")
    func keepElements() throws {
        let bytes = try model { graph in
            let tensors = [
                ONNXTensor(name: "codes", int8s: [-127, 0, 127, 1], dimensions: [2, 2]),
                ONNXTensor(name: "none", floats: [], dimensions: [0]),
                ONNXTensor(name: "numbers", floats: [0.5, -2], dimensions: [2, 1]),
                ONNXTensor(name: "places", int64s: [7]),
            ]
            for tensor in tensors { graph.constants[tensor.name] = tensor }
            graph.nodes = [ONNXNode("Join", ["x"] + tensors.map(\.name), ["y"])]
            graph.outputs = [.init("y", type: ONNXTensor.Element.float)]
        }
        let read = try ONNXGraph(model: bytes)
        let codes = try #require(read.constants["codes"])
        #expect(codes.type == ONNXTensor.Element.int8 && codes.dimensions == [2, 2])
        #expect(codes.bytes.map { Array($0) } == [0x81, 0, 0x7F, 1])
        #expect(read.constants["none"]?.floats == [])
        #expect(read.constants["numbers"]?.floats == [0.5, -2])
        #expect(read.constants["places"]?.int64s == [7])
        #expect(read.constants.count == 4)
        #expect(read.model == bytes, "a model that is written again is the same")
    }

    @Test("lose other names for the same, and constants among the nodes")
    func loseOtherNames() throws {
        let bytes = try model { graph in
            graph.nodes = [
                ONNXNode("Identity", ["x"], ["a"]), ONNXNode("Identity", ["a"], ["b"]), ONNXNode("Relu", ["b"], ["y"]),
            ]
            graph.outputs = [.init("y", type: 1)]
        }
        let read = try ONNXGraph(model: bytes)
        #expect(read.nodes.map(\.operation) == ["Relu"])
        #expect(read.nodes[0].inputs == ["x"])
    }

    @Test("that go in circles are refused")
    func goCirclesRefused() throws {
        let bytes = try model { $0.nodes = [ONNXNode("Add", ["x", "b"], ["a"]), ONNXNode("Neg", ["a"], ["b"])] }
        #expect(throws: ONNXFault.cyclic) { try ONNXGraph(model: bytes) }
    }

    @Test("that read what nobody makes, or make the same twice, are refused")
    func readNobodyMakes() throws {
        let unmade = try model { $0.nodes = [ONNXNode("Neg", ["nothing"], ["a"])] }
        #expect(throws: ONNXFault.badWiring) { try ONNXGraph(model: unmade) }
        let twice = try model { $0.nodes = [ONNXNode("Neg", ["x"], ["a"]), ONNXNode("Neg", ["x"], ["a"])] }
        #expect(throws: ONNXFault.badWiring) { try ONNXGraph(model: twice) }
        let given = try model { $0.nodes = [ONNXNode("Neg", ["x"], ["x"])] }
        #expect(throws: ONNXFault.badWiring) { try ONNXGraph(model: given) }
    }

    @Test("of which the end is missing are refused wherever they are cut, or are whole")
    func whichEndMissing() throws {
        let bytes = try model { graph in
            graph.constants["w"] = ONNXTensor(name: "w", int64s: [1, 2, 3])
            graph.nodes = [ONNXNode("Add", ["x", "w"], ["y"])]
        }
        for length in 0..<bytes.count {
            #expect(throws: ONNXFault.self, "\(length) bytes") { try ONNXGraph(model: bytes.prefix(length)) }
        }
    }

    @Test("with any byte another are read or refused, and never end the program", arguments: 0..<8)
    func flipped(seed: UInt64) throws {
        var bytes = try model { graph in
            graph.constants["w"] = ONNXTensor(name: "w", int64s: [1, 2, 3])
            graph.nodes = [
                ONNXNode("Add", ["x", "w"], ["y"], attributes: [ONNXAttribute("pads", integers: [1, 2])]),
                ONNXNode("Neg", ["y"], ["z"]),
            ]
        }
        var state = seed &+ 1
        for _ in 0..<2_000 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let place = Int(state >> 33) % bytes.count
            let before = bytes[place]
            bytes[place] = UInt8(truncatingIfNeeded: state >> 24)
            // Either outcome is correct; a graph that is read can be written.
            if let read = try? ONNXGraph(model: bytes) { _ = read.model }
            bytes[place] = before
        }
    }

    @Test("of tensors that are larger than their bytes are refused")
    func tensorsLargerThan() throws {
        for dimensions in [[1 << 40], [-1], [1 << 20, 1 << 20], [2], [Int.max, 2]] {
            var tensor = MessageWriter()
            tensor.write(1, dimensions)
            tensor.write(2, Int64(ONNXTensor.Element.float))
            tensor.write(8, "w")
            tensor.write(9, Data(count: 4))
            var graph = MessageWriter()
            graph.write(5, tensor.data)
            var model = MessageWriter()
            model.write(7, graph.data)
            #expect(throws: ONNXFault.self, "\(dimensions)") { try ONNXGraph(model: model.data) }
        }
    }

    @Test("whose weights lie in another file are refused")
    func whoseWeightsLie() throws {
        var tensor = MessageWriter()
        tensor.write(1, [1])
        tensor.write(2, Int64(ONNXTensor.Element.float))
        tensor.write(8, "w")
        tensor.write(14, 1)
        var graph = MessageWriter()
        graph.write(5, tensor.data)
        var model = MessageWriter()
        model.write(7, graph.data)
        #expect(throws: ONNXFault.externalData) { try ONNXGraph(model: model.data) }
    }
}
