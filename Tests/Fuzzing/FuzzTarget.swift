/// One parser, or several that read the same file, under bytes that nobody has thought of.
protocol FuzzTarget: SendableMetatype {
    /// What fuzzing begins with; all of it made here.
    static var seeds: [[UInt8]] { get throws }

    /// Reads `input` as the parser's own users would.
    ///
    /// Refusing it is right. A trap, a promise that is not kept and a thrown error are faults.
    static func run(_ input: FuzzInput) throws
}

/// By the names they have in `make fuzz`; none where other modules cannot be looked into.
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

/// Ends the process, which libFuzzer takes for a find, unless `isKept`.
func demand(_ isKept: Bool, _ promise: @autoclosure () -> String) {
    if !isKept { fatalError("broken promise: \(promise())") }
}
