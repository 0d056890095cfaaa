import EchoText

extension LanguageTag {
    /// A tag that a request has, in canonical case.
    ///
    /// - Throws: ``WebError/badRequest(what:)``.
    static func asked(_ tag: String) throws -> String {
        let isAllowed = tag.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
        guard (2...35).contains(tag.count), isAllowed else {
            throw WebError.badRequest(what: "“language” is a tag such as en or pt-BR")
        }
        return canonical(tag)
    }
}
