package import Foundation
package import Hummingbird

/// What goes along with one request: JSON with times of day to the millisecond, and how large a body may be.
package struct StudioContext: RequestContext {
    package var coreContext: CoreRequestContextStorage

    package init(source: Source) {
        coreContext = .init(source: source)
    }

    /// 10,000 words are some 100 KB; ten times the longest pasted book chapter is enough.
    package var maxUploadSize: Int { 4_000_000 }

    package var requestDecoder: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }

    package var responseEncoder: JSONEncoder { .page }
}

extension JSONEncoder {
    /// As the page reads it.
    static var page: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(
                date.formatted(.iso8601.year().month().day().time(includingFractionalSeconds: true)) + "Z"
            )
        }
        return encoder
    }
}
