import DocumentReaders
import EchoText
import Foundation
import Logging
import Workers

/// Reads the document `--in` once.
///
/// `document-lines` extracts the lines of a PDF without assembling them; `document` reads the whole document in this
/// process; `document-worker` reads it in a process of its own, as the program does. `--out` writes the text that would
/// be spoken.
struct DocumentBenchmark {
    static let modes: Set<String> = ["document-lines", "document", "document-worker"]

    let mode: String
    let input: String
    let output: String?

    init(mode: String, options: [String: String]) throws {
        guard let input = options["--in"] else { throw BenchmarkError.usage }
        (self.mode, self.input, output) = (mode, input, options["--out"])
    }

    func run() async throws {
        let url = URL(filePath: input)
        let file = DocumentFile(name: url.lastPathComponent, bytes: try Data(contentsOf: url, options: .alwaysMapped))
        guard mode != "document-lines" else {
            return try write(PDFReader().lines(of: file).joined(separator: "\n"))
        }
        let document = try await reader.read(file)
        if output != nil { try write(Self.spoken(document)) }
    }

    private var reader: any DocumentReader {
        guard mode == "document-worker" else { return LocalDocumentReader() }
        let own = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        var launch = WorkerLaunch.reader
        launch.executable = own.deletingLastPathComponent().appending(path: "echotext").path
        let logger = Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() }
        return WorkerDocumentReader(launch, logger: logger)
    }

    private func write(_ text: String) throws {
        if let output { try Data(text.utf8).write(to: URL(filePath: output)) }
    }

    /// The text without its markup.
    private static func spoken(_ document: DocumentText) -> String {
        let units = Array(document.text.utf16)
        var kept: [UInt16] = []
        var start = 0
        for mark in document.marks {
            kept += units[start..<mark.range.lowerBound]
            start = mark.range.upperBound
        }
        return String(decoding: kept + units[start...], as: UTF16.self)
    }
}
