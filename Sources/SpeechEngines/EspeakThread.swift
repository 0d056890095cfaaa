import EchoText

/// The actor on which espeak-ng is called.
///
/// The library keeps its voice, rate and callback in C globals, so a process has one espeak-ng for any number of
/// adapters. The global actor serializes its calls, and its own queue keeps a long call off the cooperative pool.
@globalActor
actor EspeakThread {
    static let shared = EspeakThread()

    private let executor = BlockingExecutor(label: "espeak-ng")

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
}
