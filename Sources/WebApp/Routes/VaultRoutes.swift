import API
import EchoText
import Foundation
import Hummingbird

/// `/api/state` and all that opens and closes the vault; these answer while it is locked.
struct VaultRoutes: Sendable {
    let studio: WebStudio
    let sessions: SessionStore

    private var vault: any VaultControl { studio.librarySession.vault }

    func add(to group: RouterGroup<StudioContext>) {
        group.get("state", use: state)
            .post("unlock", use: unlock)
            .post("lock", use: lock)
            .post("recover", use: recover)
            .post("recovery-code/propose", use: propose)
            .put("recovery-code", use: renew)
            .get("recovery-reminder", use: remind)
            .put("passcode", use: setPasscode)
            .post("passcode/remove", use: removePasscode)
            .post("erase", use: erase)
    }

    func state(_ request: Request, _ context: StudioContext) async throws -> StateResponse {
        let status = try await studio.librarySession.status()
        switch status.state {
        case .unlocked, .uninitialised, .readOnly:
            // Another process may have unlocked it; operations that need the library report why it does not open.
            try? await studio.librarySession.open()
        default: break
        }
        var state = try await answer()
        state.proofKey = sessions.proofKey
        return state
    }

    private func answer() async throws -> StateResponse {
        StateResponse(vault: .init(try await studio.librarySession.status()), version: studio.version)
    }

    /// The response to a change of the passcode or the recovery code, which ends all other sessions.
    private func answerAlone(to request: Request) async throws -> EditedResponse<StateResponse> {
        let token = await sessions.renew(request.session)
        return EditedResponse(headers: [.setCookie: SessionCookie.field(token)], response: try await answer())
    }

    struct Unlocking: Decodable {
        let passcode: String
    }

    func unlock(_ request: Request, _ context: StudioContext) async throws -> StateResponse {
        let body = try await request.decode(as: Unlocking.self, context: context)
        try await vault.unlock(with: body.passcode)
        try await studio.librarySession.open()
        return try await answer()
    }

    func lock(_ request: Request, _ context: StudioContext) async throws -> StateResponse {
        try await studio.librarySession.lock()
        return try await answer()
    }

    struct Recovery: Decodable {
        let code: String
        let newPasscode: String?
    }

    func recover(_ request: Request, _ context: StudioContext) async throws -> EditedResponse<StateResponse> {
        let body = try await request.decode(as: Recovery.self, context: context)
        try await studio.librarySession.close {
            try await vault.recover(with: body.code, newPasscode: body.newPasscode)
            if let passcode = body.newPasscode { try await vault.unlock(with: passcode) }
        }
        // The state says whether it is open.
        try? await studio.librarySession.open()
        return try await answerAlone(to: request)
    }

    struct Code: ResponseEncodable {
        let code: String
    }

    struct Proposal: Decodable {
        let passcode: String?
    }

    /// The recovery code opens the library without the passcode, so the passcode is needed again.
    func propose(_ request: Request, _ context: StudioContext) async throws -> Code {
        let body = try await request.decode(as: Proposal.self, context: context)
        _ = try await studio.librarySession.enter()
        try await vault.verify(body.passcode)
        return Code(code: try await vault.proposeRecoveryCode())
    }

    struct Renewal: Decodable {
        let code: String
        let passcode: String?
    }

    func renew(_ request: Request, _ context: StudioContext) async throws -> StateResponse {
        let body = try await request.decode(as: Renewal.self, context: context)
        try await vault.renewRecoveryCode(body.code, passcode: body.passcode)
        return try await answer()
    }

    struct Reminder: ResponseEncodable {
        let isDue: Bool
    }

    /// The page that shows the reminder turns the setting off as soon as somebody can have seen it.
    func remind(_ request: Request, _ context: StudioContext) async throws -> Reminder {
        let library = try await studio.librarySession.admit().library
        return Reminder(isDue: try await RecoveryReminder.isDue(in: library, try await vault.status()))
    }

    struct PasscodeChange: Decodable {
        let new: String
        let current: String?
        let recoveryCode: String?
    }

    func setPasscode(_ request: Request, _ context: StudioContext) async throws -> EditedResponse<StateResponse> {
        let body = try await request.decode(as: PasscodeChange.self, context: context)
        if let current = body.current {
            try await vault.changePasscode(from: current, to: body.new)
            return try await answerAlone(to: request)
        }
        guard let typed = body.recoveryCode else { throw VaultError.recoveryCodeNotConfirmed }
        try await vault.setPasscode(body.new, confirmedBy: typed)
        // The person has just chosen it, and need not type it again.
        try await studio.librarySession.reopen { try await vault.unlock(with: body.new) }
        return try await answerAlone(to: request)
    }

    struct Removal: Decodable {
        let current: String
    }

    func removePasscode(_ request: Request, _ context: StudioContext) async throws -> EditedResponse<StateResponse> {
        let body = try await request.decode(as: Removal.self, context: context)
        // A wrong passcode is rejected before other users of the library are interrupted.
        try await vault.verify(body.current)
        try await studio.librarySession.reopen { try await vault.removePasscode(body.current) }
        return try await answerAlone(to: request)
    }

    struct Erasure: Decodable {
        let confirm: String
        let passcode: String?
    }

    func erase(_ request: Request, _ context: StudioContext) async throws -> Response {
        let body = try await request.decode(as: Erasure.self, context: context)
        guard body.confirm == "erase everything" else {
            throw WebError.badRequest(what: "“confirm” says “erase everything”")
        }
        // A wrong passcode is rejected before other users of the library are interrupted.
        try await vault.verify(body.passcode)
        // A caller that opened it meanwhile would use a deleted library.
        try await studio.librarySession.close { try await vault.eraseEverything(passcode: body.passcode) }
        // The library is erased even if this fails; the records contain only servers and times.
        try? await studio.outbound?.eraseNotes()
        await studio.events.post(.vault)
        let token = await sessions.renew(request.session)
        return Response(status: .noContent, headers: [.setCookie: SessionCookie.field(token)])
    }
}
