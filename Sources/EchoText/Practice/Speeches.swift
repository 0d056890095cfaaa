/// The speeches of a library.
///
/// An implementation must hold to what `verifyContract(of:)` in `EchoTextTesting` checks.
package protocol Speeches: Sendable {
    /// All speeches, the last changed first; ties are ordered by id.
    func speeches() async throws -> [Speech]

    /// The speech with an id, or `nil`.
    func speech(_ id: Speech.ID) async throws -> Speech?

    /// Adds `speech`, or replaces the one with the same id; the change is durable when the call returns.
    func save(_ speech: Speech) async throws

    /// - Throws: ``SpeechError/notFound``.
    func delete(_ id: Speech.ID) async throws
}

extension Speeches {
    /// Finds one speech.
    ///
    /// - Parameter reference: Its id, at least four characters that begin no other speech's id, or its title or the
    ///   beginning of it.
    /// - Returns: The speech.
    /// - Throws: ``SpeechError/notFound``, ``SpeechError/ambiguous(count:)``.
    package func speech(called reference: String) async throws -> Speech {
        let all = try await speeches()
        let wanted = reference.lowercased()
        let shortestPrefix = 4
        for matches in [
            all.filter { $0.id.rawValue == wanted },
            wanted.count >= shortestPrefix ? all.filter { $0.id.rawValue.hasPrefix(wanted) } : [],
            all.filter { $0.title.text.lowercased() == wanted },
            all.filter { $0.title.text.lowercased().hasPrefix(wanted) },
        ] where !matches.isEmpty {
            guard matches.count == 1 else { throw SpeechError.ambiguous(count: matches.count) }
            return matches[0]
        }
        throw SpeechError.notFound
    }
}
