import EchoText
import Foundation
import ONNXFormat
import Synchronization

/// A Piper voice whose model is split into parts.
///
/// A request is one unit of work up to its latent, and then one for each window, so that a single sentence uses all
/// lanes. The earliest of several requests is decoded first, while the latents of the next are computed. At most half
/// of the lanes compute latents at a time, because this takes the most memory; the other lanes then always have
/// windows to decode.
final class PiperModel: AcousticModel {
    let sampleRate: Int
    let speakers: Int
    var layout: ModelLayout { .parts }

    private let name: Voice.ID
    private let parts: PiperParts
    private let symbols: [Unicode.Scalar: Int]
    private let voice: PiperVoiceDescription.Inference
    private let lanes: [PiperLane]
    private let semaphore: PrioritySemaphore
    /// Limits how many requests compute latents at a time.
    private let encoding: PrioritySemaphore
    private let encoders: Int
    private let begun = Atomic(0)

    /// - Throws: ``ModelLayout/Obstacle``, ``VoiceFolderError`` or ``ONNXRuntimeError``.
    init(_ folder: VoiceFolder, parts: PiperParts, description: PiperVoiceDescription, lanes: [PiperLane]) throws {
        name = folder.id
        self.parts = parts
        symbols = try PiperVoiceDescription.symbols(of: folder)
        voice = description.inference
        sampleRate = description.sampleRate
        speakers = description.speakers
        self.lanes = lanes
        semaphore = PrioritySemaphore(permits: lanes.count)
        encoders = max(1, lanes.count / 2)
        encoding = PrioritySemaphore(permits: encoders)
    }

    func speak(_ request: PhonemeRequest, deliver: (AcousticPiece) async throws -> Void) async throws {
        try request.check(of: name, speakers: speakers)
        let numbers = SentenceNumbers(request.phonemes, in: symbols)
        let rank = begun.wrappingAdd(1, ordering: .relaxed).newValue * 2
        let latent = try await encoding.pass(rank: rank) { _ in
            // Ranked before the windows of as many requests as may compute latents.
            try await semaphore.pass(rank: rank - 2 * encoders - 1) { lane in
                try await lanes[lane].latent(of: numbers, for: request, in: voice, by: parts)
            }
        }
        try await deliver(.times(numbers.starts(latent.durations, hop: parts.shape.hop)))
        try await decode(latent, rank: rank) { try await deliver(.samples($0)) }
    }

    /// Decodes all windows, as many at once as there are lanes, and delivers them in order.
    private func decode(
        _ latent: PiperParts.Latent,
        rank: Int,
        handOn: ([Float]) async throws -> Void
    ) async throws {
        let windows = DecoderWindows.windows(of: latent.frames, in: parts.shape)
        try await withThrowingTaskGroup(of: (Int, [Float]).self) { group in
            var waiting = windows.indices
            func begin() {
                guard let index = waiting.popFirst() else { return }
                group.addTask { [self] in
                    let sound = try await semaphore.pass(rank: rank) { lane in
                        try await lanes[lane].sound(of: windows[index], in: latent, by: parts)
                    }
                    return (index, sound)
                }
            }
            for _ in 0...lanes.count { begin() }
            var early: [Int: [Float]] = [:]
            var next = 0
            while let (index, sound) = try await group.next() {
                begin()
                early[index] = sound
                while let sound = early.removeValue(forKey: next) {
                    try await handOn(sound)
                    next += 1
                }
            }
        }
    }
}

extension PhonemeRequest {
    /// - Throws: ``SynthesisError`` for values that no model accepts.
    func check(of voice: Voice.ID, speakers: Int) throws(SynthesisError) {
        guard !phonemes.isEmpty else { throw .nothingToSay }
        guard phonemes.count <= Self.longest, Self.noiseRange.contains(liveliness), Self.noiseRange.contains(rhythm)
        else { throw .engineFailed(.piper, status: nil) }
        guard (0..<speakers).contains(speaker) else { throw .noSuchSpeaker(speaker, of: voice, count: speakers) }
        guard Prosody.speedRange.contains(speed) else { throw .speedOutOfRange(speed) }
    }
}

extension PhonemeRequest {
    /// The share of its chance that a voice keeps for the shortest texts.
    static let leastChance = 0.5
    /// The number of symbols up to which a text is as short as that, and from which on it is not short.
    static let shortLengths = 24...48

    /// The share of its chance that the voice keeps for a text of this length.
    ///
    /// A listener guesses what chance garbles from the words around it, which a text of a few words does not have.
    var chanceShare: Double {
        let (short, long) = (Self.shortLengths.lowerBound, Self.shortLengths.upperBound)
        let place = Double(phonemes.count - short) / Double(long - short)
        return Self.leastChance + (1 - Self.leastChance) * min(max(place, 0), 1)
    }
}

/// A sentence as a model reads it: its symbols' numbers, each followed by a pad, between the start and end symbols.
struct SentenceNumbers {
    let numbers: [Int]
    /// The index of each symbol in ``numbers``.
    private let places: [Int]

    /// Leaves out symbols that are not in the table; their duration is 0.
    init(_ phonemes: [Unicode.Scalar], in table: [Unicode.Scalar: Int]) {
        let pad = table["_"] ?? 0
        var numbers = [table["^"] ?? 0, pad]
        places = phonemes.map { phoneme in
            defer { if let number = table[phoneme] { numbers += [number, pad] } }
            return numbers.count
        }
        numbers.append(table["$"] ?? 0)
        self.numbers = numbers
    }

    /// The start of each symbol, and the end of the last, in samples; a symbol includes the pad after it.
    ///
    /// - Parameters:
    ///   - durations: The frames of each number.
    ///   - hop: The samples in each frame.
    /// - Returns: One position more than there are symbols.
    func starts(_ durations: [Int], hop: Int) -> [Int] {
        var passed = [0]
        for duration in durations { passed.append(passed[passed.count - 1] + duration) }
        let end = numbers.count - 1
        return (places + [end]).map { passed[min($0, passed.count - 1)] * hop }
    }
}

/// A thread that runs one unit of work after another.
actor PiperLane {
    private let executor: BlockingExecutor

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(number: Int) {
        executor = BlockingExecutor(label: "onnx runtime \(number)")
    }

    /// Runs the opening of a model on the lane's thread.
    func open<Output: Sendable>(_ work: @Sendable () throws -> Output) throws -> Output { try work() }

    func latent(
        of sentence: SentenceNumbers,
        for request: PhonemeRequest,
        in voice: PiperVoiceDescription.Inference,
        by parts: PiperParts
    ) throws -> PiperParts.Latent {
        try Task.checkCancellation()
        EngineProgress.report()
        var noise = NormalNoise(seed: request.seed)
        let scales = PiperParts.Scales(
            noise: voice.noiseScale * request.liveliness * request.chanceShare,
            length: voice.lengthScale / request.speed,
            durationNoise: voice.durationNoiseScale * request.rhythm * request.chanceShare
        )
        return try parts.latent(of: sentence.numbers, speaker: request.speaker, scales: scales, noise: &noise)
    }

    func sound(
        of window: DecoderWindows.Window,
        in latent: PiperParts.Latent,
        by parts: PiperParts
    ) throws -> [Float] {
        try Task.checkCancellation()
        EngineProgress.report()
        return try parts.sound(of: window, in: latent)
    }
}

/// Where a Piper model draws random numbers, and their mean and deviation.
///
/// For each frame the model has a mean and the logarithm of a standard deviation, both expanded from the symbols by
/// one matrix product. The random number is scaled by the deviation and by the first of the model's scales, and added
/// to the mean.
struct NoiseTensors {
    let means: String
    let deviations: String
    let blurred: String
    let durationNoise: String?

    init(in wiring: GraphWiring, before latent: String, durations: String) throws(ModelLayout.Obstacle) {
        let drawn = wiring.nodes(making: [latent], from: []).map { wiring.graph.nodes[$0] }
            .filter { $0.operation.hasPrefix("Random") }
        guard drawn.allSatisfy({ $0.operation == "RandomNormalLike" && $0.outputs.count == 1 }) else { throw .noise }
        let spread = wiring.tensors(madeOf: [durations])
        let ofFrames = drawn.filter { $0.inputs.contains(where: spread.contains) }
        let ofSymbols = drawn.filter { !$0.inputs.contains(where: spread.contains) }
        guard ofFrames.count == 1, ofSymbols.count <= 1 else { throw .noise }
        durationNoise = ofSymbols.first?.outputs[0]
        let sum = try Self.sum(of: ofFrames[0].outputs[0], in: wiring)
        blurred = sum.outputs[0]
        guard let mean = sum.inputs.first(where: { $0 == ofFrames[0].inputs.first }),
            let scaled = sum.inputs.first(where: { $0 != mean }),
            let spreadMeans = Self.spread(mean, in: wiring),
            let spreadDeviations = Self.deviation(of: scaled, noise: ofFrames[0].outputs[0], in: wiring),
            spreadMeans.path == spreadDeviations.path
        else { throw .noise }
        means = spreadMeans.symbols
        deviations = spreadDeviations.symbols
    }

    /// The addition that follows the scaling of the random numbers.
    private static func sum(of noise: String, in wiring: GraphWiring) throws(ModelLayout.Obstacle) -> ONNXNode {
        var tensor = noise
        for _ in 0..<4 {
            let readers = wiring.readers(of: tensor)
            guard readers.count == 1, readers[0].outputs.count == 1, readers[0].inputs.count == 2 else { throw .noise }
            if readers[0].operation == "Add" { return readers[0] }
            guard readers[0].operation == "Mul" else { throw .noise }
            tensor = readers[0].outputs[0]
        }
        throw .noise
    }

    /// The tensor of symbols that is expanded to `frames`, and the matrix that expands it.
    private static func spread(_ frames: String, in wiring: GraphWiring) -> (symbols: String, path: String)? {
        guard let turned = wiring.maker(of: frames), turned.operation == "Transpose",
            turned.integers("perm") == [0, 2, 1],
            let spreading = turned.inputs.first,
            let product = wiring.maker(of: spreading), product.operation == "MatMul", product.inputs.count == 2,
            let upright = wiring.maker(of: product.inputs[1]), upright.operation == "Transpose",
            upright.integers("perm") == [0, 2, 1], let symbols = upright.inputs.first
        else { return nil }
        return (symbols, product.inputs[0])
    }

    /// The deviation among the factors of `scaled`, which are also `noise` and the model's scale.
    private static func deviation(
        of scaled: String,
        noise: String,
        in wiring: GraphWiring
    ) -> (symbols: String, path: String)? {
        var waiting = [scaled]
        var found: (symbols: String, path: String)?
        while let tensor = waiting.popLast() {
            guard tensor != noise, let maker = wiring.maker(of: tensor) else { continue }
            switch maker.operation {
            case "Mul": waiting += maker.inputs
            case "Exp":
                guard found == nil, let frames = maker.inputs.first, let spread = spread(frames, in: wiring) else {
                    return nil
                }
                found = spread
            default: continue
            }
        }
        return found
    }
}

/// Numbers drawn from a normal distribution of mean 0 and deviation 1, the same for the same seed.
///
/// - SeeAlso: G. E. P. Box, M. E. Muller, “A Note on the Generation of Random Normal Deviates”, 1958; G. L. Steele, D. Lea,
///   C. H. Flood, “Fast Splittable Pseudorandom Number Generators”, OOPSLA 2014 (SplitMix64).
struct NormalNoise {
    private var state: UInt64
    private var spare: Float?

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> Float {
        if let spare {
            self.spare = nil
            return spare
        }
        let radius = (-2 * log(uniform())).squareRoot()
        let angle = 2 * Double.pi * uniform()
        spare = Float(radius * sin(angle))
        return Float(radius * cos(angle))
    }

    /// - Returns: The next `count` numbers.
    mutating func numbers(_ count: Int) -> [Float] { (0..<count).map { _ in next() } }

    /// A uniform random number above 0, at most 1.
    mutating func uniform() -> Double {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        bits ^= bits >> 31
        return Double(bits >> 11 + 1) * 0x1p-53
    }
}
