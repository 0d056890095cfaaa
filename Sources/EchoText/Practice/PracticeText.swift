package import Foundation

/// A text that is to be practiced, read from where it is.
package struct PracticeText: Sendable, Hashable {
    package let title: ItemName
    package let text: String
    /// BCP 47; `nil` when it is not known.
    package let language: String?
    /// As ``PracticeRecord/source`` has it.
    package let source: PracticeSource
    /// Whether the session has to keep the text, since the source may change.
    package let isKept: Bool

    private init(_ title: ItemName?, _ text: String, _ language: String?, _ source: PracticeSource, isKept: Bool = true)
        throws
    {
        guard text.contains(where: \.isLetterOrNumber) else { throw PracticeError.nothingToSay }
        self.title = title ?? ItemName(firstWordsOf: text) ?? "Practice"
        self.text = text
        self.language = language == "und" ? nil : language
        self.source = source
        self.isKept = isKept
    }

    /// Reads what `source` names.
    ///
    /// - Parameters:
    ///   - source: The source of the text.
    ///   - library: The library that contains it.
    ///   - time: The time at which hard segments have to be due.
    /// - Throws: ``PracticeError/nothingToSay``, ``PracticeError/noTranscript``, ``PracticeError/nothingDue``,
    ///   ``PracticeError/documentDeleted``, ``SpeechError/notFound``, ``LibraryError``, ``PageRangesError``,
    ///   ``VaultError``.
    package init(of source: PracticeSource, in library: Library, at time: Date) async throws {
        switch source {
        case .text(let text, let language):
            try self.init(nil, text, language, .text("", language: language))
        case .speech(let id):
            guard let speech = try await library.speeches.speech(id) else { throw SpeechError.notFound }
            try self.init(speech.title, speech.text, speech.language, source)
        case .document(let id, let chosen):
            guard let document = try await library.documents.document(id) else { throw LibraryError.documentNotFound }
            let selection =
                if let chosen { chosen } else { try await library.documents.selection(of: id) ?? DocumentSelection() }
            let structure = try await library.documents.structure(of: id)
            let spoken = try SpokenSelection(of: try await library.documents.text(of: id), structure, selection)
            let title = document.name.with(part: try selection.part(of: structure))
            try self.init(title, spoken.text, document.language, .document(id, selection), isKept: false)
        case .recording(let id):
            guard let item = try await library.audio.item(id) else { throw LibraryError.itemNotFound }
            let text = try await library.audio.text(of: id)
            guard text.contains(where: \.isLetterOrNumber) else { throw PracticeError.noTranscript }
            try self.init(item.name, text, item.language, source)
        case .history(let id):
            try self.init(nil, try await library.history.entry(id).text, nil, source)
        case .hard:
            let due = try await library.practice.hardSegments().filter { $0.isDue(at: time) }
            guard let first = due.first else { throw PracticeError.nothingDue }
            // A single voice reads all segments.
            let texts = due.filter { $0.language == first.language }.map(\.text)
            try self.init(nil, texts.joined(separator: "\n\n"), first.language, source)
        case .session(let id):
            let practice = try await library.practice.practice(id)
            if let text = try await library.practice.text(of: id) {
                try self.init(practice.title, text, practice.language, practice.source)
            } else {
                do {
                    try await self.init(of: practice.source, in: library, at: time)
                } catch LibraryError.documentNotFound {
                    throw PracticeError.documentDeleted
                }
            }
        }
    }
}

extension Character {
    fileprivate var isLetterOrNumber: Bool { isLetter || isNumber }
}

extension VoiceSearch {
    /// Chooses the voice for practicing a text.
    ///
    /// - Parameters:
    ///   - name: The voice that the person named, if any.
    ///   - language: The text's BCP 47 language; `nil` when it is not known.
    ///   - profile: The profile whose voice is used if it speaks the language; otherwise the best voice for the
    ///     language.
    /// - Returns: A voice that can speak now.
    /// - Throws: ``SynthesisError/voiceNotInstalled(_:similar:)`` for a named voice;
    ///   ``PracticeError/noVoice(language:)``.
    package func voice(called name: String?, for language: String?, of profile: VoiceProfile) throws -> Voice {
        if let name { return try voice(called: name) }
        let own = try? voice(called: profile.voice.rawValue)
        guard let language else {
            guard let own = own ?? voices.first else { throw PracticeError.noVoice(language: "und") }
            return own
        }
        if let own, own.speaks(language) { return own }
        guard let best = best(for: language) else { throw PracticeError.noVoice(language: language) }
        return best
    }

    /// The best voice for a language.
    func best(for language: String) -> Voice? {
        voices.filter { $0.speaks(language) }.max { $0.rank(for: language) < $1.rank(for: language) }
    }
}

extension Voice {
    /// Whether it is made for a language, of whichever region.
    package func speaks(_ language: String) -> Bool {
        LanguageTag.language(of: self.language) == LanguageTag.language(of: language)
    }

    /// Natural voices before built-in ones, those of the region before others, and finer models before small ones.
    fileprivate func rank(for language: String) -> Int {
        let isNear = self.language.lowercased() == language.lowercased()
        let sizes = ["x_low": 0, "low": 1, "medium": 2, "high": 3]
        let size = sizes[String(id.rawValue.split(separator: "-").last ?? "")] ?? 0
        return (engine == .piper ? 100 : 0) + (isNear ? 10 : 0) + size
    }
}
