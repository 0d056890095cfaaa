import Dispatch
import EchoText
import Foundation
import ONNXFormat
import Synchronization

/// A Whisper that ONNX Runtime has loaded: its encoder, its decoder, and what its tokens stand for.
///
/// Each call runs on the calling thread, and several may run at once.
final class WhisperModel: Sendable {
    /// A sound as the decoder knows it; for one thread.
    struct Encoded {
        /// The decoder's inputs that are the sound.
        fileprivate let inputs: [(name: String, value: ONNXValue)]
        /// How many frames of 0.02 s the sound has.
        let frames: Int
    }

    /// The text that the decoder has written for a sound.
    struct Written: Sendable, Hashable {
        /// Text and stamps, without the end.
        var tokens: [Int] = []
        /// The logarithm of each token's probability, and of the end's if it was reached.
        var logProbabilities: [Double] = []
        /// Where the decoder looked before it wrote each of these; empty for an export that does not report it.
        var looks: [[Float]] = []
        var noSpeech = 0.0

        var meanLogProbability: Double { logProbabilities.reduce(0, +) / Double(max(1, logProbabilities.count)) }
    }

    /// The parameters of the decoder.
    struct Order: Sendable, Hashable {
        /// Text that precedes the sound, in tokens.
        var previous: [Int]
        /// The token of the language; `nil` for a model that knows one alone.
        var language: Int?
        var temperature: Double
        /// Decides what is written at a temperature above 0.
        var seed: UInt64
    }

    fileprivate enum Port {
        static let sound = "mel", keys = "n_layer_cross_k", values = "n_layer_cross_v"
        static let tokens = "tokens", offset = "offset", logits = WhisperLogits.name
        static let ownKeys = "in_n_layer_self_k_cache", ownValues = "in_n_layer_self_v_cache"
        static let newKeys = "out_n_layer_self_k_cache", newValues = "out_n_layer_self_v_cache"
        static let looks = "cross_attention_weights"
    }

    /// Samples of a frame as the decoder knows them: two of the encoder's.
    static let frame = 2 * WhisperFeatures.hop

    let facts: WhisperFacts
    let vocabulary: WhisperVocabulary
    let rules: TimestampRules
    /// Whether the export reports where the decoder looks.
    let reportsLooks: Bool
    private let features: WhisperFeatures
    private let choice: TokenChoice
    private let environment: ONNXEnvironment
    private let encoder: ONNXSession
    private let decoder: Decoder

    /// A decoder that is ready to write.
    fileprivate struct Decoder {
        let session: ONNXSession
        /// The session that lays out a sound before, and its outputs; `nil` if the decoder reads the sound as it is.
        let layout: (session: ONNXSession, tensors: [String])?
        /// Whether what it remembers grows with each token, as ``WhisperMemory`` makes it.
        let growsMemory: Bool
    }

    /// The longest decoder that is prepared, in bytes; a model that is given in memory ends at 2 GiB.
    private static let longestPrepared = 1 << 30

    /// Loads a model.
    ///
    /// - Parameters:
    ///   - folder: Its files.
    ///   - library: What runs it.
    ///   - isChecked: Whether a prepared decoder is known to compute what the original does.
    /// - Throws: ``RecognitionError/badModel(_:)``, ``ONNXRuntimeError``.
    init(_ folder: RecognizerFolder, by library: ONNXRuntimeLibrary, isChecked: Bool = true) throws {
        guard let encoder = folder.file(.encoder), let decoder = folder.file(.decoder),
            let tokens = folder.file(.tokens), let facts = WhisperFacts(encoder: encoder),
            let vocabulary = WhisperVocabulary(file: tokens, count: facts.vocabulary)
        else { throw RecognitionError.badModel(folder.mainFile) }
        (self.facts, self.vocabulary) = (facts, vocabulary)
        rules = TimestampRules(stamps: facts.tokens.stamps)
        choice = TokenChoice(end: facts.tokens.end, unspoken: facts.tokens.unspoken)
        features = WhisperFeatures(bands: facts.bands)
        let environment = try ONNXEnvironment(library: library)
        self.environment = environment
        let graph = Self.graph(of: decoder)
        reportsLooks = graph.map { $0.outputs.contains { $0.name == Port.looks } } ?? folder.reportsLooks
        let (decoders, session) = try Self.both(
            atOnce: graph != nil && Self.size(of: encoder) + Self.size(of: decoder) <= Self.mostAtOnce,
            { try WhisperModel.decoders(decoder, graph, isChecked: isChecked, in: environment) },
            { try ONNXSession(file: encoder, in: environment) }
        )
        (self.decoder, self.encoder) = (decoders.own, session)
        guard let original = decoders.original else { return }
        let (own, its) = (try trial(of: self.decoder), try trial(of: original))
        guard WhisperLogits.areAlike(own, its) else { throw RecognitionError.badModel(folder.mainFile) }
    }

    /// The decoder's graph; `nil` for one that is only run as it is, such as one whose weights are in files of their own.
    private static func graph(of decoder: String) -> ONNXGraph? {
        guard let data = try? Data(contentsOf: URL(filePath: decoder), options: .alwaysMapped),
            data.count <= longestPrepared
        else { return nil }
        return try? ONNXGraph(model: data)
    }

    /// The most bytes of an encoder and a decoder that are loaded at once, for which several times as much memory is needed.
    private static let mostAtOnce = 1 << 29

    private static func size(of file: String) -> Int {
        // A file that cannot be read is refused when it is loaded.
        (try? Data(contentsOf: URL(filePath: file), options: .alwaysMapped))?.count ?? 0
    }

    /// Does two things, on two threads if there may be two at once.
    private static func both<First: Sendable, Second: Sendable>(
        atOnce: Bool,
        _ first: @escaping @Sendable () throws -> First,
        _ second: @escaping @Sendable () throws -> Second
    ) throws -> (First, Second) {
        guard atOnce else { return (try first(), try second()) }
        let one = Mutex<Result<First, any Error>?>(nil)
        let other = Mutex<Result<Second, any Error>?>(nil)
        DispatchQueue.concurrentPerform(iterations: 2) { number in
            if number == 0 {
                let made = Result { try first() }
                one.withLock { $0 = made }
            } else {
                let made = Result { try second() }
                other.withLock { $0 = made }
            }
        }
        guard let made = one.withLock({ $0 }), let also = other.withLock({ $0 }) else {
            preconditionFailure("concurrentPerform returned before both were done")
        }
        return (try made.get(), try also.get())
    }

    /// The decoder that writes, and the original one if it has to be compared with that.
    private static func decoders(
        _ file: String,
        _ graph: ONNXGraph?,
        isChecked: Bool,
        in environment: ONNXEnvironment
    ) throws -> (own: Decoder, original: Decoder?) {
        guard let prepared = graph.flatMap({ Self.prepared($0, in: environment) }) else {
            return (try original(file, in: environment), nil)
        }
        guard !isChecked else { return (prepared, nil) }
        return (prepared, try original(file, in: environment))
    }

    private static func original(_ file: String, in environment: ONNXEnvironment) throws -> Decoder {
        Decoder(session: try ONNXSession(file: file, in: environment), layout: nil, growsMemory: false)
    }

    /// A decoder with 8-bit logits, a memory that grows, and a layout of its own; `nil` if it has none of these, or is refused once it
    /// is prepared.
    private static func prepared(_ graph: ONNXGraph, in environment: ONNXEnvironment) -> Decoder? {
        let logits = WhisperLogits.graph(graph)
        let memory = WhisperMemory.graph(
            logits ?? graph,
            [(Port.ownKeys, Port.newKeys), (Port.ownValues, Port.newValues)]
        )
        let changed = memory ?? logits
        if let division = WhisperDivision(changed ?? graph, sound: [Port.keys, Port.values]),
            let layout = try? ONNXSession(model: division.layout.model, in: environment),
            let session = try? ONNXSession(model: division.decoder.model, in: environment)
        {
            return Decoder(session: session, layout: (layout, division.tensors), growsMemory: memory != nil)
        }
        return changed.flatMap { try? ONNXSession(model: $0.model, in: environment) }
            .map { Decoder(session: $0, layout: nil, growsMemory: memory != nil) }
    }

    // MARK: - Sound

    /// Makes a sound known to the decoder.
    ///
    /// - Parameter sound: At most 30 s; every sample is a number.
    /// - Returns: What the decoder writes from.
    /// - Throws: ``ONNXRuntimeError``.
    func encode(_ sound: [Float]) throws(ONNXRuntimeError) -> Encoded {
        try encode(sound, guessingLanguagesOf: []).sound
    }

    /// Makes a sound known to the decoder, and guesses which language is spoken in stretches of it.
    ///
    /// - Parameters:
    ///   - sound: At most 30 s; every sample is a number.
    ///   - stretches: Which, in frames.
    /// - Returns: What the decoder writes from, and a guess for each stretch; `nil` where there is none.
    /// - Throws: ``ONNXRuntimeError``.
    func encode(
        _ sound: [Float],
        guessingLanguagesOf stretches: [Range<Int>]
    ) throws(ONNXRuntimeError) -> (sound: Encoded, guesses: [LanguageDivision.Guess?]) {
        let spectrogram = ONNXInput(features.spectrogram(of: sound), [1, facts.bands, WhisperFeatures.frames])
        let made = try encoder.values(
            of: [Port.keys, Port.values],
            given: [(Port.sound, ONNXValue(spectrogram, in: environment))]
        )
        // A decoder that takes nothing but whole sounds guesses nothing.
        let guesses = stretches.map { stretch in try? guess(of: made, in: stretch) }
        let frames = (min(sound.count, WhisperFeatures.samples) + Self.frame - 1) / Self.frame
        return (Encoded(inputs: try decoder.inputs(keys: made[0], values: made[1]), frames: frames), guesses)
    }

    /// Guesses the language of some frames of a sound, from the keys and values that the encoder has made.
    private func guess(
        of made: [ONNXValue],
        in frames: Range<Int>
    ) throws(ONNXRuntimeError) -> LanguageDivision.Guess? {
        guard let keys = try part(frames, of: made[0]), let values = try part(frames, of: made[1]) else { return nil }
        let logits = try firstLogits(of: decoder, keys: keys, values: values)
        guard logits.count == facts.vocabulary else { return nil }
        return LanguageDivision.Guess(facts.tokens.languages, logits)
    }

    /// Some frames of what the encoder has made; `nil` where it has made less.
    private func part(_ frames: Range<Int>, of value: ONNXValue) throws(ONNXRuntimeError) -> ONNXValue? {
        let part = try value.read { floats, dimensions -> ONNXInput? in
            guard dimensions.count == 4, dimensions[1] == 1, frames.upperBound <= dimensions[2],
                floats.count == dimensions.reduce(1, *)
            else { return nil }
            let (layers, width) = (dimensions[0], dimensions[3])
            var numbers: [Float] = []
            numbers.reserveCapacity(layers * frames.count * width)
            for layer in 0..<layers {
                let start = (layer * dimensions[2] + frames.lowerBound) * width
                numbers += floats[start..<start + frames.count * width]
            }
            return ONNXInput(numbers, [layers, 1, frames.count, width])
        }
        guard let part else { return nil }
        return try ONNXValue(part, in: environment)
    }

    /// The language that is spoken, as the model calls it; `nil` for a model that knows one alone.
    func language(of sound: Encoded) throws(ONNXRuntimeError) -> String? {
        guard !facts.tokens.languages.isEmpty else { return nil }
        var state = try nothingRemembered(by: decoder, before: 1)
        let logits = try step([facts.tokens.start], &state, of: sound, logitsAfter: [0]).logits[0]
        let token = TokenChoice.likeliest(of: facts.tokens.languages.values, in: logits)
        return facts.tokens.languages.first { $0.value == token }?.key
    }

    // MARK: - Text

    /// Writes what is said in a sound.
    ///
    /// - Throws: ``ONNXRuntimeError``, also when the model's output is invalid.
    func write(_ sound: Encoded, _ order: Order) throws(ONNXRuntimeError) -> Written {
        let begin = beginning(order)
        var written = Written()
        var state = try nothingRemembered(by: decoder, before: begin.count)
        var numbers = NormalNoise(seed: order.seed)
        let start = begin.count - (order.language == nil ? 1 : 3)
        var made = try step(begin, &state, of: sound, logitsAfter: [start, begin.count - 1])
        written.noSpeech = TokenChoice.probability(of: facts.tokens.noSpeech, in: made.logits[0])
        let most = min(facts.context / 2, facts.context - begin.count - 1)
        while written.tokens.count < most, let logits = made.logits.last {
            let chosen = choice.choose(
                from: logits,
                rules.allowed(after: written.tokens),
                temperature: order.temperature,
                dice: order.temperature > 0 ? numbers.uniform() : 0
            )
            guard let chosen else { throw ONNXRuntimeError(message: "no likeliest token") }
            written.logProbabilities.append(chosen.logProbability)
            if reportsLooks { written.looks.append(made.looks) }
            guard chosen.token != facts.tokens.end else { break }
            written.tokens.append(chosen.token)
            if written.tokens.count < most { made = try step([chosen.token], &state, of: sound, logitsAfter: [0]) }
        }
        return written
    }

    /// The tokens before those that are written.
    private func beginning(_ order: Order) -> [Int] {
        let tokens = facts.tokens
        let most = facts.context / 2 - 1
        let previous = order.previous.isEmpty ? [] : [tokens.previous] + order.previous.suffix(most)
        return previous + [tokens.start] + (order.language.map { [$0, tokens.transcribe] } ?? [])
    }

    // MARK: - Steps

    /// The decoder's memory of the tokens that it has read.
    private struct DecoderState {
        var keys: ONNXValue
        var values: ONNXValue
        /// How many tokens it has read.
        var count = 0

        /// - Parameters:
        ///   - facts: What the model says of itself.
        ///   - places: How many tokens there is a place for.
        ///   - environment: Of the decoder.
        /// - Throws: ``ONNXRuntimeError``.
        init(_ facts: WhisperFacts, places: Int, in environment: ONNXEnvironment) throws(ONNXRuntimeError) {
            let dimensions = [facts.layers, 1, places, facts.width]
            let zeros = [Float](repeating: 0, count: dimensions.reduce(1, *))
            keys = try ONNXValue(ONNXInput(zeros, dimensions), in: environment)
            values = try ONNXValue(ONNXInput(zeros, dimensions), in: environment)
        }
    }

    /// The memory of a decoder that has read no token.
    ///
    /// - Parameters:
    ///   - decoder: The decoder.
    ///   - count: How many tokens it is to read first; one at a time follows.
    /// - Returns: Zeros.
    /// - Throws: ``ONNXRuntimeError``.
    private func nothingRemembered(by decoder: Decoder, before count: Int) throws(ONNXRuntimeError) -> DecoderState {
        try DecoderState(facts, places: decoder.growsMemory ? count : facts.context, in: environment)
    }

    /// Lets the decoder read tokens.
    ///
    /// - Parameters:
    ///   - tokens: The next ones: as many as there is a place for, then one at a time.
    ///   - state: What it remembers.
    ///   - sound: What it listens to.
    ///   - places: After which of `tokens` logits are needed.
    /// - Returns: The logits after each of these, and where it looked for the last token: all frames of the first head, then the next.
    /// - Throws: ``ONNXRuntimeError``.
    private func step(
        _ tokens: [Int],
        _ state: inout DecoderState,
        of sound: Encoded,
        logitsAfter places: [Int]
    ) throws(ONNXRuntimeError) -> (logits: [[Float]], looks: [Float]) {
        let made = try decoder.session.values(
            of: [Port.logits, Port.newKeys, Port.newValues] + (reportsLooks ? [Port.looks] : []),
            given: try inputs(tokens, state) + sound.inputs
        )
        (state.keys, state.values) = (made[1], made[2])
        state.count += tokens.count
        let size = facts.vocabulary
        let logits = try made[0].read { floats, dimensions -> [[Float]] in
            guard dimensions == [1, tokens.count, size], floats.count == tokens.count * size else { return [] }
            return places.map { Array(floats[$0 * size..<($0 + 1) * size]) }
        }
        guard logits.count == places.count else { throw ONNXRuntimeError(message: "logits of another size") }
        guard reportsLooks else { return (logits, []) }
        return (logits, try Self.looks(made[3], after: tokens.count))
    }

    /// The decoder's inputs in addition to the sound.
    private func inputs(
        _ tokens: [Int],
        _ state: DecoderState
    ) throws(ONNXRuntimeError) -> [(name: String, value: ONNXValue)] {
        [
            (Port.tokens, try ONNXValue(ONNXInput(tokens, [1, tokens.count]), in: environment)),
            (Port.ownKeys, state.keys),
            (Port.ownValues, state.values),
            (Port.offset, try ONNXValue(ONNXInput([state.count], [1]), in: environment)),
        ]
    }

    /// The looks for the last of some tokens.
    private static func looks(_ value: ONNXValue, after count: Int) throws(ONNXRuntimeError) -> [Float] {
        let frames = WhisperFeatures.frames / 2
        let looks = try value.read { floats, dimensions -> [Float] in
            guard dimensions.count == 4, dimensions[0] == 1, dimensions[2] == count, dimensions[3] == frames,
                floats.count == dimensions[1] * count * frames
            else { return [] }
            var looks: [Float] = []
            for head in 0..<dimensions[1] {
                let start = (head * count + count - 1) * frames
                looks += floats[start..<start + frames]
            }
            return looks
        }
        guard !looks.isEmpty else { throw ONNXRuntimeError(message: "looks of another size") }
        return looks
    }

    /// How many heads there are, each with as many frames as the encoder makes of 30 s.
    func heads(of looks: [Float]) -> Int { looks.count / (WhisperFeatures.frames / 2) }

    /// The logits after a few tokens, of a sound that is noise.
    private func trial(of decoder: Decoder) throws(ONNXRuntimeError) -> [Float] {
        let dimensions = [facts.layers, 1, 64, facts.width]
        var noise = NormalNoise(seed: 1)
        let sound = try ONNXValue(ONNXInput(noise.numbers(dimensions.reduce(1, *)), dimensions), in: environment)
        let heard = try decoder.inputs(keys: sound, values: sound)
        var state = try nothingRemembered(by: decoder, before: 2)
        var logits: [Float] = []
        // From the second time on it has to remember those before.
        for tokens in [[facts.tokens.start, 0], [1], [0]] {
            let made = try decoder.session.values(
                of: [Port.logits, Port.newKeys, Port.newValues],
                given: try inputs(tokens, state) + heard
            )
            (state.keys, state.values) = (made[1], made[2])
            state.count += tokens.count
            let next = try made[0].output().values
            logits += next
        }
        return logits
    }

    /// The logits after the first token, of a sound of any length.
    private func firstLogits(
        of decoder: Decoder,
        keys: ONNXValue,
        values: ONNXValue
    ) throws(ONNXRuntimeError) -> [Float] {
        let made = try decoder.session.values(
            of: [Port.logits],
            given: try inputs([facts.tokens.start], nothingRemembered(by: decoder, before: 1))
                + decoder.inputs(keys: keys, values: values)
        )
        return try made[0].output().values
    }
}

extension WhisperModel.Decoder {
    /// Its inputs that are a sound.
    fileprivate func inputs(
        keys: ONNXValue,
        values: ONNXValue
    ) throws(ONNXRuntimeError) -> [(name: String, value: ONNXValue)] {
        let sound = [(name: WhisperModel.Port.keys, value: keys), (name: WhisperModel.Port.values, value: values)]
        guard let layout else { return sound }
        return zip(layout.tensors, try layout.session.values(of: layout.tensors, given: sound)).map { ($0, $1) }
    }
}
