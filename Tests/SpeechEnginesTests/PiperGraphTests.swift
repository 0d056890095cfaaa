import EchoText
import EchoTextTesting
import Foundation
import ONNXFormat
import Testing
import Workers

@testable import SpeechEngines

/// A graph that `make fixtures` makes, and its known properties.
struct GraphKind: Decodable, Sendable, CustomTestStringConvertible {
    enum Kind: String, Decodable { case split, whole, hostile }

    let folder: String
    let kind: Kind
    /// Samples in each frame; `nil` if there is no such number.
    let hop: Int?
    let speakers: Int
    /// Why it is not split, as in ``ModelLayout``; `nil` if it is, or if it must only not crash.
    let obstacle: String?

    var testDescription: String { folder }
    var voice: VoiceFolder { get throws { try VoiceFolder.find(at: "\(Fixtures.folder)/graphs/\(folder)") } }
    var model: Data { get throws { try Data(contentsOf: URL(filePath: voice.model)) } }

    static func all(_ kind: Kind) -> [GraphKind] {
        guard let list = try? Data(contentsOf: URL(filePath: "\(Fixtures.folder)/graphs/kinds.json")),
            let kinds = try? JSONDecoder().decode([GraphKind].self, from: list)
        else { return [] }
        return kinds.filter { $0.kind == kind }
    }
}

@Suite("Piper graphs")
struct PiperGraphTests {
    private let libraries = Fixtures.library

    private func environment() throws -> ONNXEnvironment {
        try ONNXEnvironment(library: try ONNXRuntimeLibrary(folder: libraries))
    }

    @Test("of every kind are at hand")
    func everyKindAt() {
        #expect(GraphKind.all(.split).count >= 8)
        #expect(GraphKind.all(.whole).count >= 7)
        #expect(GraphKind.all(.hostile).count >= 45)
    }

    @Test("of every quality are taken apart, and say what they say whole", arguments: GraphKind.all(.split))
    func split(_ kind: GraphKind) throws {
        let (environment, model) = (try environment(), try kind.model)
        let parts = try PiperParts(model: try ONNXGraph(model: model), in: environment)
        #expect(parts.shape.hop == kind.hop)
        #expect((parts.shape.speaker != nil) == (kind.speakers > 1))
        let comparison = PiperComparison(
            parts: parts,
            whole: try ONNXSession(model: model, in: environment),
            table: try PiperVoiceDescription.symbols(of: try kind.voice),
            speakers: kind.speakers
        )
        #expect(try comparison.holds())
    }

    @Test("leave no convolution to their decoders that ONNX Runtime does not block", arguments: GraphKind.all(.split))
    func blocked(_ kind: GraphKind) throws {
        let decoder = try PiperGraph(try ONNXGraph(model: try kind.model)).windowedDecoder()
        let convolutions = decoder.nodes.filter { $0.operation.hasPrefix("Conv") }
        #expect(convolutions.allSatisfy { $0.operation == "Conv" })
        let outputs = convolutions.compactMap { decoder.constants[$0.inputs[1]]?.dimensions[0] }
        #expect(outputs.count == convolutions.count && !outputs.contains(1))
    }

    @Test("say what the whole says by the same numbers drawn", arguments: GraphKind.all(.split))
    func sameNoise(_ kind: GraphKind) throws {
        let (environment, graph) = (try environment(), try ONNXGraph(model: try kind.model))
        let (piper, parts) = (try PiperGraph(graph), try PiperParts(model: graph, in: environment))
        let table = try PiperVoiceDescription.symbols(of: try kind.voice)
        let numbers = SentenceNumbers(Array("həlˈəʊ wˈɜːld, ɡˈʊd mˈɔːnɪŋ".unicodeScalars), in: table).numbers
        var noise = NormalNoise(seed: 3)
        let scales = PiperParts.Scales(noise: 0.667, length: 1.1, durationNoise: 0.8)
        let latent = try parts.latent(of: numbers, speaker: kind.speakers - 1, scales: scales, noise: &noise)
        let sound = try DecoderWindows.windows(of: latent.frames, in: parts.shape)
            .flatMap { try parts.sound(of: $0, in: latent) }

        // The whole model with given random numbers, in the order in which the parts draw them.
        var (whole, again) = (graph, NormalNoise(seed: 3))
        let drawn = whole.nodes.filter { $0.operation == "RandomNormalLike" }.map { $0.outputs[0] }
        whole.nodes.removeAll { $0.operation == "RandomNormalLike" }
        whole.inputs += drawn.map { .init($0, type: ONNXTensor.Element.float) }
        var inputs = [
            ("input", ONNXInput(numbers, [1, numbers.count])), ("input_lengths", ONNXInput([numbers.count], [1])),
            ("scales", ONNXInput([0.667, 1.1, 0.8] as [Float], [3])),
        ]
        if parts.takesSpeaker { inputs.append(("sid", ONNXInput([kind.speakers - 1], [1]))) }
        if let name = piper.durationNoise {
            inputs.append((name, ONNXInput(again.numbers(2 * numbers.count), [1, 2, numbers.count])))
        }
        let ofFrames = try #require(drawn.first { $0 != piper.durationNoise })
        let (channels, frames) = (parts.shape.channels, latent.frames)
        inputs.append((ofFrames, ONNXInput(again.numbers(channels * frames), [1, channels, frames])))
        let expected = try ONNXSession(model: whole.model, in: environment).run(inputs, for: [parts.output])[0].values
        #expect(sound.count == expected.count)
        #expect(zip(sound, expected).allSatisfy { abs($0 - $1) <= PiperComparison.tolerance })
    }

    @Test("that were taken apart keep the contract of models", arguments: GraphKind.all(.split))
    func contract(_ kind: GraphKind) async throws {
        let loader = PiperModelLoader(libraries: libraries)
        let model = try await loader.open(try kind.voice, lanes: 2, layout: nil)
        #expect(model.layout == .parts)
        #expect(model.speakers == kind.speakers)
        let phonemes = Array("həlˈəʊ wˈɜːld, hˈəʊ ˈɑː juː".unicodeScalars)
        try await verifyContract(of: loader, opening: try kind.voice, saying: phonemes)
    }

    @Test("give the beginning of each symbol, and sound as long as they say", arguments: GraphKind.all(.split))
    func times(_ kind: GraphKind) async throws {
        let model = try await PiperModelLoader(libraries: libraries).open(try kind.voice, lanes: 2, layout: .parts)
        let request = PhonemeRequest(phonemes: Array("həlˈəʊ wˈɜːld".unicodeScalars), speaker: 0, speed: 1)
        var times: [Int] = []
        var samples = 0
        try await model.speak(request) { piece in
            switch piece {
            case .times(let reported):
                #expect(samples == 0, "times come before sound")
                times = reported
            case .samples(let stretch): samples += stretch.count
            }
        }
        #expect(times.count == request.phonemes.count + 1)
        #expect(zip(times, times.dropFirst()).allSatisfy(<=))
        #expect(times.last ?? 0 <= samples)
        #expect(samples.isMultiple(of: kind.hop ?? 1))
    }

    @Test("sound the same when the same is asked, otherwise when anything else is", arguments: GraphKind.all(.split))
    func chance(_ kind: GraphKind) async throws {
        let model = try await PiperModelLoader(libraries: libraries).open(try kind.voice, lanes: 2, layout: .parts)
        let request = PhonemeRequest(phonemes: Array("həlˈəʊ".unicodeScalars), speaker: 0, speed: 1)
        let first = try await model.speak(request)
        let again = try await model.speak(request)
        #expect(again == first)
        let changes: [(inout PhonemeRequest) -> Void] = [
            { $0.liveliness = 0.5 }, { $0.speed = 0.7 }, { $0.phonemes.append("ə") },
        ]
        for change in changes {
            var other = request
            change(&other)
            #expect(try await model.speak(other).samples != first.samples)
        }
    }

    @Test("of another kind are distinguished by name, and still speak whole", arguments: GraphKind.all(.whole))
    func whole(_ kind: GraphKind) async throws {
        let loader = PiperModelLoader(libraries: libraries)
        let model = try await loader.open(try kind.voice, lanes: 1, layout: nil)
        #expect(model.layout.rawValue == kind.obstacle)
        let request = PhonemeRequest(phonemes: Array("həlˈəʊ".unicodeScalars), speaker: 0, speed: 1)
        #expect(try await !model.speak(request).samples.isEmpty)
    }

    @Test("with a node that reads nothing are refused by name, or by ONNX Runtime", arguments: GraphKind.all(.split))
    func withoutInputs(_ kind: GraphKind) throws {
        let (environment, well) = (try environment(), try ONNXGraph(model: try kind.model))
        var found: [String: Set<ModelLayout.Obstacle>] = [:]
        for place in well.nodes.indices where Self.followed.contains(well.nodes[place].operation) {
            var graph = well
            graph.nodes[place].inputs = []
            do {
                let piper = try PiperGraph(graph)
                _ = try (piper.flow(), piper.windowedDecoder())
                #expect(throws: ONNXRuntimeError.self, "\(well.nodes[place].operation) at \(place)") {
                    try ONNXSession(model: graph.model, in: environment)
                }
            } catch {
                found[well.nodes[place].operation, default: []].insert(error)
            }
        }
        for operation in ["Exp", "Transpose", "MatMul", "RandomNormalLike"] {
            #expect(found[operation]?.contains(.noise) == true, "\(operation)")
        }
        for operation in ["Tanh", "ConvTranspose", "LeakyRelu"] {
            #expect(found[operation]?.contains(.decoder) == true, "\(operation)")
        }
        #expect(found["Ceil"] == [.durations])
    }

    @Test("whose decoder's nodes lack an input or say what cannot be are left for ONNX Runtime to refuse")
    func incompleteDecoder() throws {
        let attributes: [[ONNXAttribute]] = [
            [.init("strides", integers: [1, Int.max])], [.init("pads", integers: [0, Int.max, 0, Int.max])],
            [.init("strides", integers: [1, 0])], [.init("dilations", integers: [1, 3])],
        ]
        for attributes in attributes {
            for operation in ["Conv", "ConvTranspose", "Div", "LeakyRelu", "Add"] {
                for inputs in [[], ["sound"], ["sound", "weights"], ["sound", "weights", "missing"]] {
                    var graph = try ONNXGraph(model: try #require(GraphKind.all(.split).first).model)
                    graph.constants["weights"] = ONNXTensor(
                        name: "weights",
                        floats: [1, 2, 3],
                        dimensions: [3, 1, 1, 1]
                    )
                    let node = ONNXNode(operation, inputs, ["made"], attributes: attributes)
                    graph.nodes = [node]
                    let made = BlockedGraph.graph(graph).nodes
                    #expect(made.contains { $0.operation == operation && $0.outputs == ["made"] }, "\(node)")
                }
            }
        }
    }

    /// The pattern by which the graph is searched.
    private static let followed: Set = [
        "Ceil", "ConvTranspose", "Exp", "LeakyRelu", "MatMul", "Neg", "RandomNormalLike", "Tanh", "Transpose",
        "Unsqueeze",
    ]

    @Test("whose speaker comes through stages of the decoder's kind have none of them counted among the sound's")
    func speakerInStages() throws {
        let kind = try #require(GraphKind.all(.whole).first { $0.folder.contains("speaker_in_stages") })
        let graph = try ONNXGraph(model: try kind.model)
        #expect(throws: ModelLayout.Obstacle.decoder) { try PiperGraph(graph) }

        // Without them the same graph has the stages of its sound.
        var plain = graph
        let stages = plain.nodes.filter { $0.operation == "ConvTranspose" && $0.integers("strides") == [1] }
        let reported = try #require(
            plain.nodes.first { $0.operation == "Add" && $0.inputs.last == stages.last?.outputs[0] }
        )
        #expect(stages.count == 2)
        for place in plain.nodes.indices {
            plain.nodes[place].inputs = plain.nodes[place].inputs.map {
                $0 == reported.outputs[0] ? reported.inputs[0] : $0
            }
        }
        let shape = try PiperGraph(plain).decoder
        #expect(shape.stages.map(\.rate) == [4])
        #expect(shape.hop == kind.hop)
    }

    @Test("that are hostile are refused or taken apart, and nothing hangs", arguments: GraphKind.all(.hostile))
    func hostile(_ kind: GraphKind) throws {
        do {
            let graph = try PiperGraph(try ONNXGraph(model: try kind.model))
            _ = try graph.flow().model
            _ = try graph.windowedDecoder().model
            _ = graph.encoder.model
        } catch {
            #expect(error is ONNXFault || error is ModelLayout.Obstacle, "\(error)")
        }
    }

    @Test(
        "that are hostile end a worker at most, with words",
        .endsInTime,
        arguments: GraphKind.all(.hostile)
    )
    func hostileInWorker(_ kind: GraphKind) async throws {
        let workers = Fixtures.workers()
        let synthesizer = try await Fixtures.synthesizer(of: try kind.voice.path, loader: workers)
        let id = try #require(try await synthesizer.voices().first?.id)
        do {
            _ = try await synthesizer.speech(for: Utterance("Hello there.", voice: id))
        } catch {
            #expect(error is any UserFacingError, "\(error) has no words for a person")
        }
        await workers.endAll()
    }

    @Test("with any part cut away are refused", arguments: GraphKind.all(.split).prefix(1))
    func truncated(_ kind: GraphKind) throws {
        let model = try kind.model
        for length in stride(from: 0, to: model.count, by: 211) {
            #expect(throws: (any Error).self) { try PiperGraph(try ONNXGraph(model: model.prefix(length))) }
        }
    }

    @Test("with a few bytes others never do more than be refused", arguments: GraphKind.all(.split).suffix(1))
    func mutated(_ kind: GraphKind) throws {
        var state: UInt64 = 42
        let original = try kind.model
        for _ in 0..<300 {
            var model = original
            for _ in 0..<4 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                model[Int(state >> 24) % model.count] = UInt8(truncatingIfNeeded: state >> 16)
            }
            guard let graph = try? PiperGraph(try ONNXGraph(model: model)) else { continue }
            _ = try? graph.flow().model
            _ = try? graph.windowedDecoder().model
        }
    }
}

@Suite("Windows of a decoder")
struct DecoderWindowTests {
    @Test("follow one another and cover every frame", arguments: [1, 2, 63, 64, 65, 95, 96, 192, 200, 1_000, 4_001])
    func coverage(frames: Int) throws {
        let kind = try #require(GraphKind.all(.split).first)
        let shape = try PiperGraph(try ONNXGraph(model: try kind.model)).decoder
        let windows = DecoderWindows.windows(of: frames, in: shape)
        #expect(windows.flatMap(\.frames) == Array(0..<frames))
        for window in windows {
            #expect(window.sound.count == window.frames.count * shape.hop)
            #expect(window.decoded.lowerBound == max(0, window.frames.lowerBound - shape.halo))
            #expect(window.decoded.upperBound == min(frames, window.frames.upperBound + shape.halo))
            #expect(window.cuts.allSatisfy { $0.lowerBound >= 0 && !$0.isEmpty })
        }
    }
}

@Suite("Chance of short texts")
struct ShortTextChanceTests {
    private func request(symbols: Int) -> PhonemeRequest {
        PhonemeRequest(phonemes: Array(repeating: "ə", count: symbols), speaker: 0, speed: 1)
    }

    @Test("is smaller the shorter they are, and whole for sentences")
    func shares() {
        let shares = (1...PhonemeRequest.longest).map { request(symbols: $0).chanceShare }
        #expect(zip(shares, shares.dropFirst()).allSatisfy(<=))
        let (short, long) = (PhonemeRequest.shortLengths.lowerBound, PhonemeRequest.shortLengths.upperBound)
        #expect(Set(shares.prefix(short)) == [PhonemeRequest.leastChance])
        #expect(Set(shares.dropFirst(long - 1)) == [1])
    }

    @Test("is that share of what the voice's own is", arguments: GraphKind.all(.split).prefix(2))
    func sound(_ kind: GraphKind) async throws {
        let environment = try ONNXEnvironment(library: try ONNXRuntimeLibrary(folder: Fixtures.library))
        let parts = try PiperParts(model: try ONNXGraph(model: try kind.model), in: environment)
        let folder = try kind.voice
        let voice = try PiperVoiceDescription(of: folder).inference
        let request = PhonemeRequest(phonemes: Array("həlˈəʊ".unicodeScalars), speaker: 0, speed: 1)
        let table = try PiperVoiceDescription.symbols(of: folder)
        let numbers = SentenceNumbers(request.phonemes, in: table).numbers
        var noise = NormalNoise(seed: request.seed)
        let scales = PiperParts.Scales(
            noise: voice.noiseScale * PhonemeRequest.leastChance,
            length: voice.lengthScale,
            durationNoise: voice.durationNoiseScale * PhonemeRequest.leastChance
        )
        let latent = try parts.latent(of: numbers, speaker: 0, scales: scales, noise: &noise)
        let expected = try DecoderWindows.windows(of: latent.frames, in: parts.shape)
            .flatMap { try parts.sound(of: $0, in: latent) }
        let model = try await PiperModelLoader(libraries: Fixtures.library).open(folder, lanes: 1, layout: .parts)
        #expect(try await model.speak(request).samples == expected)
    }
}

@Suite("Normal noise")
struct NormalNoiseTests {
    @Test("is the same for the same seed, and another for another")
    func sameForSame() {
        var (one, same, other) = (NormalNoise(seed: 7), NormalNoise(seed: 7), NormalNoise(seed: 8))
        let numbers = one.numbers(101)
        #expect(same.numbers(101) == numbers)
        #expect(other.numbers(101) != numbers)
    }

    @Test("has a mean of 0, a deviation of 1, and the tails of a normal distribution")
    func mean0Deviation() {
        var noise = NormalNoise(seed: 1)
        let numbers = noise.numbers(100_000).map(Double.init)
        let mean = numbers.reduce(0, +) / 100_000
        let variance = numbers.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 100_000
        #expect(abs(mean) < 0.02)
        #expect(abs(variance - 1) < 0.03)
        let far = numbers.filter { abs($0) > 1.96 }.count
        #expect((4_600...5_400).contains(far))
        #expect(numbers.allSatisfy { $0.isFinite })
    }
}

@Suite("An environment of ONNX Runtime", .endsInTime)
struct ONNXEnvironmentTests {
    @Test("is made also in the moment in which another one ends")
    func madeWhileAnotherEnds() async throws {
        let library = try ONNXRuntimeLibrary(folder: Fixtures.library)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<100 { _ = try ONNXEnvironment(library: library) }
                }
            }
            try await group.waitForAll()
        }
    }
}
