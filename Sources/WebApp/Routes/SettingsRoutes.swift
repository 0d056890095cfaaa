import API
import EchoText
import Foundation
import Hummingbird

/// `/api/settings`, the dictionary among them, and `/api/diagnostics`.
struct SettingsRoutes: Sendable {
    let studio: WebStudio

    func add(to group: RouterGroup<WebRequestContext>) {
        group.get("settings", use: list)
            .delete("settings", use: reset)
            .put("settings/:name", use: change)
            .delete("settings/:name", use: restore)
            .get("dictionary", use: dictionary)
            .put("dictionary", use: setDictionary)
            .get("diagnostics", use: diagnostics)
    }

    func list(_ request: Request, _ context: WebRequestContext) async throws -> [SettingResponse] {
        let stored = try await studio.librarySession.use().library.settings.stored()
        return SettingsCatalogue.all.map { SettingResponse($0, stored: stored) }
    }

    func reset(_ request: Request, _ context: WebRequestContext) async throws -> HTTPResponse.Status {
        let open = try await studio.librarySession.use()
        try await open.library.settings.reset()
        await report(changeIn: open)
        return .noContent
    }

    struct Value: Decodable {
        let value: String
    }

    func change(_ request: Request, _ context: WebRequestContext) async throws -> SettingResponse {
        let body = try await request.decode(as: Value.self, context: context)
        return try await store(body.value, for: try context.parameters.require("name"))
    }

    func restore(_ request: Request, _ context: WebRequestContext) async throws -> SettingResponse {
        try await store(nil, for: try context.parameters.require("name"))
    }

    private func store(_ value: String?, for name: String) async throws -> SettingResponse {
        guard let setting = try? SettingsCatalogue.setting(called: name) else { throw WebError.notFound }
        let open = try await studio.librarySession.use()
        try await open.library.settings.store(value, for: setting.name)
        await report(changeIn: open)
        return SettingResponse(setting, stored: try await open.library.settings.stored())
    }

    /// Reports a change to whoever follows the studio's events, and to what is being done.
    private func report(changeIn open: OpenLibrary) async {
        await open.adaptToSettings()
        await studio.events.post(.settings)
    }

    func dictionary(_ request: Request, _ context: WebRequestContext) async throws -> TextResponse {
        let settings = try await studio.librarySession.use().library.settings
        return TextResponse(text: try await settings.dictionary() ?? "")
    }

    struct NewDictionary: Decodable {
        let text: String
        /// The dictionary that it was made from; `nil` replaces whatever is there.
        let base: String?
    }

    func setDictionary(_ request: Request, _ context: WebRequestContext) async throws -> TextResponse {
        let body = try await request.decode(as: NewDictionary.self, context: context)
        // This names the line with the error; the setting itself reports only that there is one.
        _ = try PronunciationDictionary(parsing: body.text)
        let setting = SettingsCatalogue.dictionary
        if let base = body.base {
            let open = try await studio.librarySession.use()
            let settings = open.library.settings
            let stored = try await settings.stored()
            guard stored[setting.name] ?? setting.standard == base,
                try await settings.store(body.text, for: setting.name, insteadOf: stored[setting.name])
            else { throw LibraryError.settingChanged }
            await report(changeIn: open)
        } else {
            _ = try await store(body.text, for: setting.name)
        }
        return TextResponse(text: body.text)
    }

    func diagnostics(_ request: Request, _ context: WebRequestContext) async throws -> TextResponse {
        TextResponse(text: await studio.diagnostics())
    }
}

struct TextResponse: ResponseCodable {
    let text: String
}
