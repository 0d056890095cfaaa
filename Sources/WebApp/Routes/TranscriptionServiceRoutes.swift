import API
import EchoText
import Foundation
import Hummingbird

/// `/api/transcription-services`: services elsewhere that transcribe, and `/api/outbound/records`: the list of connections.
struct TranscriptionServiceRoutes: Sendable {
    let studio: WebStudio

    /// How many connections are listed.
    private static let maximumRecords = 500

    func add(to group: RouterGroup<StudioContext>) {
        group.get("transcription-services", use: list)
            .get("transcription-services/:name", use: show)
            .put("transcription-services/:name", use: save)
            .delete("transcription-services/:name", use: delete)
            .post("transcription-services/:name/try", use: attempt)
            .get("outbound/records", use: records)
    }

    private func services() async throws -> any TranscriptionServices {
        try await studio.librarySession.enter().library.services
    }

    /// - Throws: ``TranscriptionServiceError/notFound``, also for an invalid name.
    private func service(_ context: StudioContext) async throws -> TranscriptionService {
        guard let name = try? ServiceName(try context.parameters.require("name")) else {
            throw TranscriptionServiceError.notFound
        }
        return try await services().service(name)
    }

    struct ServicesResponse: ResponseEncodable {
        let services: [TranscriptionServiceResponse]
    }

    func list(_ request: Request, _ context: StudioContext) async throws -> ServicesResponse {
        ServicesResponse(services: try await services().services().map(TranscriptionServiceResponse.init))
    }

    func show(_ request: Request, _ context: StudioContext) async throws -> TranscriptionServiceResponse {
        TranscriptionServiceResponse(try await service(context))
    }

    struct Values: Decodable {
        let address: String
        let allowsPlain: Bool?
        let model: String
        let language: String?
        let prompt: String?
        /// Empty for none; if absent, the present key stays as long as the server does.
        let key: String?

        /// - Throws: ``TranscriptionServiceError``.
        func service(_ name: ServiceName, before: TranscriptionService?) throws -> TranscriptionService {
            let address = try ServiceAddress(address, allowsPlain: allowsPlain ?? false)
            // A key is for the server that it was entered for.
            let present = before?.address.sendsKeysTo(address) == true ? before?.key : nil
            let key: ServiceKey? = if let key { key.isEmpty ? nil : try ServiceKey(key) } else { present }
            return try TranscriptionService(
                name: name,
                address: address,
                model: model,
                language: language,
                prompt: prompt,
                key: key
            )
        }
    }

    func save(_ request: Request, _ context: StudioContext) async throws -> TranscriptionServiceResponse {
        let name = try ServiceName(try context.parameters.require("name"))
        let body = try await request.decode(as: Values.self, context: context)
        let services = try await services()
        let before = try await services.services().first { $0.name == name }
        let service = try body.service(name, before: before)
        try await services.save(service)
        await studio.events.post(.settings)
        return TranscriptionServiceResponse(service)
    }

    func delete(_ request: Request, _ context: StudioContext) async throws -> HTTPResponse.Status {
        try await services().delete(try await service(context).name)
        await studio.events.post(.settings)
        return .noContent
    }

    /// The request is the person's permission: the page has shown the destination and size of the audio.
    func attempt(_ request: Request, _ context: StudioContext) async throws -> ServiceTrialResponse {
        let service = try await service(context)
        let heard = try await SendingPermission(confirmed: ServiceTrial.sending(to: service)).use {
            try await studio.tryService(service)
        }
        return ServiceTrialResponse(text: heard.text)
    }

    struct RecordsResponse: ResponseEncodable {
        let records: [OutboundRecordResponse]
    }

    func records(_ request: Request, _ context: StudioContext) async throws -> RecordsResponse {
        let library = try await studio.librarySession.enter().library
        let ledger: any OutboundLedger = studio.outbound ?? library.outbound
        return RecordsResponse(
            records: try await ledger.records(limit: Self.maximumRecords).map(OutboundRecordResponse.init)
        )
    }
}
