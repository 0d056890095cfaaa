import API
import ArgumentParser
import AudioFiles
import EchoText
import Foundation

/// `echotext documents rename`.
struct DocumentsRename: LibraryCommand {
    static let configuration = CommandConfiguration(commandName: "rename", abstract: "Give a document another name.")

    @Argument(help: "A document, by id or name.")
    var document: String

    @Argument(help: "Its new name: one line of at most \(ItemName.longest) characters.")
    var name: String

    @OptionGroup
    var answer: JSONOption

    var json: Bool { answer.json }

    func run(in library: Library) async throws {
        let name = try ItemName(name)
        var document = try await library.documents.document(called: document)
        try await library.documents.rename(document.id, to: name)
        document.name = name
        if json { try Answer.json(DocumentResponse(document)) }
    }
}

/// `echotext documents delete`.
struct DocumentsDelete: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete documents for good; recordings that were made from them stay.",
        discussion: "Asks first on a terminal; elsewhere it wants --yes."
    )

    @OptionGroup
    var references: DocumentReferences

    @OptionGroup
    var confirmation: ConfirmationOption

    @OptionGroup
    var answer: JSONOption

    var json: Bool { answer.json }

    func run(in library: Library) async throws {
        let documents = try await references.documents(in: library)
        let what = documents.count == 1 ? "“\(documents[0].name)”" : "\(documents.count) documents"
        try await confirmation.confirm("Delete \(what) for good?")
        try await library.documents.delete(Set(documents.map(\.id)))
        if json { try Answer.json(DeletedAnswer(deleted: documents.map(\.id))) }
    }
}

/// `echotext documents export`.
struct DocumentsExport: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write documents to files, as they were given.",
        discussion:
            "One document becomes the file that is named; several go into a folder. What is exported is no longer protected."
    )

    @OptionGroup
    var references: DocumentReferences

    @Option(name: .shortAndLong, help: "The file, or the folder, to write to.", completion: .file())
    var output: String

    @OptionGroup
    var answer: JSONOption

    var json: Bool { answer.json }

    private struct Exported: Encodable {
        let files: [String]
    }

    func run(in library: Library) async throws {
        let documents = try await references.documents(in: library)
        var written: [String] = []
        for (document, path) in zip(documents, try paths(of: documents)) {
            let original = try await library.documents.original(of: document.id)
            try await ByteFile(path: path).take(original)
            written.append(path)
        }
        if json { return try Answer.json(Exported(files: written)) }
        EchoTextCommand.say("\(written.count) file\(written.count == 1 ? "" : "s") written")
    }

    /// Returns the path of each export, and creates the destination folder if it does not exist.
    private func paths(of documents: [Document]) throws -> [String] {
        guard output != "-" else {
            throw CommandError.contradiction("Documents are exported to files.", hint: "Give -o a name.")
        }
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: output, isDirectory: &isFolder)
        guard isFolder.boolValue || documents.count > 1 || output.hasSuffix("/") else { return [output] }
        guard !exists || isFolder.boolValue else {
            throw CommandError.contradiction("Several documents do not go into one file.", hint: "Give -o a folder.")
        }
        if !exists, mkdir(output, 0o700) != 0 { throw ExportError.folderNotUsable }
        var names = FileNames(present: try FileManager.default.contentsOfDirectory(atPath: output))
        return documents.map { document in
            let ending = document.kind.fileExtension
            let stem = (document.fileName as NSString).deletingPathExtension
            return "\(output)/\(names.name(for: stem, fileExtension: ending))"
        }
    }
}
