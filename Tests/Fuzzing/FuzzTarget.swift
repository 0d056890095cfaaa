/// A parser, or several that read the same file, tested with arbitrary bytes.
protocol FuzzTarget: SendableMetatype {
    /// The seeds; all of them are generated here.
    static var seeds: [[UInt8]] { get throws }

    /// Reads `input` as the parser's own users would.
    ///
    /// Refusing the input is correct. A trap, a violated invariant and a thrown error are faults.
    static func run(_ input: FuzzInput) throws
}

/// The targets by their names in `make fuzz`; empty in builds without `@testable` imports.
#if TESTABLE
let targets: [String: any FuzzTarget.Type] = [
    "archives": ArchiveTarget.self,
    "frames": FrameTarget.self,
    "keys": KeyTarget.self,
    "layout": LayoutTarget.self,
    "models": ModelTarget.self,
    "text": TextTarget.self,
]
#else
let targets: [String: any FuzzTarget.Type] = [:]
#endif

/// Traps unless `isKept`; libFuzzer reports the trap as a finding.
func demand(_ isKept: Bool, _ promise: @autoclosure () -> String) {
    if !isKept { fatalError("broken promise: \(promise())") }
}
