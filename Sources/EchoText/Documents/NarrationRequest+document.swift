extension DocumentLibrary {
    /// The text that is spoken of a document.
    ///
    /// - Throws: ``PageRangesError`` when there are no such pages or chapters; ``LibraryError/documentNotFound``,
    ///   ``VaultError``.
    package func spoken(_ selection: DocumentSelection, of id: Document.ID) async throws -> SpokenSelection {
        try SpokenSelection(of: try await text(of: id), try await structure(of: id), selection)
    }

    /// Selects each chapter of what is selected, and before them the text that is in none of them; what is cut from a
    /// chapter or stands beside them only if there is something to say.
    ///
    /// - Returns: Nothing for a document without chapters.
    /// - Throws: ``PageRangesError``, ``LibraryError/documentNotFound``, ``VaultError``.
    fileprivate func chapters(of selection: DocumentSelection, in id: Document.ID) async throws -> [DocumentSelection] {
        let structure = try await structure(of: id)
        let chapters = try selection.byChapter(in: structure)
        let parts = try [selection.besideChapters(in: structure)].compactMap(\.self) + chapters
        guard !chapters.isEmpty, parts.contains(where: { $0.leftOut != selection.leftOut }) else { return chapters }
        do {
            let text = try await text(of: id)
            return try parts.filter { part in
                guard part.leftOut != selection.leftOut else { return true }
                return try SpokenSelection(of: text, structure, part).text.unicodeScalars.contains(where: \.isSpeakable)
            }
        } catch let error as VaultError where error.isOfOnePart {
            return parts  // Each fails by itself.
        }
    }
}

extension NarrationRequest {
    /// Makes the order for a document or a selection of it; without a name, the order is named after both.
    ///
    /// - Throws: ``PageRangesError``, ``SynthesisError``, ``LibraryError``, ``VaultError``; ``DocumentError/noTimes`` when
    ///   times are to be kept that the document does not have.
    package func order(
        for document: Document,
        _ selection: DocumentSelection,
        among voices: [Voice],
        in library: Library
    ) async throws -> NarrationOrder {
        let defaults = try await NarrationDefaults(of: library, profile: profile)
        return try await resolve(document, selection, with: defaults, among: voices, in: library.documents).order
    }

    private func resolve(
        _ document: Document,
        _ selection: DocumentSelection,
        with defaults: NarrationDefaults,
        among voices: [Voice],
        in documents: any DocumentLibrary
    ) async throws -> (order: NarrationOrder, substitution: Substitution?) {
        let part = try selection.part(of: try await documents.structure(of: document.id))
        var request = self
        request.language = language ?? document.language
        var resolved = try request.resolve(with: defaults, among: voices, naming: document.name.text)
        if name == nil { resolved.order.name = document.name.with(part: part) }
        resolved.order.document = DocumentLink(id: document.id.rawValue, part: part, selection: selection)
        if keepsTimes {
            let structure = try await documents.structure(of: document.id)
            resolved.order.cues = try await documents.spoken(selection, of: document.id).cues(of: structure)
        }
        return resolved
    }

    /// Makes the orders for documents, or for each of their chapters, in order.
    ///
    /// If several recordings would get the same name, the document's name and the chapter's title are appended.
    ///
    /// - Parameters:
    ///   - documents: The documents to speak, with their selections; without one, the last selection is used. A
    ///     document may occur several times.
    ///   - isByChapter: Whether each chapter of the selection becomes a recording, and what is before them another; a
    ///     selection without chapters becomes a single one.
    ///   - voices: The available voices.
    ///   - library: The library with the documents, profiles and settings.
    /// - Returns: At least one order for each document.
    /// - Throws: As ``order(for:_:among:in:)``.
    package func orders(
        for documents: [(document: Document, selection: DocumentSelection?)],
        isByChapter: Bool,
        among voices: [Voice],
        in library: Library
    ) async throws -> [(order: NarrationOrder, substitution: Substitution?)] {
        let defaults = try await NarrationDefaults(of: library, profile: profile)
        var orders: [(order: NarrationOrder, substitution: Substitution?)] = []
        for (document, chosen) in documents {
            let whole =
                if let chosen { chosen } else {
                    try await library.documents.selection(of: document.id) ?? DocumentSelection()
                }
            let chapters = try await isByChapter ? library.documents.chapters(of: whole, in: document.id) : []
            for selection in chapters.isEmpty ? [whole] : chapters {
                var resolved = try await resolve(
                    document,
                    selection,
                    with: defaults,
                    among: voices,
                    in: library.documents
                )
                if name != nil {
                    let isOneOfSeveral = documents.count > 1
                    if isOneOfSeveral { resolved.order.name = resolved.order.name.with(part: document.name.text) }
                    if isOneOfSeveral || !chapters.isEmpty {
                        resolved.order.name = resolved.order.name.with(part: resolved.order.document?.part)
                    }
                }
                orders.append(resolved)
            }
        }
        return orders
    }
}

extension ItemName {
    /// Appends the name of a part: “Book – Chapter Two”, truncated to the maximum length of a name.
    package func with(part: String?) -> ItemName {
        let longestPart = 100
        guard let part = part?.characters(withinScalars: longestPart), !part.isEmpty else { return self }
        let ending = " – \(part)"
        let stem = text.characters(withinScalars: Self.longest - ending.unicodeScalars.count)
        return (try? ItemName(stem + ending)) ?? self  // A part that is not a valid name is left out.
    }
}
