/// How long a document's reader is waited for.
package struct ReaderTiming: Sendable, Hashable {
    /// For the whole of a document, however often its worker has to be started again.
    package var whole: Duration = .seconds(30)
    /// For one page of a PDF; poppler goes round for ever on some.
    package var page: Duration = .seconds(8)
    /// Most pages that are passed over because the worker ended or stopped at them.
    package var mostBadPages = 3

    package init() {}
}
