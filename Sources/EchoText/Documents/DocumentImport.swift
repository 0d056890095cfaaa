package import Foundation

/// Imports documents into the library: reads each first, and stores nothing that cannot be read.
package struct DocumentImport: Sendable {
    /// The treatment of a file whose exact bytes are in the library already.
    package enum DuplicatePolicy: String, Sendable, Hashable, CaseIterable {
        /// The file is refused, so that the person can be asked.
        case refuse
        /// The existing document is used instead.
        case reuse
        /// The file is stored once more.
        case keep
    }

    package struct Outcome: Sendable, Hashable {
        package var document: Document
        /// Notices for the person.
        package var notices: [DocumentNotice]
        /// Whether the document existed already and nothing was added.
        package var isReused: Bool
    }

    /// How wide the small picture is, in pixels.
    package static let pictureWidth = 320

    /// From how many bytes on a plain text is taken in before it is read.
    static let longText = 8_000_000

    private let library: any DocumentLibrary
    private let reader: any DocumentReader

    /// - Parameters:
    ///   - library: The store of documents.
    ///   - reader: The reader of their content.
    package init(into library: any DocumentLibrary, by reader: any DocumentReader) {
        self.library = library
        self.reader = reader
    }

    /// Reads `file` and stores it.
    ///
    /// - Parameters:
    ///   - file: The file from the person.
    ///   - name: The document's name; when absent its title, else the file's name.
    ///   - twin: What happens if the library has the file already.
    ///   - time: The time of the import.
    /// - Returns: The result of the import.
    /// - Throws: ``DocumentError``, ``LibraryError/documentThere(name:id:)``, ``VaultError``, `CancellationError`;
    ///   nothing is stored then.
    package func add(
        _ file: consuming DocumentFile,
        name: ItemName? = nil,
        twin: DuplicatePolicy = .refuse,
        at time: Date
    ) async throws -> Outcome {
        if twin != .keep, let there = try await library.documents(madeOf: file.bytes).first {
            guard twin == .reuse else { throw LibraryError.documentThere(name: there.name.text, id: there.id) }
            return try await reuse(there)
        }
        do {
            return try await store(consume file, name: name, isUnique: twin != .keep, at: time)
        } catch LibraryError.documentThere(let name, let id) where twin == .reuse {
            // Another import of the same file has ended meanwhile.
            guard let there = try await library.document(id) else {
                throw LibraryError.documentThere(name: name, id: id)
            }
            return try await reuse(there)
        }
    }

    private func reuse(_ there: Document) async throws -> Outcome {
        let notices = try await library.structure(of: there.id).notices
        return Outcome(document: there, notices: notices, isReused: true)
    }

    private func store(
        _ file: consuming DocumentFile,
        name: ItemName?,
        isUnique: Bool,
        at time: Date
    ) async throws -> Outcome {
        var file = file
        if file.bytes.count >= Self.longText, try DocumentKind(of: file.bytes) == .text,
            let name = name ?? ItemName(fileName: file.name)
        {
            let unread = UnreadDocument(name: name, bytes: file.bytes, added: time, isUnique: isUnique)
            file.bytes = Data()
            let document = try await library.add(consume unread) { [reader] in
                try Self.spoken(try await reader.read(text: $0))
            }
            let notices = try await library.structure(of: document.id).notices
            return Outcome(document: document, notices: notices, isReused: false)
        }
        var content = try Self.spoken(try await reader.read(file))
        let picture = try await picture(of: file, &content)
        let notices = content.notices
        let new = NewDocument(
            name: name ?? Self.name(for: file, content),
            bytes: file.bytes,
            content: consume content,
            picture: picture,
            added: time,
            isUnique: isUnique
        )
        // Only the library references the bytes and the text now, and releases each once it is stored.
        file.bytes = Data()
        return Outcome(document: try await library.add(consume new), notices: notices, isReused: false)
    }

    /// - Throws: ``DocumentError/blank`` for a document with nothing to speak.
    private static func spoken(_ content: DocumentText) throws -> DocumentText {
        guard content.text.contains(where: { !$0.isWhitespace }) else { throw DocumentError.blank }
        return content
    }

    /// A document whose picture cannot be drawn is stored without it, and says so in a notice.
    private func picture(of file: DocumentFile, _ content: inout DocumentText) async throws -> Data? {
        do {
            return try await reader.picture(of: nil, in: file, width: Self.pictureWidth).png
        } catch DocumentError.noPicture {
            return nil
        } catch is DocumentError {
            content.structure.notices.append(.coverNotDrawn)
            return nil
        }
    }

    private static func name(for file: DocumentFile, _ content: DocumentText) -> ItemName {
        let title = content.title.flatMap { ItemName(firstWordsOf: $0, isTitle: true) }
        return title ?? ItemName(fileName: file.name) ?? ItemName(firstWordsOf: content.text) ?? "Document"
    }
}

extension ItemName {
    /// The file's name without its extension, as far as it is a valid name; fails when nothing is left.
    package init?(fileName: String) {
        let name = fileName.split(separator: "/").last.map(String.init) ?? ""
        let dot = name.lastIndex(of: ".").flatMap { $0 > name.startIndex ? $0 : nil }
        let stem = name[..<(dot ?? name.endIndex)]
        // Why it is no name does not matter here.
        if let name = try? ItemName(stem.characters(withinScalars: Self.longest)) {
            self = name
        } else {
            self.init(firstWordsOf: stem.split(whereSeparator: \.isNewline).joined(separator: " "))
        }
    }
}
