import EchoText

/// A text whose writer pauses after each piece.
package actor PausingSource: TextSource {
    private var pieces: [String]
    private var hasPaused = false
    package let length: Int? = nil

    /// - Parameter pieces: In the order in which they are written.
    package init(_ pieces: [String]) { self.pieces = pieces.reversed() }

    /// Whether there are pieces that were not read.
    package var hasMore: Bool { !pieces.isEmpty }

    package func isReady(within seconds: Double) -> Bool {
        defer { hasPaused = true }
        return hasPaused
    }

    package func next() -> String? {
        hasPaused = false
        return pieces.popLast()
    }
}
