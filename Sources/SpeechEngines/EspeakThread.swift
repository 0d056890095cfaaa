import EchoText

/// The one place espeak-ng is called from.
///
/// The library keeps its voice, rate and callback in C globals, so the process has one espeak-ng however many adapters
/// there are. A global actor says exactly that, and its own queue keeps a long call off the cooperative pool.
@globalActor
actor EspeakThread {
    static let shared = EspeakThread()

    private let executor = BlockingExecutor(label: "espeak-ng")

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
}
