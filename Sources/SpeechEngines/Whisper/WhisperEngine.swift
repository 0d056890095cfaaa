import EchoText
import Foundation
import ONNXFormat

/// Hears clips with a Whisper, and leaves nothing of them unheard that is loud enough.
final class WhisperEngine: ClipEngine {
    /// The largest sample of a clip that counts as silent: −60 dBFS.
    private static let silence: Float = 0.001
    /// How much quieter than the clip something is that is left unheard, as a factor.
    private static let quieter: Float = 0.1
    /// How many times a clip's rest is heard again at most.
    private static let rounds = 4
    /// How many tokens are written of a clip before doubtful ones are left as they are: a large model takes 0.1 s for each, music makes
    /// each try a long one, and a clip has two minutes.
    private static let mostTokens = 1_000
    /// The shortest rest that is heard again, in frames of 0.02 s.
    private static let shortestRest = 50
    /// The least frames of a part that must have been recognized before the rest is tried again.
    private static let leastRecognized = 25
    /// In frames: how long the last word lasts of which no end is known.
    private static let lastWord = 20
    /// How far behind the last stamp a word may begin that was heard, in frames; what is farther behind it was only looked at.
    private static let latestWord = 60
    /// How far before the last stamp the next part may begin, in frames.
    private static let earliestSeam = 25
    /// How long the quiet is that a part begins in, in frames.
    private static let quiet = 5
    /// How far behind the last stamp the last word may be over at most, in frames.
    private static let longestRemainder = 15
    /// The shortest pause behind a last word that is not over, in frames.
    private static let shortestPause = 25
    /// Signs that stand for a word, as in “50%”.
    private static let saidSigns: Set<Character> = ["%", "‰", "°", "&", "@", "#", "§", "+", "=", "$", "€", "£", "¥"]
    /// The longest that a token is taken to last, in seconds.
    private static let longestToken = 2.0
    /// The delay with which the decoder looks at a word, in seconds.
    ///
    /// The median against forced alignment of read and free speech.
    private static let lag = 0.1
    private static let frame = Double(WhisperModel.frame) / Double(RecognitionClip.sampleRate)

    private let model: WhisperModel
    /// As the model calls it; `nil` to find out.
    private let language: String?
    /// Text that precedes each clip.
    private let previous: [Int]

    /// - Parameters:
    ///   - model: The model.
    ///   - language: As the model calls it; `nil` to find out.
    ///   - settings: What the person expects to hear.
    init(_ model: WhisperModel, language: String?, _ settings: RecognitionSettings) {
        self.model = model
        self.language = language.flatMap { model.facts.tokens.languages[$0] == nil ? nil : $0 }
        let parts = [settings.prompt?.trimmed ?? "", settings.hotwords.joined(separator: ", ")]
        let text = parts.filter { !$0.isEmpty }.joined(separator: " ")
        previous = text.isEmpty ? [] : model.vocabulary.tokens(of: text, before: model.facts.tokens.end)
    }

    /// The text of a part of a clip.
    private struct PartText {
        var tokens: [RecognizedToken] = []
        var text = ""
        /// How far it was heard, in frames from the part's start.
        var reached: Int
        /// Where the last word is over, if that is known, in frames; a stamp may come later, and be within the next word.
        var wordEnd: Int?
    }

    /// The text of all parts of a clip so far.
    private struct ClipText {
        var tokens: [RecognizedToken] = []
        var text = ""
        /// Those that were found out.
        var languages: Set<String> = []
        /// How many tokens were written, believed or not.
        var count = 0
    }

    /// A part of a clip in one language.
    private struct ClipPart {
        var samples: Range<Int>
        /// `nil` to find out.
        var language: String?
        /// It as the decoder knows it; `nil` to encode it.
        var sound: WhisperModel.Encoded?
    }

    func recognize(_ clip: AudioClip) throws -> RecognizedSpeech {
        do {
            return try recognizeInParts(clip)
        } catch is ONNXRuntimeError {
            throw RecognitionError.recognizerDied
        }
    }

    private func recognizeInParts(_ clip: AudioClip) throws -> RecognizedSpeech {
        let samples = clip.samples[...].clipped
        guard samples.contains(where: { abs($0) > Self.silence }) else { return RecognizedSpeech(text: "") }
        var result = ClipText()
        for part in try parts(of: samples) { try recognize(part, of: samples, &result) }
        // BCP 47 calls several languages so.
        let found = result.languages.count > 1 ? "mul" : result.languages.first
        var speech = RecognizedSpeech(text: result.text, tokens: result.tokens, in: clip.seconds, language: found)
        if !model.reportsLooks, !speech.words.isEmpty {
            for index in speech.words.indices { speech.words[index].isEstimated = true }
            speech.timing = .segments
        }
        return speech
    }

    /// Divides a clip by languages that have to be found out.
    private func parts(of samples: [Float]) throws -> [ClipPart] {
        let all = ClipPart(samples: 0..<samples.count, language: language)
        guard language == nil, !model.facts.tokens.languages.isEmpty else { return [all] }
        let stretches = LanguageDivision.stretches(of: samples, silentUpTo: Self.silence)
        guard stretches.count > 1 else { return [all] }
        let (sound, guesses) = try model.encode(samples, guessingLanguagesOf: stretches)
        let frames = LanguageDivision.frames(of: samples)
        let parts = LanguageDivision.parts(of: stretches, guesses, frames: frames)
        return parts.map { part in
            let end = min(samples.count, part.frames.upperBound * WhisperModel.frame)
            let range = part.frames.lowerBound * WhisperModel.frame..<end
            return ClipPart(samples: range, language: part.language, sound: parts.count == 1 ? sound : nil)
        }
    }

    private func recognize(_ clipPart: ClipPart, of samples: [Float], _ all: inout ClipText) throws {
        let threshold = max(Self.silence, Self.quieter * Self.loudness(of: samples[...]))
        var (start, language) = (clipPart.samples.lowerBound, clipPart.language)
        let end = clipPart.samples.upperBound
        for round in 1...Self.rounds {
            let part = samples[start..<end]
            func hasNextPart(from frame: Int) -> Bool {
                let place = start + frame * WhisperModel.frame
                return round < Self.rounds && frame >= Self.leastRecognized
                    && end - place > Self.shortestRest * WhisperModel.frame
                    && Self.loudness(of: samples[place..<end]) > threshold
            }
            let sound: WhisperModel.Encoded
            if round == 1, let known = clipPart.sound { sound = known } else { sound = try model.encode(Array(part)) }
            if language == nil { language = try model.language(of: sound) }
            if self.language == nil, let language { all.languages.insert(language) }
            let result = try recognize(sound, language, isRest: round > 1, &all.count, hasNextPart)
            all.text += result.text
            let seconds = Double(start) / Double(RecognitionClip.sampleRate)
            all.tokens += result.tokens.map { token in
                var token = token
                token.start += seconds
                token.passage = token.passage.map { $0.moved(by: seconds) }
                return token
            }
            guard hasNextPart(from: result.reached) else { break }
            let next = result.wordEnd.map { Self.seam(of: part, after: $0, until: result.reached) }
            start += (next ?? Self.pause(in: part, after: result.reached, upTo: threshold)) * WhisperModel.frame
        }
    }

    /// The frame at which the next part begins: in the quietest place after the last word, before the stamp behind it.
    ///
    /// - Parameters:
    ///   - part: The samples of the part that was heard.
    ///   - wordEnd: The frame at which the last word is over.
    ///   - reached: The frame of the stamp.
    /// - Returns: At most `reached`, and at least `wordEnd` unless that is later.
    static func seam(of part: ArraySlice<Float>, after wordEnd: Int, until reached: Int) -> Int {
        let first = max(wordEnd, reached - earliestSeam)
        guard first + quiet <= reached else { return reached }
        func loudness(at frame: Int) -> Float {
            let start = part.startIndex + frame * WhisperModel.frame
            let samples = start..<start + quiet * WhisperModel.frame
            return Self.loudness(of: part[samples.clamped(to: part.indices)])
        }
        let quietest = (first...reached - quiet).min { loudness(at: $0) < loudness(at: $1) }
        return quietest.map { $0 + quiet / 2 } ?? reached
    }

    /// The frame at which the next part begins if nobody knows where the last word is over.
    ///
    /// If a pause begins right behind the stamp, what is before the pause is the rest of the last word, which would be
    /// heard as another.
    ///
    /// - Parameters:
    ///   - part: The samples of the part that was heard.
    ///   - reached: The frame of the stamp.
    ///   - limit: The loudness up to which it is a pause.
    /// - Returns: The first frame of the pause, else that of the stamp.
    static func pause(in part: ArraySlice<Float>, after reached: Int, upTo limit: Float) -> Int {
        let frames = reached...reached + longestRemainder
        return frames.first { frame in
            let start = part.startIndex + frame * WhisperModel.frame
            let end = start + shortestPause * WhisperModel.frame
            return end <= part.endIndex && loudness(of: part[start..<end]) <= limit
        } ?? reached
    }

    /// The root mean square of samples.
    private static func loudness(of samples: ArraySlice<Float>) -> Float {
        guard !samples.isEmpty else { return 0 }
        let sum = samples.reduce(0.0) { $0 + Double($1) * Double($1) }
        return Float((sum / Double(samples.count)).squareRoot())
    }

    // MARK: - Parts

    private func recognize(
        _ sound: WhisperModel.Encoded,
        _ language: String?,
        isRest: Bool,
        _ count: inout Int,
        _ hasNextPart: (_ frame: Int) -> Bool
    ) throws(ONNXRuntimeError) -> PartText {
        let token = language.flatMap { model.facts.tokens.languages[$0] }
        let (written, quality) = try best(of: sound, language: token, isRest: isRest, &count)
        guard !quality.isSilence else { return PartText(reached: sound.frames) }
        let all = model.rules.passages(of: written.tokens)
        let starts = starts(of: written, all, frames: sound.frames)
        guard starts.count >= written.tokens.count else { throw ONNXRuntimeError(message: "looks of another size") }
        let (passages, reached) = Self.kept(
            of: all,
            frames: sound.frames,
            starts: model.reportsLooks ? starts : nil,
            isWord: { isWord(written.tokens[$0]) },
            hasNextPart
        )
        let places = passages.flatMap { Array($0.tokens) }
        return PartText(
            tokens: passages.flatMap { passage -> [RecognizedToken] in
                let time = model.reportsLooks ? nil : Self.time(of: passage, frames: sound.frames)
                return passage.tokens.map { recognized($0, of: written, starts, in: time) }
            },
            text: model.vocabulary.text(of: places.map { written.tokens[$0] }),
            reached: reached,
            wordEnd: model.reportsLooks
                ? passages.last.map { Self.end(of: $0.tokens, starts, after: 0) { isWord(written.tokens[$0]) } } : nil
        )
    }

    /// Decides what of a part is kept, and how far the part was heard.
    ///
    /// A passage that was left in the middle is left to the next part, if there is one.
    ///
    /// - Parameters:
    ///   - passages: All that was written.
    ///   - frames: How many frames the part has.
    ///   - starts: The first frame of each token, and of the end if it was written; `nil` for a model that does not report it.
    ///   - isWord: Whether the token at a place is of a word; the decoder looks at the pause for a sign.
    ///   - hasNextPart: Whether there is a next part, if it begins at a frame of this one.
    /// - Returns: The passages, and the frame up to which the part was heard.
    static func kept(
        of passages: [TimestampRules.Passage],
        frames: Int,
        starts: [Int]?,
        isWord: (_ place: Int) -> Bool,
        _ hasNextPart: (_ frame: Int) -> Bool
    ) -> (passages: [TimestampRules.Passage], reached: Int) {
        guard let last = passages.last else { return ([], frames) }
        if let end = last.end {
            // A stamp is often a whole second, and so before the last word, which would be heard twice.
            let look = starts?[last.tokens.upperBound - 1] ?? 0
            guard let starts, look > end, look <= end + latestWord else { return (passages, min(end, frames)) }
            return (passages, min(max(end, Self.end(of: last.tokens, starts, after: end, isWord)), frames))
        }
        if passages.count > 1, hasNextPart(last.start) { return (Array(passages.dropLast()), last.start) }
        guard let starts else { return (passages, frames) }
        let place = last.tokens.upperBound
        let next = place < starts.count ? starts[place] : frames
        return (passages, min(Self.end(of: last.tokens, starts, after: 0, isWord), next, frames))
    }

    /// The frame at which the last word of a passage is over.
    ///
    /// A sign behind it takes no time: what comes after the pause belongs to the next part.
    ///
    /// - Parameters:
    ///   - tokens: The places of the passage's tokens.
    ///   - starts: The first frame of each token.
    ///   - stamp: The frame at which the passage ends by its stamp; a word that begins before it is over by then.
    ///   - isWord: Whether the token at a place is of a word.
    /// - Returns: The frame; that of the first sign where there is no word.
    private static func end(
        of tokens: Range<Int>,
        _ starts: [Int],
        after stamp: Int,
        _ isWord: (_ place: Int) -> Bool
    ) -> Int {
        guard let word = tokens.last(where: isWord) else { return starts[tokens.lowerBound] }
        let least = starts[word] >= stamp ? starts[word] + lastWord : stamp
        return word + 1 < tokens.upperBound ? max(least, starts[word + 1]) : least
    }

    private func isWord(_ token: Int) -> Bool { Self.isSaid(model.vocabulary.bytes(of: token)) }

    /// Whether a token is said: it has a letter, a digit or a sign that stands for a word, or is a part of a character.
    static func isSaid(_ bytes: [UInt8]) -> Bool {
        String(decoding: bytes, as: UTF8.self)
            .contains { $0.isLetter || $0.isNumber || saidSigns.contains($0) || $0 == "\u{FFFD}" }
    }

    private func best(
        of sound: WhisperModel.Encoded,
        language: Int?,
        isRest: Bool,
        _ count: inout Int
    ) throws(ONNXRuntimeError) -> (written: WhisperModel.Written, quality: DecodingQuality) {
        func hasTime() -> Bool { count < Self.mostTokens }
        do {
            return try TemperatureFallback.best(while: hasTime) { temperature in
                let seed = UInt64(temperature * 1_000)
                let written = try model.write(
                    sound,
                    WhisperModel.Order(previous: previous, language: language, temperature: temperature, seed: seed)
                )
                count += written.tokens.count
                let text = model.vocabulary.text(of: written.tokens).trimmed
                let quality = DecodingQuality(
                    meanLogProbability: written.meanLogProbability,
                    compressionRatio: DecodingQuality.compressionRatio(of: text),
                    noSpeech: written.noSpeech,
                    isOfRest: isRest
                )
                return (written: written, quality: quality)
            }
        } catch let error as ONNXRuntimeError {
            throw error
        } catch {
            throw ONNXRuntimeError(message: "\(error)")
        }
    }

    /// When a passage was said, in seconds.
    static func time(of passage: TimestampRules.Passage, frames: Int) -> Range<Double> {
        let end = max(passage.start, passage.end ?? frames)
        return Double(passage.start) * frame..<Double(end) * frame
    }

    /// A token with its time, and that of its passage where the model says no more.
    private func recognized(
        _ place: Int,
        of written: WhisperModel.Written,
        _ starts: [Int],
        in passage: Range<Double>?
    ) -> RecognizedToken {
        let lag = model.reportsLooks ? Self.lag : 0
        let start = max(0, Double(starts[place]) * Self.frame - lag)
        // A word may last until the decoder looks at the next token, which is a little too long only before a pause.
        let next = place + 1 < starts.count ? Double(starts[place + 1]) * Self.frame : nil
        return RecognizedToken(
            model.vocabulary.bytes(of: written.tokens[place]),
            start: start,
            duration: next.map { min($0 - start, Self.longestToken) },
            probability: exp(written.logProbabilities[place]),
            passage: passage
        )
    }

    /// The first frame of each token, and of the end if it was written.
    private func starts(
        of written: WhisperModel.Written,
        _ passages: [TimestampRules.Passage],
        frames: Int
    ) -> [Int] {
        if model.reportsLooks, let first = written.looks.first {
            return CrossAttentionAlignment.starts(of: written.looks, frames: frames, heads: model.heads(of: first))
        }
        return Self.spread(passages, over: written.tokens.count, frames: frames) { place in
            model.vocabulary.bytes(of: written.tokens[place]).count
        }
    }

    /// Spreads the tokens of each passage over its time by how long they are written.
    static func spread(
        _ passages: [TimestampRules.Passage],
        over count: Int,
        frames: Int,
        length: (_ token: Int) -> Int
    ) -> [Int] {
        var starts = [Int](repeating: 0, count: count + 1)
        var reached = 0
        for passage in passages {
            let end = max(passage.start, passage.end ?? frames)
            let total = max(1, passage.tokens.reduce(0) { $0 + length($1) })
            // The stamps before it are where it begins.
            for place in reached..<passage.tokens.lowerBound { starts[place] = passage.start }
            var done = 0
            for place in passage.tokens {
                starts[place] = passage.start + (end - passage.start) * done / total
                done += length(place)
            }
            starts[passage.tokens.upperBound] = end
            reached = passage.tokens.upperBound + 1
        }
        return starts
    }
}

/// Divides a decoder into what depends on the sound alone, which is computed once for a sound, and the rest, which is computed for
/// each token.
///
/// A decoder as it is exported lays out the keys and values of the sound again for every token, which takes nearly half of its time.
struct WhisperDivision {
    /// Lays out a sound.
    let layout: ONNXGraph
    /// The decoder, which reads the laid-out sound instead of the sound.
    let decoder: ONNXGraph
    /// The tensors that the one makes and the other reads.
    let tensors: [String]

    /// Divides a decoder; `nil` for one that lays nothing out.
    ///
    /// - Parameters:
    ///   - graph: The decoder.
    ///   - sound: The names of the inputs that are the sound.
    init?(_ graph: ONNXGraph, sound: Set<String>) {
        let inputs = graph.inputs.filter { sound.contains($0.name) }
        guard inputs.count == sound.count, inputs.allSatisfy({ $0.type == ONNXTensor.Element.float }) else {
            return nil
        }
        let wiring = GraphWiring(graph)
        let made = Self.tensors(madeOf: sound, in: graph)
        // The transposed tensor has the element type of the sound.
        tensors = graph.nodes.compactMap { node in
            guard let output = node.outputs.first, node.operation == "Transpose", made.contains(output),
                wiring.readers(of: output).contains(where: { $0.operation != "Transpose" })
            else { return nil }
            return output
        }
        let ports = tensors.map { ONNXGraph.Port($0, type: ONNXTensor.Element.float) }
        layout = wiring.part(inputs, to: ports)
        decoder = wiring.part(graph.inputs.filter { !sound.contains($0.name) } + ports, to: graph.outputs)
        guard !tensors.isEmpty, !decoder.nodes.contains(where: { $0.inputs.contains(where: sound.contains) }) else {
            return nil
        }
    }

    /// The tensors that depend on the sound and on constants, and on nothing else.
    private static func tensors(madeOf sound: Set<String>, in graph: ONNXGraph) -> Set<String> {
        var made = sound
        for node in graph.nodes {
            let inputs = node.inputs.filter { !$0.isEmpty }
            guard inputs.contains(where: made.contains),
                inputs.allSatisfy({ made.contains($0) || graph.constants[$0] != nil })
            else { continue }
            made.formUnion(node.outputs.filter { !$0.isEmpty })
        }
        return made
    }
}
