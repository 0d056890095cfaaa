import EchoText
import Foundation
import Synchronization

/// A graph loaded by ONNX Runtime, which several threads may run at once, each on the calling thread.
///
/// All sessions share one memory arena.
final class ONNXSession: Sendable {
    /// The session, which threads share though it is a C pointer.
    ///
    /// That is safe: it is set once in `init` and freed in `deinit`, when no other reference exists. In between it is
    /// only passed to `Run`, which several threads may call on one session at once. The contract test of models
    /// compares overlapping requests.
    ///
    /// - SeeAlso: onnxruntime_c_api.h, `OrtApi::Run`.
    nonisolated(unsafe) private let handle: OpaquePointer
    private let environment: ONNXEnvironment
    private var library: ONNXRuntimeLibrary { environment.library }

    /// - Parameters:
    ///   - model: The model's bytes; not needed after this call.
    ///   - environment: The shared environment.
    /// - Throws: ``ONNXRuntimeError``.
    init(model: Data, in environment: ONNXEnvironment) throws(ONNXRuntimeError) {
        self.environment = environment
        handle = try Self.session(in: environment) { options, session in
            model.withUnsafeBytes { bytes in
                bytes.baseAddress.flatMap {
                    environment.library.createSession(environment.handle, $0, bytes.count, options, &session)
                }
            }
        }
    }

    /// - Parameters:
    ///   - file: Absolute path of the model, whose weights may be in files of their own in its folder.
    ///   - environment: The shared environment.
    /// - Throws: ``ONNXRuntimeError``.
    init(file: String, in environment: ONNXEnvironment) throws(ONNXRuntimeError) {
        self.environment = environment
        handle = try Self.session(in: environment) { options, session in
            file.withCString { environment.library.openSession(environment.handle, $0, options, &session) }
        }
    }

    private static func session(
        in environment: ONNXEnvironment,
        create: (_ options: OpaquePointer, _ session: inout OpaquePointer?) -> OpaquePointer?
    ) throws(ONNXRuntimeError) -> OpaquePointer {
        let library = environment.library
        var options: OpaquePointer?
        try library.check(library.createOptions(&options))
        defer { library.releaseOptions(options) }
        guard let options else { throw ONNXRuntimeError(message: "no options") }
        try library.check(library.setThreads(options, 1))
        // ONNX Runtime plans memory for each shape of input, and every sentence has another shape.
        try library.check(library.disableMemoryPatterns(options))
        try library.check(library.configure(options, "session.use_env_allocators", "1"))
        // Processors without VNNI add two 8-bit products in 16 bits, which overflow where weights have a sign. This
        // gives such weights none there, and changes nothing on other processors.
        //
        // SeeAlso: onnxruntime_session_options_config_keys.h, `kOrtSessionOptionsAvx2PrecisionMode`.
        try library.check(library.configure(options, "session.x64quantprecision", "1"))
        var session: OpaquePointer?
        try library.check(create(options, &session))
        guard let session else { throw ONNXRuntimeError(message: "no session") }
        return session
    }

    deinit { library.releaseSession(handle) }

    /// Runs the graph.
    ///
    /// - Parameters:
    ///   - inputs: The inputs with their names.
    ///   - outputs: The names of the outputs to return.
    /// - Returns: The values of `outputs`, in their order.
    /// - Throws: ``ONNXRuntimeError``, also when an output does not contain floats.
    func run(_ inputs: [(name: String, value: ONNXInput)], for outputs: [String]) throws(ONNXRuntimeError)
        -> [ONNXOutput]
    {
        var given: [(name: String, value: ONNXValue)] = []
        for (name, input) in inputs { given.append((name, try ONNXValue(input, in: environment))) }
        var read: [ONNXOutput] = []
        for value in try values(of: outputs, given: given) { read.append(try value.output()) }
        return read
    }

    /// Runs the graph, and leaves its outputs where ONNX Runtime has put them.
    ///
    /// - Parameters:
    ///   - outputs: The names of the outputs to return.
    ///   - inputs: The inputs with their names.
    /// - Returns: The values of `outputs`, in their order, which may be inputs of another run.
    /// - Throws: ``ONNXRuntimeError``.
    func values(
        of outputs: [String],
        given inputs: [(name: String, value: ONNXValue)]
    ) throws(ONNXRuntimeError) -> [ONNXValue] {
        let values: [OpaquePointer?] = inputs.map { $0.value.handle }
        var results = [OpaquePointer?](repeating: nil, count: outputs.count)
        let status = withCStrings { strings in
            let ins: [ONNXRuntimeLibrary.Name?] = inputs.map { strings.copy($0.name) }
            let outs: [ONNXRuntimeLibrary.Name?] = outputs.map { strings.copy($0) }
            // The tensors may refer to memory of the inputs.
            return withExtendedLifetime(inputs) {
                library.run(handle, nil, ins, values, values.count, outs, outs.count, &results)
            }
        }
        let made = results.map { $0.map { ONNXValue($0, in: environment) } }
        try library.check(status)
        var read: [ONNXValue] = []
        for value in made {
            guard let value else { throw ONNXRuntimeError(message: "no output") }
            read.append(value)
        }
        return read
    }
}

/// A tensor that ONNX Runtime knows: one of the program's own, or one that a run has made.
final class ONNXValue {
    let handle: OpaquePointer
    private let environment: ONNXEnvironment
    /// The numbers that the tensor refers to, if they are the program's own.
    private let input: ONNXInput?
    private var library: ONNXRuntimeLibrary { environment.library }

    /// - Throws: ``ONNXRuntimeError``.
    init(_ input: ONNXInput, in environment: ONNXEnvironment) throws(ONNXRuntimeError) {
        var value: OpaquePointer?
        let dimensions = input.dimensions.map(Int64.init)
        try environment.library.check(
            environment.library.createTensor(
                environment.memory,
                input.memory.baseAddress,
                input.memory.count,
                dimensions,
                dimensions.count,
                input.type,
                &value
            )
        )
        guard let value else { throw ONNXRuntimeError(message: "no tensor") }
        handle = value
        self.environment = environment
        self.input = input
    }

    /// Takes over a value that a run has made.
    fileprivate init(_ handle: OpaquePointer, in environment: ONNXEnvironment) {
        self.handle = handle
        self.environment = environment
        input = nil
    }

    deinit { library.releaseValue(handle) }

    /// Lends its floats to `body`.
    ///
    /// - Throws: ``ONNXRuntimeError``, also when it does not contain floats.
    func read<Result>(
        _ body: (_ floats: UnsafeBufferPointer<Float>, _ dimensions: [Int]) -> Result
    ) throws(ONNXRuntimeError) -> Result {
        var shape: OpaquePointer?
        try library.check(library.tensorShape(handle, &shape))
        defer { library.releaseShape(shape) }
        guard let shape else { throw ONNXRuntimeError(message: "no shape") }
        var (type, count) = (Int32(0), 0)
        try library.check(library.elementType(shape, &type))
        try library.check(library.dimensionCount(shape, &count))
        guard type == ONNXInput.float, (0...16).contains(count) else { throw ONNXRuntimeError(message: "no floats") }
        var dimensions = [Int64](repeating: 0, count: count)
        try library.check(library.dimensions(shape, &dimensions, count))
        var data: UnsafeMutableRawPointer?
        try library.check(library.tensorData(handle, &data))
        let elements = dimensions.reduce(1) { $0 * Int($1) }
        let floats = UnsafeBufferPointer(
            start: data?.assumingMemoryBound(to: Float.self),
            count: data == nil ? 0 : elements
        )
        return body(floats, dimensions.map { Int($0) })
    }

    /// A copy of it.
    ///
    /// - Throws: ``ONNXRuntimeError``, also when it does not contain floats.
    func output() throws(ONNXRuntimeError) -> ONNXOutput {
        try read { ONNXOutput(dimensions: $1, values: Array($0)) }
    }
}

/// An input tensor of a graph; owns its numbers.
final class ONNXInput {
    static let float: Int32 = 1
    static let int64: Int32 = 7

    let dimensions: [Int]
    let type: Int32
    let memory: UnsafeMutableRawBufferPointer

    /// - Precondition: The number of values is the product of the dimensions.
    init(_ floats: [Float], _ dimensions: [Int]) {
        precondition(floats.count == dimensions.reduce(1, *), "\(floats.count) numbers do not fill \(dimensions)")
        self.dimensions = dimensions
        type = Self.float
        memory = .allocate(byteCount: floats.count * MemoryLayout<Float>.stride, alignment: 64)
        floats.withUnsafeBytes { memory.copyMemory(from: $0) }
    }

    init(_ integers: [Int], _ dimensions: [Int]) {
        precondition(integers.count == dimensions.reduce(1, *), "\(integers.count) numbers do not fill \(dimensions)")
        self.dimensions = dimensions
        type = Self.int64
        memory = .allocate(byteCount: integers.count * MemoryLayout<Int64>.stride, alignment: 64)
        integers.map(Int64.init).withUnsafeBytes { memory.copyMemory(from: $0) }
    }

    deinit { memory.deallocate() }
}

/// An output tensor of a graph.
struct ONNXOutput: Sendable {
    let dimensions: [Int]
    let values: [Float]
}

/// The environment of sessions: one memory arena for all of them.
final class ONNXEnvironment: Sendable {
    let library: ONNXRuntimeLibrary
    /// The environment, which threads share though it is a C pointer.
    ///
    /// That is safe: it is set and configured in `init`, and freed in `deinit`, after the last session that uses it.
    /// In between it is only passed to the calls that create sessions, which several threads may make at once; the arena
    /// has its own lock for allocations.
    nonisolated(unsafe) let handle: OpaquePointer
    /// Describes tensors that are in the program's own memory.
    ///
    /// Safe to share: it is set in `init`, freed in `deinit`, and constant in between.
    nonisolated(unsafe) let memory: OpaquePointer

    /// The log level: only errors that end a call are logged.
    private static let fatal: Int32 = 4
    private static let plainAllocator: Int32 = 0
    private static let arenaAllocator: Int32 = 1
    private static let defaultMemory: Int32 = 0

    /// - Throws: ``ONNXRuntimeError``.
    init(library: ONNXRuntimeLibrary) throws(ONNXRuntimeError) {
        self.library = library
        var memory: OpaquePointer?
        try library.check(library.createMemoryInfo(Self.plainAllocator, Self.defaultMemory, &memory))
        guard let memory else { throw ONNXRuntimeError(message: "no memory") }
        do throws(ONNXRuntimeError) {
            handle = try Self.create(by: library)
        } catch {
            library.releaseMemoryInfo(memory)
            throw error
        }
        self.memory = memory
        try registerArena()
    }

    /// Creates the environment, again if it is refused because the last one is just ending.
    ///
    /// ONNX Runtime has one environment for a process and counts its users. It forgets the environment first and ends
    /// it then, so that a new one is refused for a moment after the last user has left, whoever that was.
    ///
    /// - SeeAlso: `OrtEnv::Release` and `LoggingManager` in the sources of ONNX Runtime.
    private static func create(by library: ONNXRuntimeLibrary) throws(ONNXRuntimeError) -> OpaquePointer {
        var attemptsLeft = 200
        while true {
            do throws(ONNXRuntimeError) {
                var environment: OpaquePointer?
                try library.check(library.createEnvironment(fatal, "echotext", &environment))
                guard let environment else { throw ONNXRuntimeError(message: "no environment") }
                return environment
            } catch {
                attemptsLeft -= 1
                if attemptsLeft == 0 { throw error }
                usleep(10_000)
            }
        }
    }

    deinit {
        library.releaseMemoryInfo(memory)
        library.releaseEnvironment(handle)
    }

    /// Registers one arena for all sessions, which splits free blocks instead of wasting them: a medium voice takes
    /// 70 MB less for a sentence of 500 symbols than with an arena for each session (measured with ONNX Runtime
    /// 1.31.1).
    private func registerArena() throws(ONNXRuntimeError) {
        let growingByPowersOfTwo = 0
        let settings = [("arena_extend_strategy", growingByPowersOfTwo), ("max_dead_bytes_per_chunk", 256)]
        var arena: OpaquePointer?
        let status = withCStrings { strings in
            let names: [ONNXRuntimeLibrary.Name?] = settings.map { strings.copy($0.0) }
            return library.createArena(names, settings.map(\.1), settings.count, &arena)
        }
        try library.check(status)
        defer { library.releaseArena(arena) }
        var info: OpaquePointer?
        try library.check(library.createMemoryInfo(Self.arenaAllocator, Self.defaultMemory, &info))
        defer { library.releaseMemoryInfo(info) }
        guard let arena, let info else { throw ONNXRuntimeError(message: "no arena") }
        try library.check(library.registerAllocator(handle, info, arena))
    }
}
