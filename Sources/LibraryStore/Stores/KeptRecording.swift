package import EchoText
import Foundation
import GRDB

/// A recording with all that belongs to it; its sound has been sealed already.
package struct KeptRecording: Sendable {
    package var item: AudioItem
    package var text: String
    package var timings: [TimedSentence]
    package var content: ContentReference

    package init(item: AudioItem, text: String, timings: [TimedSentence], content: ContentReference) {
        self.item = item
        self.text = text
        self.timings = timings
        self.content = content
    }
}

extension StoredLibrary {
    /// Adds all of `recordings`, or none of them.
    package func add(_ recordings: [KeptRecording]) async throws {
        try await database.write { database in
            for recording in recordings {
                let timings = TimingTable.encode(recording.timings, of: Array(recording.text.utf16))
                try recording.item.insert(
                    text: recording.text,
                    timings: timings,
                    content: recording.content,
                    into: database
                )
            }
        }
    }
}
