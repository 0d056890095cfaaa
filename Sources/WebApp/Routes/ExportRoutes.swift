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
    private let permits = PrioritySemaphore(permits: 2)
    /// A cover is held in memory during its upload; others wait.
    private let covers = PrioritySemaphore(permits: 1)
    private let streamed: StreamedDownload

    /// - Parameters:
    ///   - studio: The studio that handles requests.
    ///   - clock: Measures how long a client does not read.
    init(studio: WebStudio, clock: any Clock<Duration> = ContinuousClock()) {
        self.studio = studio
        streamed = StreamedDownload(
            events: studio.events,
            librarySession: studio.librarySession,
            permits: permits,
            clock: clock
        )
    }

    func add(to group: RouterGroup<WebRequestContext>) {
        group.get("library/:id/export", use: one)
            .post("exports", use: order)
            .put("exports/:id/cover", use: cover)
            .delete("exports/:id", use: stop)
            .post("export-all", use: orderEverything)
            .post("backup", use: orderBackup)
    }

    /// Adds the downloads that a browser stores by itself.
    func addDownloads(to group: RouterGroup<WebRequestContext>) {
        group.get("exports/:id", use: fetch)
    }

    func one(_ request: Request, _ context: WebRequestContext) async throws -> Response {
        let id = try context.itemID()
        let open = try await studio.librarySession.use()
        let library = open.library
        guard let item = try await library.audio.item(id) else { throw LibraryError.itemNotFound }
        let format = try DownloadFormat(request.text("format"), sound: request.text("sound"))
        let writing = try Self.writing(request.flag("times"), request.flag("byWord"))
        var names = FileNames()
        let name = names.name(for: item.name.text, fileExtension: format.fileExtension)
        switch format {
        case .book, .chapters:
            let maker = DownloadMaker(library: library, sounds: studio.sounds)
            return streamed.response(id.rawValue, called: name, format.type, until: open.end, on: context) {
                pieces,
                progress in
                let noting = maker.noting(progress.damage)
                try await noting.write(item, format, to: StreamedFile(to: pieces)) { progress.report($0, of: $1) }
                return 0
            }
        case .sound, .text, .captions, .transcript: break
        }
        let bytes = try await studio.librarySession.keepingOpen { open in
            let bytes = try await made(item, format, writing, from: open.library)
            // The download starts now, so the idle time restarts.
            _ = try await studio.librarySession.use()
            return bytes
        }
        return try await StoredBytesResponse(bytes, type: format.type, disposition: Disposition.attachment(name))
            .response(to: request)
    }

    /// Makes one file of a recording with a permit.
    ///
    /// It runs outside the actor of the library session, since making files takes long.
    @concurrent
    private func made(
        _ item: AudioItem,
        _ format: DownloadFormat,
        _ writing: SpokenWordsExport.Details,
        from library: Library
    ) async throws -> any StoredBytes {
        let maker = DownloadMaker(library: library, sounds: studio.sounds, writing: writing)
        try await maker.checkWords(of: [item], [format])
        let bytes = try await permits.pass { _ in try await maker.make(item, format) }
        // As of the books that are sent while they are made.
        if maker.damage.isSet {
            await studio.events.post(.export(id: item.id.rawValue, ExportOutcome(lacksParts: true)))
        }
        return bytes
    }

    struct ExportBody: Decodable {
        struct Joined: Decodable {
            let title: String?
            let author: String?
        }

        let ids: [AudioItem.ID]?
        let format: String?
        let sound: String?
        let beside: [String]?
        let times: Bool?
        let byWord: Bool?
        let joined: Joined?
        let documents: [Document.ID]?
        /// Recordings whose files are wanted as they came.
        let files: [AudioItem.ID]?
    }

    struct Ordered: ResponseEncodable {
        let id: String
    }

    func order(_ request: Request, _ context: WebRequestContext) async throws -> Ordered {
        let body = try await request.decode(as: ExportBody.self, context: context)
        let library = try await studio.librarySession.use().library
        guard [body.ids != nil, body.documents != nil, body.files != nil].count(where: { $0 }) == 1 else {
            throw WebError.badRequest(what: "one of “ids”, “documents” and “files” is needed")
        }
        if let files = body.files {
            let items = try await allItems(Self.unique(files), in: library).filter(\.hasFile)
            guard !items.isEmpty else { throw LibraryError.fileNotKept }
            return Ordered(id: await orders.add(.files(items.map(\.id))))
        }
        if let documents = body.documents {
            let ids = Self.unique(documents)
            for id in ids {
                guard try await library.documents.document(id) != nil else { throw LibraryError.documentNotFound }
            }
            guard !ids.isEmpty else { throw LibraryError.documentNotFound }
            return Ordered(id: await orders.add(.documents(ids)))
        }
        let order = try Self.recordings(body)
        let items = try await allItems(order.ids, in: library)
        let maker = DownloadMaker(library: library, sounds: studio.sounds)
        try await maker.checkWords(of: items, [order.format] + order.beside)
        if order.joined != nil {
            try DownloadMaker.checkRoom(for: items, order.format)
            // An unreadable recording is refused where it was ordered.
            if !order.format.isBook { _ = try await JoinedRecordings(items, in: library.audio) }
        }
        return Ordered(id: await orders.add(.recordings(order)))
    }

    /// - Throws: ``WebError/badRequest(what:)`` for incompatible options, ``LibraryError/invalidName(_:)``.
    private static func recordings(_ body: ExportBody) throws -> RecordingsOrder {
        var order = RecordingsOrder(
            ids: unique(body.ids ?? []),
            format: try DownloadFormat(body.format, sound: body.sound)
        )
        order.beside = try unique(body.beside ?? []).map { try DownloadFormat(beside: $0) }
        order.writing = writing(body.times, body.byWord)
        order.joined = try body.joined.map { details in
            JoinedExport(
                title: try details.title.map { try ItemName($0) },
                author: try details.author.map { try ItemName($0) }
            )
        }
        if order.joined != nil, order.ids.count > 1, order.beside.contains(where: \.isTranscript) {
            let all = ["txt"] + TimingFormat.allCases.map(\.rawValue)
            throw WebError.badRequest(what: "“beside” of joined recordings is a list of \(all.joined(separator: ", "))")
        }
        if case .sound = order.format { return order }
        // Joined, the book of one recording is the file itself.
        let isPlain = order.joined?.title == nil && order.joined?.author == nil && order.ids.count == 1
        guard order.joined == nil || (order.format.isBook && isPlain), order.beside.isEmpty else {
            throw WebError.badRequest(what: "“joined” and “beside” go with a sound")
        }
        return order
    }

    private static func writing(_ times: Bool?, _ byWord: Bool?) -> SpokenWordsExport.Details {
        SpokenWordsExport.Details(showsTimes: times ?? false, isByWord: byWord ?? false)
    }

    private static func unique<Value: Hashable>(_ values: [Value]) -> [Value] {
        var seen: Set<Value> = []
        return values.filter { seen.insert($0).inserted }
    }

    /// Accepts a cover, whose body is the bytes of a picture file.
    func cover(_ request: Request, _ context: WebRequestContext) async throws -> HTTPResponse.Status {
        let id = try context.parameters.require("id")
        _ = try await studio.librarySession.use()
        let limit = CoverImage.largest
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > limit {
            throw ExportError.coverTooLarge(limit: limit)
        }
        try await covers.pass { _ in
            var bytes = Data()
            for try await buffer in request.body {
                guard bytes.count + buffer.readableBytes <= limit else { throw ExportError.coverTooLarge(limit: limit) }
                bytes.append(contentsOf: buffer.readableBytesView)
            }
            try await orders.put(CoverImage(bytes), on: id)
        }
        return .noContent
    }

    struct WholeOrder: Decodable {
        let format: String?
        let passcode: String?
    }

    /// Everything leaves the library's protection, so the passcode is needed again.
    func orderEverything(_ request: Request, _ context: WebRequestContext) async throws -> Ordered {
        let body = try await request.decode(as: WholeOrder.self, context: context)
        guard case .sound(let format) = try DownloadFormat(body.format ?? "flac") else {
            throw WebError.badRequest(what: "“format” is one of sound")
        }
        let end = try await studio.librarySession.use().end
        try await studio.librarySession.vault.verify(body.passcode)
        return Ordered(id: await orders.add(.everything(format, until: end)))
    }

    /// A backup opens with the recovery code only, so no passcode is needed.
    func orderBackup(_ request: Request, _ context: WebRequestContext) async throws -> Ordered {
        _ = try await studio.librarySession.use()
        return Ordered(id: await orders.add(.backup))
    }

    /// Stops making a download, and forgets its order; an unknown one is over already.
    func stop(_ request: Request, _ context: WebRequestContext) async throws -> HTTPResponse.Status {
        let id = try context.parameters.require("id")
        _ = try await studio.librarySession.use()
        await orders.drop(id)
        streamed.stop(id)
        return .noContent
    }

    func fetch(_ request: Request, _ context: WebRequestContext) async throws -> Response {
        let open = try await studio.librarySession.use()
        do {
            return try await answer(from: open, on: context)
        } catch {
            // Reading from a library that was closed meanwhile fails with various errors.
            throw open.end.isSet ? VaultError.locked : error
        }
    }

    private func answer(from open: OpenLibrary, on context: WebRequestContext) async throws -> Response {
        let id = try context.parameters.require("id")
        streamed.expect(id)
        switch try await orders.take(id) {
        case .recordings(let order):
            guard let joined = order.joined else { return recordings(order, by: id, of: open, on: context) }
            let items = try await allItems(order.ids, in: open.library)
            // A sound that is missing is refused in words: an answer that has begun can only break off.
            if !order.format.isBook { _ = try await JoinedRecordings(items, in: open.library.audio) }
            return joinedDownload(items, order, joined, by: id, of: open, on: context)
        case .documents(let ids): return documents(ids, by: id, of: open, on: context)
        case .files(let ids): return files(ids, by: id, of: open, on: context)
        case .everything(let format, _): return everything(by: id, as: format, of: open, on: context)
        case .backup: return backup(by: id, until: open.end, on: context)
        }
    }

    private func recordings(
        _ order: RecordingsOrder,
        by id: String,
        of open: OpenLibrary,
        on context: WebRequestContext
    ) -> Response {
        let maker = DownloadMaker(library: open.library, sounds: studio.sounds, writing: order.writing)
        return streamed.zip(id, called: "EchoText.zip", until: open.end, on: context) { zip, progress in
            var names = FileNames()
            var (items, unreadable) = ([AudioItem](), [(AudioItem.ID, VaultError)]())
            for id in order.ids {
                do {
                    if let item = try await open.library.audio.item(id) { items.append(item) }
                } catch let error as VaultError where error.isOfOnePart {
                    unreadable.append((id, error))
                }
            }
            let unread = Set(unreadable.map(\.0))
            var leftOut = LeftOut(of: order.ids.filter { !unread.contains($0) }, except: items)
            for (id, error) in unreadable { leftOut.add(id.rawValue, since: error) }
            for (index, item) in items.enumerated() {
                progress.report(index, of: items.count)
                let stem = names.name(for: item.name.text)
                let noting = maker.noting(Latch())
                do {
                    for format in [order.format] + order.beside {
                        let name = "\(stem).\(format.fileExtension)"
                        do {
                            try await zip.add(name, made: item.created, try await noting.make(item, format))
                        } catch let error as VaultError where error.isOfOnePart {
                            leftOut.add(item.id.rawValue, called: name, since: error)
                        }
                    }
                } catch LibraryError.itemNotFound {
                    // It was deleted while others were made.
                    leftOut.add(item.id.rawValue, called: item.name.text)
                }
                if noting.damage.isSet {
                    progress.damage.set()
                    leftOut.noteDamagedDocument(of: "\(stem).\(order.format.fileExtension)")
                }
            }
            return try await leftOut.note(in: zip, &names)
        }
    }

    /// The ordered recordings that still exist: a deleted one has nothing to send.
    private func items(_ ids: [AudioItem.ID], in library: Library) async throws -> [AudioItem] {
        var items: [AudioItem] = []
        for id in ids {
            if let item = try await library.audio.item(id) { items.append(item) }
        }
        return items
    }

    /// All ordered recordings: a joined file must be complete.
    ///
    /// - Returns: At least one recording.
    /// - Throws: ``LibraryError/itemNotFound`` when one does not exist.
    private func allItems(_ ids: [AudioItem.ID], in library: Library) async throws -> [AudioItem] {
        let items = try await items(ids, in: library)
        guard !items.isEmpty, items.count == ids.count else { throw LibraryError.itemNotFound }
        return items
    }

    /// Sends the recordings as one sound, which is made before any of it is sent; with texts, as a ZIP archive.
    private func joinedDownload(
        _ items: [AudioItem],
        _ order: RecordingsOrder,
        _ joined: JoinedExport,
        by id: String,
        of open: OpenLibrary,
        on context: WebRequestContext
    ) -> Response {
        let maker = DownloadMaker(library: open.library, sounds: studio.sounds, writing: order.writing)
        var names = FileNames()
        let stem = names.name(for: (joined.title ?? items[0].name).text)
        if order.beside.isEmpty {
            let name = "\(stem).\(order.format.fileExtension)"
            return streamed.response(id, called: name, order.format.type, until: open.end, on: context) {
                pieces,
                progress in
                let noting = maker.noting(progress.damage)
                let file = StreamedFile(to: pieces)
                if order.format.isBook {
                    try await noting.write(items[0], order.format, to: file) { progress.report($0, of: $1) }
                } else {
                    try await file.take(noting.make(items, order.format, joined) { progress.report($0) })
                }
                return 0
            }
        }
        return streamed.zip(id, called: "EchoText.zip", until: open.end, on: context) { zip, progress in
            let noting = maker.noting(progress.damage)
            for format in [order.format] + order.beside {
                let bytes = try await noting.make(items, format, joined) { progress.report($0) }
                try await zip.add("\(stem).\(format.fileExtension)", bytes)
            }
            return 0
        }
    }

    /// Writes the files of documents; unreadable and deleted ones are left out.
    private func documents(
        _ ids: [Document.ID],
        by order: String,
        of open: OpenLibrary,
        on context: WebRequestContext
    ) -> Response {
        let library = open.library.documents
        return streamed.zip(order, called: "EchoText documents.zip", until: open.end, on: context) { zip, progress in
            var names = FileNames()
            var leftOut = LeftOut()
            for (index, id) in ids.enumerated() {
                progress.report(index, of: ids.count)
                guard let document = try await library.document(id) else {
                    leftOut.add(id.rawValue)
                    continue
                }
                let stem = (document.fileName as NSString).deletingPathExtension
                let name = names.name(for: stem, fileExtension: document.kind.fileExtension)
                do {
                    try await zip.add(name, made: document.added, try await library.original(of: id))
                } catch let error as VaultError where error.isOfOnePart {
                    leftOut.add(id.rawValue, called: document.fileName, since: error)
                }
            }
            return try await leftOut.note(in: zip, &names)
        }
    }

    /// Writes the files that recordings were imported from; damaged ones are left out.
    private func files(
        _ ids: [AudioItem.ID],
        by order: String,
        of open: OpenLibrary,
        on context: WebRequestContext
    ) -> Response {
        let library = open.library
        return streamed.zip(order, called: "EchoText files.zip", until: open.end, on: context) { zip, progress in
            var names = FileNames()
            let items = try await items(ids, in: library).filter(\.hasFile)
            // When it was ordered, each had a file.
            var leftOut = LeftOut(of: ids, except: items)
            for (index, item) in items.enumerated() {
                progress.report(index, of: items.count)
                do {
                    let file = try await library.audio.file(of: item.id)
                    let name = item.fileName as NSString
                    let unused = names.name(for: name.deletingPathExtension, fileExtension: name.pathExtension)
                    try await zip.add(unused, made: item.created, file)
                } catch LibraryError.fileNotKept, LibraryError.itemNotFound {
                    // It was deleted since it was ordered.
                    leftOut.add(item.id.rawValue, called: item.fileName)
                } catch let error as VaultError where error.isOfOnePart {
                    leftOut.add(item.id.rawValue, called: item.fileName, since: error)
                }
            }
            return try await leftOut.note(in: zip, &names)
        }
    }

    /// Writes each recording's sound, text and timings, and the tables.
    private func everything(
        by order: String,
        as format: ExportFormat,
        of open: OpenLibrary,
        on context: WebRequestContext
    ) -> Response {
        let sounds = studio.sounds
        return streamed.zip(order, called: "EchoText library.zip", until: open.end, on: context) { zip, progress in
            let archive = LibraryArchive(of: open.library, to: ZipFolder(zip, sounds: sounds), by: sounds)
            let contents = try await archive.write(into: "EchoText", as: format, at: Date()) {
                progress.report($0, of: $1)
            }
            return contents.missing
        }
    }

    private func backup(by order: String, until end: Latch, on context: WebRequestContext) -> Response {
        let vault = studio.librarySession.vault
        return streamed.response(order, called: "EchoText-backup.tar", "application/x-tar", until: end, on: context) {
            pieces,
            _ in
            let file = StreamedFile(to: pieces)
            let missing = try await vault.backUp(to: file)
            try await file.finish()
            return missing
        }
    }
}

/// The ordered entries that are not in an archive, or not whole: the archive lists them, since who fetches it without the page
/// hears no event.
private struct LeftOut {
    private var ids: Set<String> = []
    /// For each file its ID, behind its name where that is known, and the reason where it is damaged.
    private var entries: [String] = []
    private var incomplete: [String] = []

    init() {}

    init(of ids: [AudioItem.ID], except items: [AudioItem]) {
        let present = Set(items.map(\.id))
        for id in ids where !present.contains(id) { add(id.rawValue) }
    }

    /// - Parameters:
    ///   - id: Whose file is left out.
    ///   - name: The name of it.
    ///   - error: Why it cannot be read; `nil` where it was deleted.
    mutating func add(_ id: String, called name: String? = nil, since error: VaultError? = nil) {
        ids.insert(id)
        let entry = name.map { "\($0) (\(id))" } ?? id
        entries.append(entry + (error.map { ": \($0.failure.message)" } ?? ""))
    }

    /// Notes a file without the cover or the chapters of its document.
    mutating func noteDamagedDocument(of name: String) { incomplete.append(name) }

    /// Adds a text file with the lists, if there is any entry.
    ///
    /// - Returns: How many of what was ordered are left out, as a whole or in part.
    func note(in zip: ZipArchive, _ names: inout FileNames) async throws -> Int {
        let lists = [
            ("Not in this archive, since each was deleted after it was ordered, or is damaged:", entries),
            ("Without their document's cover or chapters, which are damaged:", incomplete),
        ]
        let text = lists.filter { !$0.1.isEmpty }
            .map { head, lines in ([head, ""] + lines).map { "\($0)\n" }.joined() }
            .joined(separator: "\n")
        guard !text.isEmpty else { return 0 }
        try await zip.add(names.name(for: "Left out", fileExtension: "txt"), text)
        return ids.count
    }
}
