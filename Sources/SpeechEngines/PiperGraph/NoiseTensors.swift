import EchoText
import ONNXFormat

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
