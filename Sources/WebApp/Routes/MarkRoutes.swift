import API
import EchoText
import Hummingbird

/// `/api/library/ID/marks`: the places that a person has marked in a recording.
struct MarkRoutes: Sendable {
    let studio: WebStudio

    func add(to group: RouterGroup<StudioContext>) {
        group.get("library/:id/marks", use: list)
            .put("library/:id/marks", use: replace)
    }

    func list(_ request: Request, _ context: StudioContext) async throws -> [MarkResponse] {
        let library = try await studio.librarySession.enter().library.audio
        return try await Self.marks(of: try await Self.item(context, in: library), in: library)
    }

    struct Marks: Decodable {
        let marks: [Marking]
    }

    /// Replaces all marks, so that one can be added, named, moved or removed.
    func replace(_ request: Request, _ context: StudioContext) async throws -> [MarkResponse] {
        let body = try await request.decode(as: Marks.self, context: context)
        for mark in body.marks { try mark.verifyLabel() }
        guard body.marks.count <= RecordingMark.most else {
            throw RecordingError.tooManyMarks(limit: RecordingMark.most)
        }
        let library = try await studio.librarySession.enter().library.audio
        let item = try await Self.item(context, in: library)
        let marks = body.marks.map { mark in
            RecordingMark(at: mark.seconds, label: mark.label, sampleRate: item.sampleRate)
        }
        try await library.setMarks(marks, of: item.id)
        await studio.events.post(.library(changed: [item.id]))
        return try await Self.marks(of: item, in: library)
    }

    private static func item(_ context: StudioContext, in library: any AudioLibrary) async throws -> AudioItem {
        guard let item = try await library.item(try context.itemID()) else { throw LibraryError.itemNotFound }
        return item
    }

    private static func marks(of item: AudioItem, in library: any AudioLibrary) async throws -> [MarkResponse] {
        try await library.marks(of: item.id).map { MarkResponse($0, sampleRate: item.sampleRate) }
    }
}

/// A place that a person marks.
struct Marking: Decodable {
    let seconds: Double
    let label: String?

    /// - Throws: ``WebError/badRequest(what:)`` for a label that is too long.
    func verifyLabel() throws(WebError) {
        guard (label ?? "").utf16.count <= RecordingMark.longestLabel else {
            throw .badRequest(what: "the label of a mark has up to \(RecordingMark.longestLabel) characters")
        }
    }
}
