import ArgumentParser
import EchoText

/// `echotext library size`.
struct LibrarySizeCommand: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "size",
        abstract: "Show how much of the disk the library takes, by what is in it.",
        discussion: """
            Files that were imported are kept as they came, beside the sound that is played; the setting “recording.keep-files” \
            says up to which size. “echotext library cache --clear” forgets the speech that is remembered.
            """
    )

    @OptionGroup
    var answer: JSONOption

    var json: Bool { answer.json }

    private struct Report: Encodable {
        let total: Int
        /// Bytes, by kind.
        let kinds: [String: Int]
    }

    func run(in library: Library) async throws {
        let size = try await library.measure.size()
        if json {
            let kinds = LibrarySize.Kind.allCases.map { ($0.rawValue, size[$0]) }
            return try Answer.json(Report(total: size.total, kinds: Dictionary(uniqueKeysWithValues: kinds)))
        }
        let shown = LibrarySize.Kind.allCases.filter { size[$0] > 0 }.map { ($0.words, Answer.size(size[$0])) }
        let lines = shown + [("together", Answer.size(size.total))]
        let width = lines.map(\.0.count).max() ?? 0
        try Answer.text(
            lines.map { "\($0.0)\(String(repeating: " ", count: width - $0.0.count))  \($0.1)" }
                .joined(separator: "\n")
        )
    }
}

extension LibrarySize.Kind {
    fileprivate var words: String {
        switch self {
        case .recordings: "recordings"
        case .importedFiles: "imported files as they came"
        case .narrations: "narrations"
        case .documents: "documents"
        case .takes: "takes of practice"
        case .unfinished: "unfinished recordings and narrations"
        case .speechCache: "remembered speech"
        case .database: "texts, transcripts and everything else"
        }
    }
}
