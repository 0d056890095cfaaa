import API
import EchoText
import Foundation

/// Prints the output of a command on standard output: JSON for programs, lines for people.
enum CommandOutput {
    /// Prints `value` as JSON with sorted keys and ISO 8601 dates.
    ///
    /// - Throws: ``CommandError/outputFailed(errno:)``.
    static func json(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        try EchoTextCommand.answer(String(decoding: try encoder.encode(value), as: UTF8.self))
    }

    /// Prints a recording that was made: as JSON, or its name and its length.
    ///
    /// - Throws: ``CommandError/outputFailed(errno:)``.
    static func kept(_ item: AudioItem, asJSON isJSON: Bool) throws {
        if isJSON { return try json(ItemResponse(item)) }
        EchoTextCommand.say("kept as \(item.mention), \(time(item.duration))")
    }

    /// Prints `text` without terminal control characters; only tabs and line ends remain, each a line feed.
    ///
    /// - Throws: ``CommandError/outputFailed(errno:)``.
    static func text(_ text: String) throws {
        try EchoTextCommand.answer(harmless(text))
    }

    /// Prints columns under a heading; the last column is not padded.
    ///
    /// - Throws: ``CommandError/outputFailed(errno:)``.
    static func table(_ heading: [String], _ rows: [[String]]) throws {
        let lines = [heading] + rows
        let widths = heading.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
        let text = lines.map { row in
            zip(row, widths).map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }
                .joined(separator: "  ").trimmingCharacters(in: .whitespaces)
        }
        try self.text(text.joined(separator: "\n"))
    }

    /// The lines of names with their values, which begin below each other.
    static func facts(_ facts: [(String, String)]) -> [String] {
        let width = facts.map(\.0.count).max() ?? 0
        return facts.map { "\($0.0.padding(toLength: width, withPad: " ", startingAt: 0))  \($0.1)" }
    }

    /// Removes from `text` the characters that control a terminal or change the direction of text.
    ///
    /// Everything from outside the program passes through here before it is printed. A line end of any kind becomes a
    /// line feed, as the words on both sides of it are not one.
    ///
    /// - Parameters:
    ///   - text: The text to show.
    ///   - isLine: Whether line ends and tabs become spaces.
    /// - Returns: Text that is safe to print on a terminal.
    static func harmless(_ text: String, isLine: Bool = false) -> String {
        var shown = String.UnicodeScalarView()
        var isAfterReturn = false
        for scalar in text.unicodeScalars {
            defer { isAfterReturn = scalar == "\r" }
            if scalar == "\n", isAfterReturn { continue }
            let isSpace = scalar.properties.generalCategory == .control && scalar.properties.isWhitespace
            if isSpace {
                shown.append(isLine ? " " : scalar == "\t" ? "\t" : "\n")
            } else if !scalar.isObeyed {
                shown.append(scalar)
            }
        }
        return String(shown)
    }

    /// “4:05” or “1:02:03”.
    static func time(_ seconds: Double) -> String {
        // A sum of a page's own values may be of any size.
        let whole = Int(min(max(seconds, -1e15), 1e15).rounded())
        let (hours, minutes, rest) = (whole / 3_600, whole / 60 % 60, whole % 60)
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
        return hours > 0 ? "\(hours):\(two(minutes)):\(two(rest))" : "\(minutes):\(two(rest))"
    }

    /// “2026-11-21 08:30”, in the machine's time zone.
    static func date(_ date: Date) -> String {
        date.formatted(
            Date.ISO8601FormatStyle(timeZone: .current).year().month().day().dateTimeSeparator(.space)
                .time(includingFractionalSeconds: false)
        )
    }

    /// “12.3 MB”, of 10⁶ bytes.
    static func size(_ bytes: Int) -> String {
        let units = ["bytes", "kB", "MB", "GB", "TB"]
        var (value, unit) = (Double(bytes), 0)
        while value >= 999.5, unit < units.count - 1 { (value, unit) = (value / 1_000, unit + 1) }
        return unit == 0 ? "\(bytes) bytes" : String(format: value < 10 ? "%.1f %@" : "%.0f %@", value, units[unit])
    }
}

extension Unicode.Scalar {
    /// Whether it is a control character, C0 or C1, or changes the direction of the text around it.
    fileprivate var isObeyed: Bool {
        properties.generalCategory == .control || (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value)
    }
}

/// The JSON output of a command that deletes: one id, or several.
struct DeletedOutput<IDs: Encodable>: Encodable {
    let deleted: IDs
}

/// The JSON output of a command that writes files: their paths.
struct FilesOutput: Encodable {
    let files: [String]
    /// Those that could not be written; left out where there are none.
    var failures: [FailureResponse]?
}

/// A failure as JSON: `{"error": {"code": …, "message": …, "suggestion": …}}`, with `"file"` or `"name"` where it is
/// about a file, or one of several things, that the person named.
struct JSONFailure: Encodable {
    private let error: FailureResponse

    init(_ error: any UserFacingError) {
        let failure = error.failure.inTerminal
        self.error =
            switch error {
            case let error as ReferenceFailure: FailureResponse(failure, name: error.reference)
            default: FailureResponse(failure, file: (error as? FileFailure)?.path)
            }
    }

    /// Runs `work`, and prints its error as JSON before rethrowing it; nothing is done where no answer could be printed.
    ///
    /// - Parameters:
    ///   - isWanted: Whether anything is printed.
    ///   - work: The work that may fail.
    /// - Throws: What `work` throws; ``CommandError/outputClosed``.
    static func printed(if isWanted: Bool, _ work: () async throws -> Void) async throws {
        do {
            if isWanted { try StandardStreams.checkOutput() }
            try await work()
        } catch {
            let failure = error is CancellationError ? CommandError.interrupted : error as? any UserFacingError
            // If standard output itself failed, the message on standard error and the exit status have to suffice.
            if isWanted, let failure { _ = try? EchoTextCommand.answer(try JSONFailure(failure).json()) }
            throw error
        }
    }

    private func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}

/// Standard input, output and error.
enum StandardStreams {
    /// Opens `/dev/null` for each stream that is closed; otherwise the next opened file would get its descriptor.
    ///
    /// Reading from such an input and writing to such an output fail at once; messages to the person are discarded.
    static func fill() {
        let ways = [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDWR)]
        for (stream, way) in ways where fcntl(stream, F_GETFD) < 0 {
            // The system returns the lowest free descriptor: the stream's, as those below it are open.
            _ = open("/dev/null", way)
        }
    }

    /// - Throws: ``CommandError/outputClosed`` when standard output cannot be written to.
    static func checkOutput() throws(CommandError) {
        let status = fcntl(STDOUT_FILENO, F_GETFL)
        guard status >= 0, status & O_ACCMODE != O_RDONLY else { throw .outputClosed }
    }
}

/// Shows the progress of a narration on one line of the terminal.
struct ProgressLine {
    private let total: Int?
    private let isShown: Bool
    private let heading: String
    private let begun = ContinuousClock.now
    private var lastDrawn: ContinuousClock.Instant?

    /// - Parameters:
    ///   - total: Length of the text in UTF-16 units, if it is known.
    ///   - isShown: Whether the line is shown at all.
    ///   - heading: A text before it, such as “2 of 5”.
    init(total: Int?, isShown: Bool, heading: String = "") {
        self.total = total
        self.isShown = isShown
        self.heading = heading.isEmpty ? "" : "\(heading)  "
    }

    /// Shows that everything up to UTF-16 unit `units` has been spoken, as `seconds` of sound.
    mutating func update(units: Int, seconds: Double) {
        guard isShown else { return }
        let now = ContinuousClock.now
        let shortestStep = Duration.milliseconds(100)
        if let last = lastDrawn, now - last < shortestStep { return }
        lastDrawn = now
        draw(units: units, seconds: seconds, elapsed: (now - begun) / .seconds(1))
    }

    /// Clears the line.
    func clear() {
        guard isShown, lastDrawn != nil else { return }
        EchoTextCommand.show("\r\u{1B}[K")
    }

    private func draw(units: Int, seconds: Double, elapsed: Double) {
        var line = "\(WrittenTranscript.clock(seconds)) spoken"
        if let total, total > 0 {
            let share = min(Double(units) / Double(total), 1)
            let left = share > 0 ? elapsed / share * (1 - share) : 0
            let width = 24
            let filled = Int(share * Double(width))
            let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
            line = "\(bar) \(Int(share * 100)) %  \(line), about \(Self.words(left)) left"
        }
        EchoTextCommand.show("\r\u{1B}[K\(CommandOutput.harmless(heading, isLine: true))\(line)")
    }

    private static func words(_ seconds: Double) -> String {
        switch seconds {
        case ..<60: "\(max(1, Int(seconds.rounded()))) s"
        case ..<3_600: "\(Int((seconds / 60).rounded())) min"
        default: "\(Int(seconds / 3_600)) h \(Int(seconds / 60) % 60) min"
        }
    }
}
