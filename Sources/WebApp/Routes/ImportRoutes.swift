import API
package import EchoText
import Foundation
import Hummingbird

/// `/api/library/imports`: sound files that become recordings.
struct ImportRoutes: Sendable {
    let studio: WebStudio
    private let imports = ImportGate()
    /// No file has more sound tracks.
    private static let highestTrack = 65_535

    init(studio: WebStudio) {
        self.studio = studio
    }

    func add(to group: RouterGroup<StudioContext>) {
        group.post("library/imports", use: add)
    }

    /// Imports a file, whose bytes are the body, for as long as the client waits; one that was imported before is refused
    /// unless `twin` says otherwise.
    func add(_ request: Request, _ context: StudioContext) async throws -> EditedResponse<SoundImportResponse> {
        let fileName = (request.text("name") ?? "").split(separator: "/").last.map(String.init) ?? ""
        let options = SoundImport.Options(
            name: try request.text("title").map { try ItemName($0) },
            language: try request.languageTag,
            keepsPart: try request.flag("keepPart") ?? false,
            track: try request.integer("track", in: 1...Self.highestTrack),
            twin: try request.choice("twin") ?? .refuse
        )
        let outcome: SoundImport.Outcome = try await SentFileFailure.naming(fileName) {
            let largest = SoundImport.largestFile
            if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > largest {
                throw SoundImportError.tooLarge(limit: largest)
            }
            return try await context.whileWaitedFor(on: studio.connections) {
                try await studio.librarySession.keepingOpen { open in
                    try await imports.pass {
                        try await take(request.body, called: fileName, options, into: open)
                    }
                }
            }
        }
        return EditedResponse(status: outcome.isReused ? .ok : .created, response: SoundImportResponse(outcome))
    }

    private func take(
        _ body: RequestBody,
        called fileName: String,
        _ options: SoundImport.Options,
        into open: OpenStudio
    ) async throws -> SoundImport.Outcome {
        let file = try SealedUpload(in: studio.soundImports.folder)
        var count = 0
        for try await buffer in body {
            count += buffer.readableBytes
            guard count <= SoundImport.largestFile else {
                throw SoundImportError.tooLarge(limit: SoundImport.largestFile)
            }
            if let free = studio.soundImports.freeSpace(), free < SoundImport.reserve(beside: Int64(count)) {
                throw SoundImportError.noRoom
            }
            try await file.append(Data(buffer.readableBytesView))
        }
        try await file.finish()
        let importer = SoundImport(
            into: open.library.recordings,
            by: studio.soundImports.decoder,
            freeSpace: studio.soundImports.freeSpace
        )
        var options = options
        options.largestKept = try await open.library.settings.largestKeptFile()
        let outcome = try await importer.add(file, called: fileName, options)
        guard !outcome.isReused else { return outcome }
        await studio.events.post(.library(added: [outcome.item.id]))
        await open.live.take(imported: outcome.item)
        return outcome
    }
}

/// The parts of the program with which sound files are imported.
package struct SoundImports: Sendable {
    package let decoder: any SoundFileDecoder
    /// The absolute path of the folder on whose disk files are stored while they are read.
    package let folder: String
    /// Returns the bytes that can still be written on that disk; `nil` if unknown.
    package let freeSpace: @Sendable () -> Int64?

    package init(
        decoder: any SoundFileDecoder,
        folder: String,
        freeSpace: @escaping @Sendable () -> Int64? = { nil }
    ) {
        (self.decoder, self.folder, self.freeSpace) = (decoder, folder, freeSpace)
    }
}

extension Request {
    /// The language of the query, in canonical case.
    ///
    /// - Throws: ``WebError/badRequest(what:)``.
    fileprivate var languageTag: String? {
        get throws {
            try text("language").map(LanguageTag.asked)
        }
    }
}
