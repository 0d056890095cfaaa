import API
import EchoText
import Foundation
import Hummingbird
import Synchronization

/// `/api/state` and all that opens and closes the vault; these answer while it is locked.
struct VaultRoutes: Sendable {
    let studio: WebStudio
    let sessions: SessionStore

    private var vault: any VaultControl { studio.librarySession.vault }

    func add(to group: RouterGroup<WebRequestContext>) {
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

    func addOfOpenLibrary(to group: RouterGroup<WebRequestContext>) {
        group.post("older/seen", use: noteOlderSeen)
    }

    func state(_ request: Request, _ context: WebRequestContext) async throws -> StateResponse {
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

    private func answer() async throws -> StateResponse { try await StateResponse(of: studio) }

    /// The pages that are open elsewhere take the notice away too.
    func noteOlderSeen(_ request: Request, _ context: WebRequestContext) async throws -> StateResponse {
        await vault.noteOlderSeen()
        await studio.events.post(.vault)
        return try await answer()
    }

    /// The response to a change of the passcode or the recovery code, which ends all other sessions.
    private func answerAlone(to request: Request) async throws -> EditedResponse<StateResponse> {
        let token = await sessions.renew(request.session)
        return EditedResponse(headers: [.setCookie: SessionCookie.field(token)], response: try await answer())
    }

    struct Unlocking: Decodable {
        let passcode: String
    }

    func unlock(_ request: Request, _ context: WebRequestContext) async throws -> StateResponse {
        let body = try await request.decode(as: Unlocking.self, context: context)
        try await vault.unlock(with: body.passcode)
        try await studio.librarySession.open()
        return try await answer()
    }

    func lock(_ request: Request, _ context: WebRequestContext) async throws -> StateResponse {
        try await studio.librarySession.lock()
        return try await answer()
    }

    struct Recovery: Decodable {
        let code: String
        let newPasscode: String?
    }

    func recover(_ request: Request, _ context: WebRequestContext) async throws -> EditedResponse<StateResponse> {
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
    func propose(_ request: Request, _ context: WebRequestContext) async throws -> Code {
        let body = try await request.decode(as: Proposal.self, context: context)
        _ = try await studio.librarySession.use()
        try await vault.verify(body.passcode)
        return Code(code: try await vault.proposeRecoveryCode())
    }

    struct Renewal: Decodable {
        let code: String
        let passcode: String?
    }

    func renew(_ request: Request, _ context: WebRequestContext) async throws -> StateResponse {
        let body = try await request.decode(as: Renewal.self, context: context)
        try await vault.renewRecoveryCode(body.code, passcode: body.passcode)
        return try await answer()
    }

    struct Reminder: ResponseEncodable {
        let isDue: Bool
    }

    /// The page that shows the reminder turns the setting off as soon as somebody can have seen it.
    func remind(_ request: Request, _ context: WebRequestContext) async throws -> Reminder {
        let library = try await studio.librarySession.useInBackground().library
        return Reminder(isDue: try await RecoveryReminder.isDue(in: library, try await vault.status()))
    }

    struct PasscodeChange: Decodable {
        let new: String
        let current: String?
        let recoveryCode: String?
    }

    func setPasscode(_ request: Request, _ context: WebRequestContext) async throws -> EditedResponse<StateResponse> {
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

    func removePasscode(_ request: Request, _ context: WebRequestContext) async throws -> EditedResponse<StateResponse>
    {
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

    func erase(_ request: Request, _ context: WebRequestContext) async throws -> Response {
        let body = try await request.decode(as: Erasure.self, context: context)
        guard body.confirm == "erase everything" else {
            throw WebError.badRequest(what: "“confirm” says “erase everything”")
        }
        // A wrong passcode is rejected before other users of the library are interrupted.
        try await vault.verify(body.passcode)
        let stays: VaultError?
        do {
            try await studio.librarySession.erase(passcode: body.passcode)
            stays = nil
        } catch VaultError.erasedFilesStay {
            stays = .erasedFilesStay
        }
        // The library is erased even if this fails; the records contain only servers and times.
        try? await studio.outbound?.eraseNotes()
        await studio.events.post(.vault)
        let token = await sessions.renew(request.session)
        var response = Response(status: .noContent)
        if let stays { response = try FailureResponse.answer(to: request, with: stays.failure, context: context) }
        // Recorded sound that waits in the browser would become a recording of the next library.
        response.headers[.clearSiteData] = "\"storage\""
        response.headers[.setCookie] = SessionCookie.field(token)
        return response
    }
}

/// `/api/vault/check`: looks for damage while the client waits, and says how far it is.
///
/// The answer is a stream, because a browser gives up on one that does not begin within minutes.
struct VaultCheckRoute: Sendable {
    let studio: WebStudio
    private let turns = CheckTurns()

    func add(to group: RouterGroup<WebRequestContext>) {
        group.post("vault/check", use: check)
    }

    struct CheckBody: Decodable {
        /// Whether every byte of every sealed file is read too.
        let readData: Bool?
        let repair: Bool?
    }

    /// A line of the answer: how much is done, or at last the report or why there is none.
    private struct Line: Encodable {
        var percent: Int?
        var report: VaultReportResponse?
        var failure: FailureResponse?

        var bytes: ByteBuffer {
            get throws { ByteBuffer(bytes: try JSONEncoder.page.encode(self) + Data("\n".utf8)) }
        }
    }

    func check(_ request: Request, _ context: WebRequestContext) async throws -> Response {
        let order = try await request.decode(as: CheckBody.self, context: context)
        let end = try await studio.librarySession.use().end
        let turn = try turns.take()
        let body = ResponseBody { writer in
            let progress = DownloadProgress()
            let checking = Task {
                defer {
                    turn.end()
                    progress.end()
                }
                return try await context.whileWaitedFor(on: studio.connections) {
                    try await studio.librarySession.keepingOpen { _ in try await checked(order, progress) }
                }
            }
            let locking = Task {
                await end.wait()
                checking.cancel()
            }
            defer {
                checking.cancel()
                locking.cancel()
            }
            for await percent in progress.percents { try await writer.write(try Line(percent: percent).bytes) }
            switch await checking.result {
            case .success(let report):
                if !report.repairs.isEmpty { await studio.events.post(.changedByOthers) }
                try await writer.write(try Line(report: VaultReportResponse(report)).bytes)
            case .failure(let error):
                // The connection of a client that does not get the reason is cut.
                if error is CancellationError { throw error }
                try await writer.write(try Line(failure: FailureResponse(Failure(error))).bytes)
            }
            try await writer.finish(nil)
        }
        return Response(status: .ok, headers: [.contentType: "application/x-ndjson"], body: body)
    }

    /// It runs outside the actor of the library session, since it takes long.
    @concurrent
    private func checked(_ order: CheckBody, _ progress: DownloadProgress) async throws -> VaultReport {
        let (readsData, repairs) = (order.readData ?? false, order.repair ?? false)
        return try await studio.librarySession.vault.check(readsData: readsData, repairs: repairs) {
            progress.report($0, of: $1)
        }
    }
}

/// Lets one check run at a time.
private final class CheckTurns: Sendable {
    private let isTaken = Mutex(false)

    /// - Throws: ``VaultError/checkInProgress`` until the turn before has ended.
    func take() throws(VaultError) -> Turn {
        let wasTaken = isTaken.withLock { isTaken in
            defer { isTaken = true }
            return isTaken
        }
        guard !wasTaken else { throw .checkInProgress }
        return Turn(of: self)
    }

    /// A turn, which ends at the latest when nothing refers to it: an answer may never be asked for.
    final class Turn: Sendable {
        private let turns: CheckTurns
        private let isOver = Mutex(false)

        init(of turns: CheckTurns) {
            self.turns = turns
        }

        deinit { end() }

        func end() {
            let wasOver = isOver.withLock { isOver in
                defer { isOver = true }
                return isOver
            }
            if !wasOver { turns.isTaken.withLock { $0 = false } }
        }
    }
}

/// The facts that the page gets before anything is unlocked.
struct StateResponse: ResponseEncodable {
    let vault: VaultStatusResponse
    let version: String
    /// The key with which the page checks proofs of `/api/proof`; only in the answer to `/api/state`.
    var proofKey: String?
    /// Whether the open library is an older copy than this machine used last, and nobody has seen that on a page.
    let isOlder: Bool
    var wordLimit = 10_000
    var speedRange = [Prosody.speedRange.lowerBound, Prosody.speedRange.upperBound]
    var pitchRange = [Prosody.pitchRange.lowerBound, Prosody.pitchRange.upperBound]
    var chanceRange = [Prosody.chanceRange.lowerBound, Prosody.chanceRange.upperBound]

    init(of studio: WebStudio) async throws {
        vault = VaultStatusResponse(try await studio.librarySession.status())
        version = studio.version
        isOlder = await studio.librarySession.vault.isOlderUnseen()
    }
}
