package import Foundation

/// A query for recordings of the library, with their order.
///
/// Every condition that is set has to hold.
package struct AudioQuery: Sendable, Hashable {
    package enum Order: String, Sendable, Hashable, CaseIterable {
        case date
        case length
        case name
        /// Bytes of sound.
        case size
    }

    /// The field that is searched.
    package enum Field: String, Sendable, Hashable, CaseIterable {
        case name
        case text
        case anywhere
    }

    /// Words that must all occur, the last one possibly incomplete; `nil` or blank matches everything.
    package var words: String?
    package var field = Field.anywhere
    /// Any of these; empty for any origin.
    package var origins: Set<AudioOrigin.Kind> = []
    /// Times the voice's own, as the pitch; only a narration has either.
    package var speed: ClosedRange<Double>?
    package var pitch: ClosedRange<Double>?
    /// In seconds.
    package var duration: ClosedRange<Double>?
    package var created: Range<Date>?
    package var isFavorite: Bool?
    package var hasDocument: Bool?
    /// Whether there is a transcript; narrations have none.
    package var isTranscribed: Bool?
    /// Made of this document.
    package var document: Document.ID?
    /// Any of these; empty for any voice.
    package var voices: Set<Voice.ID> = []
    package var order = Order.date
    package var isAscending = false
    /// How many matches are skipped, and how many are returned at most.
    package var offset = 0
    package var limit = 50

    package init() {}
}

/// A stretch of the list that a query describes.
package struct AudioPage: Sendable, Hashable {
    package var items: [AudioItem]
    /// How many there are in all.
    package var total: Int
    /// How many more items match but cannot be read; they are in neither.
    package var unreadable: Int

    package init(items: [AudioItem], total: Int, unreadable: Int = 0) {
        self.items = items
        self.total = total
        self.unreadable = unreadable
    }
}

/// The position of the search words in a recording's text, and when they are spoken.
package struct AudioHit: Sendable, Hashable {
    package var item: AudioItem
    /// The first match in the text; `nil` when only the name matches.
    package var place: Place?

    package struct Place: Sendable, Hashable {
        /// The range in the text, in UTF-16 units.
        package var source: TextRange
        /// A line of text around it.
        package var excerpt: TextExcerpt
        /// Seconds from the recording's start.
        package var seconds: Double

        package init(source: TextRange, excerpt: TextExcerpt, seconds: Double) {
            self.source = source
            self.excerpt = excerpt
            self.seconds = seconds
        }
    }

    package init(item: AudioItem, place: Place?) {
        self.item = item
        self.place = place
    }
}
