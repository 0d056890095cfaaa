package import Foundation

/// A query for documents of the library, with their order.
///
/// Every condition that is set has to hold.
package struct DocumentQuery: Sendable, Hashable {
    package enum Order: String, Sendable, Hashable, CaseIterable {
        case date
        /// By the number of words.
        case length
        case name
    }

    /// Words that must all occur, the last one possibly incomplete; `nil` or blank matches everything.
    package var words: String?
    package var field = AudioQuery.Field.anywhere
    /// Any of these; empty for any kind.
    package var kinds: Set<DocumentKind> = []
    package var pages: ClosedRange<Int>?
    package var added: Range<Date>?
    /// A BCP 47 tag, with or without a region; documents of unknown language have none.
    package var language: String?
    package var order = Order.date
    package var isAscending = false
    /// How many matches are skipped, and how many are returned at most.
    package var offset = 0
    package var limit = 50

    package init() {}
}

/// A stretch of the list that a query describes.
package struct DocumentList: Sendable, Hashable {
    package var documents: [Document]
    /// How many there are in all.
    package var total: Int

    package init(documents: [Document], total: Int) {
        self.documents = documents
        self.total = total
    }
}

/// The position of the search words in a document's text.
package struct DocumentHit: Sendable, Hashable {
    package var document: Document
    /// The first match in the text; `nil` when only the name matches.
    package var place: Place?

    package struct Place: Sendable, Hashable, Codable {
        /// The range in the document's text, in UTF-16 units.
        package var source: TextRange
        /// A line of text around it.
        package var excerpt: String
        /// From 1.
        package var page: Int

        package init(source: TextRange, excerpt: String, page: Int) {
            self.source = source
            self.excerpt = excerpt
            self.page = page
        }
    }

    package init(document: Document, place: Place?) {
        self.document = document
        self.place = place
    }
}

extension DocumentStructure {
    /// Returns the number of the page that contains UTF-16 unit `unit`.
    package func page(at unit: Int) -> Int {
        var (low, high) = (0, pages.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if pages[middle].range.upperBound > unit { high = middle } else { low = middle + 1 }
        }
        return low + 1
    }
}
