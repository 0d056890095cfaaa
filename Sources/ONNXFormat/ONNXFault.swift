/// Why the bytes of a model were not taken for a graph.
package enum ONNXFault: Error, Equatable {
    /// They are no message, or are cut short.
    case damaged
    /// There is more of something than any voice or recogniser has.
    case tooLarge
    /// A tensor's dimensions, type and bytes do not go together.
    case badTensor
    /// Its weights are in another file, which is never opened on a model's word.
    case externalData
    /// It holds what is not read: functions, sparse tensors, training.
    case unsupported
    /// Two nodes make the same tensor, or a node reads one that nobody makes.
    case badWiring
    /// A node reads, by way of others, what it makes itself.
    case cyclic
}
