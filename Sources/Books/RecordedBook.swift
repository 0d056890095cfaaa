package import EchoText
import Foundation

/// A recording as a book: its text in chapters, each with its time.
package struct RecordedBook: Sendable {
    package struct Chapter: Sendable, Hashable {
        package var title: String
        /// Counted from 1.
        package var level: Int
        /// The range in the recording's text.
        package var text: TextRange
        /// The range in samples from the recording's start.
        package var samples: Range<Int>
    }

    package let item: AudioItem
    package let text: String
    package let timings: [TimedSentence]
    /// At least one chapter; together they cover the recording without gaps.
    package let chapters: [Chapter]
    package let author: String?
    package let cover: CoverImage?
    /// The parts of the document that are missing, since they are damaged.
    package let notices: [RecordedBookNotice]

    /// Reads a recording, and the chapters, author and cover of its document.
    ///
    /// - Parameters:
    ///   - item: The recording.
    ///   - library: The library with the recording and its document; a deleted document counts as none.
    /// - Throws: ``LibraryError``, ``VaultError``, `CancellationError`.
    package init(of item: AudioItem, in library: Library) async throws {
        self.item = item
        text = try await library.audio.text(of: item.id)
        timings = try await library.audio.timings(of: item.id)
        let length = try await RecordingReader(of: library.audio.sound(of: item.id)).count
        let source = try await Source(of: item.narration?.document, saying: text, in: library)
        author = source?.document.author
        var notices = source?.notices ?? []
        var cover: CoverImage?
        if let id = source?.document.id, let picture = try await library.documents.picture(of: id) {
            // The book is worth more than its cover.
            cover = try? CoverImage(picture)
            if cover == nil { notices.append(.noCover) }
        }
        (self.cover, self.notices) = (cover, notices)
        let marks = try await item.narration == nil ? library.audio.marks(of: item.id) : []
        guard marks.isEmpty else {
            chapters = Self.chapters(at: marks, of: item, text.utf16.count, timings, length)
            return
        }
        var beginnings = source?.beginnings ?? []
        if beginnings.isEmpty { beginnings = try await Self.headings(of: item, text, timings) }
        chapters = Self.chapters(from: beginnings, named: item.name.text, text.utf16.count, timings, length)
    }

    private struct Beginning {
        var title: String
        var level: Int
        /// The position in the recording's text.
        var unit: Int
    }

    /// The document that a recording was made from.
    private struct Source {
        let document: Document
        let beginnings: [Beginning]
        let notices: [RecordedBookNotice]

        /// Returns `nil` if there is no document, or its text differs from the recording's.
        init?(of link: DocumentLink?, saying text: String, in library: Library) async throws {
            guard let link else { return nil }
            let id = Document.ID(rawValue: link.id)
            guard let document = try await library.documents.document(id) else { return nil }
            self.document = document
            let selection = link.selection ?? DocumentSelection()
            let structure: DocumentStructure
            let whole: String
            do {
                structure = try await library.documents.structure(of: id)
                whole = try await library.documents.text(of: id)
            } catch let error as VaultError where error.isOfOnePart {
                (beginnings, notices) = ([], [.noChapters])
                return
            } catch LibraryError.documentNotFound {
                return nil
            }
            notices = []
            guard let spoken = try? SpokenSelection(of: whole, structure, selection),
                spoken.text.hasPrefix(text), let chosen = try? selection.ranges(in: structure)
            else {
                beginnings = []
                return
            }
            let length = text.utf16.count
            beginnings = structure.chapters.compactMap { chapter in
                guard chosen.contains(where: { $0.overlaps(chapter.range) }),
                    let unit = spoken.spoken(at: chapter.range.lowerBound), unit < length
                else { return nil }
                return Beginning(title: chapter.title, level: chapter.level, unit: unit)
            }
        }
    }

    private static func headings(of item: AudioItem, _ text: String, _ timings: [TimedSentence]) async throws
        -> [Beginning]
    {
        let found = try await EchoText.Chapter.chapters(of: item.name.text, text: text, timings: timings)
        return found.compactMap { chapter in
            let sentence = timings.first { $0.samples.lowerBound >= chapter.start } ?? timings.first
            return sentence.map { Beginning(title: chapter.title, level: 1, unit: $0.source.lowerBound) }
        }
    }

    /// Makes the chapters between the marks that a person has made; sound before the first becomes a chapter with the
    /// recording's name.
    ///
    /// A sentence around a mark belongs to the mark's chapter as a whole.
    private static func chapters(
        at marks: [RecordingMark],
        of item: AudioItem,
        _ length: Int,
        _ timings: [TimedSentence],
        _ samples: Int
    ) -> [Chapter] {
        var begun: [(title: String, unit: Int, sample: Int)] = []
        var rest = timings[...]
        for mark in marks where mark.sample < samples {
            rest = rest.drop { $0.samples.upperBound <= mark.sample }
            let sample = min(mark.sample, rest.first?.samples.lowerBound ?? mark.sample)
            let title = mark.label ?? WrittenTranscript.clock(mark.seconds(at: item.sampleRate))
            if begun.last?.sample == sample {
                begun[begun.count - 1].title += " · " + title
            } else {
                begun.append((title, rest.first?.source.lowerBound ?? length, sample))
            }
        }
        if let first = begun.first, first.sample == 0 {
            begun[0].unit = 0
        } else {
            begun.insert((item.name.text, 0, 0), at: 0)
        }
        return begun.enumerated().map { index, chapter in
            let next = index + 1 < begun.count ? begun[index + 1] : ("", length, samples)
            return Chapter(
                title: chapter.title,
                level: 1,
                text: chapter.unit..<max(chapter.unit, next.1),
                samples: chapter.sample..<max(chapter.sample, next.2)
            )
        }
    }

    /// Makes the chapters between the given starts; text before the first becomes a chapter with the recording's name.
    private static func chapters(
        from beginnings: [Beginning],
        named name: String,
        _ length: Int,
        _ timings: [TimedSentence],
        _ samples: Int
    ) -> [Chapter] {
        var begun: [(title: String, level: Int, unit: Int, sample: Int)] = []
        var rest = timings[...]
        for beginning in beginnings {
            rest = rest.drop { $0.source.upperBound <= beginning.unit }
            guard let sentence = rest.first else { break }
            let isFirst = sentence.source == timings.first?.source
            // A chapter that begins within a sentence contains the whole sentence.
            let start = min(beginning.unit, sentence.source.lowerBound)
            let (unit, sample) = isFirst ? (0, 0) : (start, sentence.samples.lowerBound)
            // The innermost of several chapters at the same position is used.
            if begun.last?.sample == sample { begun.removeLast() }
            begun.append((beginning.title, beginning.level, unit, sample))
        }
        if begun.first?.sample != 0 { begun.insert((name, 1, 0, 0), at: 0) }
        return begun.enumerated().map { index, chapter in
            let next = index + 1 < begun.count ? begun[index + 1] : ("", 0, length, samples)
            return Chapter(
                title: chapter.title,
                level: chapter.level,
                text: chapter.unit..<max(chapter.unit, next.2),
                samples: chapter.sample..<max(chapter.sample, next.3)
            )
        }
    }

    /// The chapters in the form for an audiobook.
    package var marks: [EchoText.Chapter] {
        chapters.map { EchoText.Chapter(title: $0.title, start: $0.samples.lowerBound) }
    }
}

/// A chapter of a narration in progress.
package struct PlannedChapter: Sendable, Hashable {
    /// Starts at the end of the sound so far, while it is still to be spoken.
    package let chapter: Chapter
    /// Where in the text it begins, in UTF-16 units, while it is still to be spoken.
    package let ahead: Int?
}

extension RecordedBook {
    /// Makes the chapters of a narration in progress, as its recording is going to have them.
    ///
    /// - Parameters:
    ///   - order: The narration's order; a deleted document counts as none.
    ///   - text: All that is going to be spoken.
    ///   - timings: The timings of what has been spoken.
    ///   - library: The library with the document.
    /// - Returns: At least one chapter: those that have begun, and then those that are still to be spoken.
    /// - Throws: ``LibraryError``, ``VaultError``, `CancellationError`.
    package static func plan(
        of order: NarrationOrder,
        saying text: String,
        timings: [TimedSentence],
        in library: Library
    ) async throws -> [PlannedChapter] {
        let name = order.name.text
        let (end, length) = (timings.last?.source.upperBound ?? 0, timings.last?.samples.upperBound ?? 0)
        var beginnings = try await Source(of: order.document, saying: text, in: library)?.beginnings ?? []
        let begun: [EchoText.Chapter]
        if beginnings.isEmpty {
            let headings = try await EchoText.Chapter.headings(in: text)
            beginnings = headings.map { Beginning(title: $0.title, level: 1, unit: $0.unit) }
            begun = try await EchoText.Chapter.chapters(of: name, text: text, timings: timings)
        } else {
            let chapters = Self.chapters(from: beginnings, named: name, text.utf16.count, timings, length)
            begun = chapters.map { EchoText.Chapter(title: $0.title, start: $0.samples.lowerBound) }
        }
        var plan = begun.map { PlannedChapter(chapter: $0, ahead: nil) }
        var ahead: [Beginning] = []
        for beginning in beginnings where beginning.unit >= end {
            // The innermost of several chapters at the same position is used.
            if ahead.last?.unit == beginning.unit { ahead.removeLast() }
            ahead.append(beginning)
        }
        if timings.isEmpty, let first = ahead.first {
            let before = String(decoding: text.utf16.prefix(first.unit), as: UTF16.self)
            if before.allSatisfy(\.isWhitespace) {
                plan = [PlannedChapter(chapter: EchoText.Chapter(title: first.title, start: 0), ahead: nil)]
                ahead.removeFirst()
            }
        }
        return plan
            + ahead.map {
                PlannedChapter(chapter: EchoText.Chapter(title: $0.title, start: length), ahead: $0.unit)
            }
    }
}

/// A part of the document that a book lacks, since it is damaged.
package enum RecordedBookNotice: String, Sendable, Hashable {
    case noCover
    case noChapters

    /// The notice as one sentence for a person.
    package var message: String {
        switch self {
        case .noCover: "The picture of the document is damaged, so there is no cover."
        case .noChapters: "The document is damaged, so the chapters are those of the recording alone."
        }
    }
}

extension RecordingExport.Options {
    /// Uses the chapters of `book`, and its author and cover unless the person has set them.
    package mutating func complete(from book: RecordedBook) {
        chapters = book.marks
        author = author ?? book.author
        cover = cover ?? book.cover
    }
}
