import API
import ArgumentParser
import EchoText
import FileSystem
import Foundation

/// `echotext import`.
struct Import: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Put documents into the library: PDF, EPUB, Markdown, text and subtitles.",
        discussion: """
            The kind of a file is detected from its content, not its name. Files that cannot be read are named and skipped; the \
            others are imported, and the exit code is 65. A file that the library has already is not added twice unless \
            --again is given.

            Examples:
              echotext import book.epub paper.pdf notes.txt
              echotext import contract.pdf --password-fd 3 3< password.txt
            """
    )

    @Argument(help: "The files.", completion: .file())
    var files: [String]

    @Option(help: ArgumentHelp("What it is to be called, for a single file.", valueName: "name"))
    var name: String?

    @Flag(help: "Keep a file once more that is in the library already.")
    var again = false

    @Option(help: ArgumentHelp("Read the documents' password from this file descriptor.", valueName: "n"))
    var passwordFd: Int32?

    @OptionGroup
    var answer: JSONOption

    func validate() throws {
        if name != nil, files.count > 1 { throw ValidationError("--name is for a single file.") }
    }

    private struct Report: Encodable {
        let documents: [ImportResponse]
        let failures: [FailureResponse]
    }

    func run(in library: Library) async throws {
        let name = try name.map { try ItemName($0) }
        let password = try await passwordFd.asyncMap { try await SecretInput.text(from: $0, asking: "") }
        let importer = DocumentImport(into: library.documents, by: Studio.documentReader)
        let taken = try await FilesInTurn(paths: files, isAnswered: json).take { path, _ in
            let outcome = try await add(path, named: name, password: password, by: importer)
            if !json { show(outcome, name) }
            return ImportResponse(outcome, file: path)
        }
        if json { try CommandOutput.json(Report(documents: taken.results, failures: taken.failures)) }
        if let status = taken.status { throw ExitCode(status.rawValue) }
    }

    /// Imports one file; at a terminal it asks for the password of a protected file until it is right or the person
    /// gives up.
    private func add(_ path: String, named name: ItemName?, password: String?, by importer: DocumentImport) async throws
        -> DocumentImport.Outcome
    {
        var password = password
        while true {
            do {
                let file = try DocumentFile(at: path, password: password)
                return try await importer.add(file, name: name, twin: again ? .keep : .reuse, at: Date())
            } catch DocumentError.encrypted(let isWrong) where passwordFd == nil && isatty(STDIN_FILENO) == 1 {
                if isWrong { EchoTextCommand.say("That is not the password of \(Self.shown(path)).") }
                let typed = try await SecretInput.text(from: nil, asking: "Password of \(Self.shown(path)): ")
                guard !typed.isEmpty else { throw DocumentError.encrypted(wrong: isWrong) }
                password = typed
            }
        }
    }

    private static func shown(_ path: String) -> String { CommandOutput.harmless((path as NSString).lastPathComponent) }

    private func show(_ outcome: DocumentImport.Outcome, _ name: ItemName?) {
        let document = outcome.document
        if outcome.isReused {
            EchoTextCommand.say("in the library already, as \(document.mention); --again imports it once more")
            if let name, name != document.name {
                document.name.sayKept(of: document.id.rawValue, in: "documents")
            }
        } else {
            let pages = document.pages == 1 ? "1 page" : "\(document.pages) pages"
            let words = document.words == 1 ? "1 word" : "\(document.words) words"
            EchoTextCommand.say("kept as \(document.mention): \(document.kind.name), \(pages), \(words)")
        }
        for notice in outcome.notices { EchoTextCommand.say("note: \(notice.message)") }
    }
}

extension ItemName {
    /// Says that what is in the library already keeps this name, although another was asked for.
    ///
    /// - Parameters:
    ///   - id: Its id.
    ///   - command: The command whose “rename” gives it another name.
    func sayKept(of id: String, in command: String) {
        // A name is for the eyes of the person, not for a log.
        let kept = isatty(STDERR_FILENO) == 1 ? "its name, “\(CommandOutput.harmless(text))”" : "its name"
        EchoTextCommand.say("note: it keeps \(kept); “echotext \(command) rename \(id) NAME” gives it the new one")
    }
}

extension Optional {
    fileprivate func asyncMap<Output>(_ transform: (Wrapped) async throws -> Output) async rethrows -> Output? {
        guard let self else { return nil }
        return try await transform(self)
    }
}

extension Document {
    /// How standard error refers to it: by name on a terminal, by id where the output may be stored as a log.
    var mention: String { isatty(STDERR_FILENO) == 1 ? "“\(CommandOutput.harmless(name.text))”" : id.rawValue }
}
