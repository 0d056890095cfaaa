import AsyncAlgorithms
import Books
import EchoText
import Foundation
import HTTPTypes
import Hummingbird

/// `/api/library/ID/export` and `/api/exports`: recordings for other programs.
struct ExportRoutes: Sendable {
    let studio: WebStudio
    private let orders = ExportOrders()
    /// Making files takes processors and memory; further requests wait.
    private let places = PrioritySemaphore(places: 2)
    private let clock: any Clock<Duration>

    /// How long a download that is made while it is sent may go unread: its place is somebody else's then.
    static let patience = Duration.seconds(60)

    /// - Parameters:
    ///   - studio: What answers.
    ///   - clock: Measures how long a download goes unread.
    init(studio: WebStudio, clock: any Clock<Duration> = ContinuousClock()) {
        self.studio = studio
        self.clock = clock
    }

    func add(to group: RouterGroup<StudioContext>) {
        group.get("library/:id/export", use: one)
            .post("exports", use: order)
            .get("exports/:id", use: many)
            .post("export-all", use: orderEverything)
    }

    func one(_ request: Request, _ context: StudioContext) async throws -> Response {
        let id = try context.itemID()
        let library = try await studio.librarySession.enter().library
        guard let item = try await library.audio.item(id) else { throw LibraryError.itemNotFound }
        let format = try DownloadFormat(request.text("format"), sound: request.text("sound"))
        var names = FileNames()
        let name = names.name(for: item.name.text, fileExtension: format.fileExtension)
        let maker = DownloadMaker(library: library, sounds: studio.sounds)
        switch format {
        case .book, .chapters:
            return download(called: name, format.type, on: context) { pieces in
                try await maker.write(item, format, to: StreamedFile(to: pieces))
            }
        case .sound, .text, .captions: break
        }
        let bytes = try await places.pass { _ in try await maker.make(item, format) }
        return try StoredBytesResponse(bytes, type: format.type, disposition: Disposition.attachment(name))
            .response(to: request)
    }

    struct Order: Decodable {
        let ids: [AudioItem.ID]
        let format: String
    }

    struct Ordered: ResponseEncodable {
        let id: String
    }

    func order(_ request: Request, _ context: StudioContext) async throws -> Ordered {
        let body = try await request.decode(as: Order.self, context: context)
        let audio = try await studio.librarySession.enter().library.audio
        var seen: Set<AudioItem.ID> = []
        let ids = body.ids.filter { seen.insert($0).inserted }
        for id in ids {
            guard try await audio.item(id) != nil else { throw LibraryError.itemNotFound }
        }
        guard !ids.isEmpty else { throw LibraryError.itemNotFound }
        return Ordered(id: await orders.add(.recordings(ids, try DownloadFormat(body.format))))
    }

    struct WholeOrder: Decodable {
        let format: String?
        let passcode: String?
    }

    /// Everything leaves the library's protection, so the passcode is needed again.
    func orderEverything(_ request: Request, _ context: StudioContext) async throws -> Ordered {
        let body = try await request.decode(as: WholeOrder.self, context: context)
        guard case .sound(let format) = try DownloadFormat(body.format ?? "flac") else {
            throw WebError.badRequest(what: "“format” is one of sound")
        }
        let end = try await studio.librarySession.enter().end
        try await studio.librarySession.vault.verify(body.passcode)
        return Ordered(id: await orders.add(.everything(format, until: end)))
    }

    func many(_ request: Request, _ context: StudioContext) async throws -> Response {
        let library = try await studio.librarySession.enter().library
        guard let order = await orders.take(try context.parameters.require("id")) else { throw WebError.notFound }
        switch order {
        case .recordings(let ids, let format): return recordings(ids, as: format, of: library, on: context)
        case .everything(let format, _): return everything(as: format, of: library, on: context)
        }
    }

    private func recordings(
        _ ids: [AudioItem.ID],
        as format: DownloadFormat,
        of library: Library,
        on context: StudioContext
    ) -> Response {
        let maker = DownloadMaker(library: library, sounds: studio.sounds)
        return zip(called: "EchoText.zip", on: context) { zip in
            var names = FileNames()
            for id in ids {
                // One that was deleted since has nothing to send.
                guard let item = try await library.audio.item(id) else { continue }
                let name = names.name(for: item.name.text, fileExtension: format.fileExtension)
                try await zip.add(name, made: item.created, try await maker.make(item, format))
            }
        }
    }

    /// Each recording's sound, text and timings, and the tables beside them.
    private func everything(as format: ExportFormat, of library: Library, on context: StudioContext) -> Response {
        let sounds = studio.sounds
        return zip(called: "EchoText library.zip", on: context) { zip in
            let archive = LibraryArchive(of: library, to: ZipFolder(zip, sounds: sounds), by: sounds)
            _ = try await archive.write(into: "EchoText", as: format, at: Date())
        }
    }

    private func zip(
        called name: String,
        on context: StudioContext,
        _ fill: @escaping @Sendable (ZipArchive) async throws -> Void
    ) -> Response {
        download(called: name, "application/zip", on: context) { pieces in
            let file = StreamedFile(to: pieces)
            let zip = ZipArchive(to: file, at: Date())
            try await fill(zip)
            try await zip.finish()
            try await file.finish()
        }
    }

    /// A file that is sent while it is made.
    private func download(
        called name: String,
        _ type: String,
        on context: StudioContext,
        _ fill: @escaping @Sendable (StreamedFile.Pieces) async throws -> Void
    ) -> Response {
        let body = ResponseBody { writer in
            let pieces = StreamedFile.Pieces()
            let filling = Task {
                do {
                    try await places.pass { _ in try await fill(pieces) }
                } catch {
                    pieces.fail(error)
                }
            }
            // A client that disconnects ends the making too; it has ended already when all was sent.
            defer { filling.cancel() }
            for try await piece in pieces {
                try await whileRead(on: context) { try await writer.write(piece) }
            }
            // A download that is cut short must not look whole.
            try Task.checkCancellation()
            try await writer.finish(nil)
        }
        let headers: HTTPFields = [
            .contentType: type, .contentDisposition: Disposition.attachment(name),
        ]
        return Response(status: .ok, headers: headers, body: body)
    }

    /// Does what ends when the other end reads; cuts the connection when it does not for too long.
    @concurrent
    private func whileRead(
        on context: StudioContext,
        _ work: @concurrent () async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask { [clock] in
                guard (try? await clock.sleep(for: Self.patience)) != nil else { return }
                context.cut()
            }
            try await work()
        }
    }
}
