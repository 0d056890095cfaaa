import ONNXFormat

/// Why a Piper model's graph is not taken apart; the model is spoken with as a whole then.
enum PiperGraphFault: Error, Equatable {
    case format(ONNXFault)
    /// It reads or gives other tensors than Piper's models do.
    case ports
    /// The part that makes sound of the latent, from the last hyperbolic tangent back, is not one of convolutions.
    case decoder
    /// The number of frames each symbol lasts cannot be found.
    case durations
    /// What is drawn by chance cannot be found, or is used otherwise than in VITS.
    case noise
    /// The part between the two is not VITS's.
    case flow
    /// Its parts say something else than the whole.
    case difference
    /// ONNX Runtime does not take its parts.
    case runtime
}
