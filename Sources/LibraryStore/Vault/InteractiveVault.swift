package import EchoText
import FileSystem

/// A library's vault for a person at a screen, who types secrets as text and types the recovery code back.
package actor InteractiveVault: VaultControl {
    private let vault: LibraryVault
    private let report: (@Sendable (VaultFinding) -> Void)?
    /// The recovery code that was shown and not typed back yet.
    private var proposed: RecoveryCode?
    private var isAttempting = false
    /// Whether this machine alone opened the library: then no agent reports a lock.
    private var isLentByDevice = true
    /// The stamp of the slots at the last check that allowed to stay in.
    private var slots: FileStamp?
    /// The database of the library that was opened last.
    private var database: FileIdentity?
    /// The open library where it is an older copy than this machine used last, until the person has seen that on a page.
    private weak var older: OpenVault?

    /// - Parameters:
    ///   - vault: Opens and locks the library.
    ///   - report: As of ``LibraryVault/use(reporting:_:)``, but until ``noteOlderSeen()`` at every opening.
    package init(_ vault: LibraryVault, reporting report: (@Sendable (VaultFinding) -> Void)? = nil) {
        (self.vault, self.report) = (vault, report)
    }

    package func status() async throws -> VaultStatus { try await vault.status() }

    package nonisolated func withLibrary(_ work: @escaping @Sendable (Library) async throws -> Void) async throws {
        await noteUnlockMethod()
        // A library that is replaced while it is opened is left for the one in its place.
        for _ in 0..<Self.openings {
            if try await vault.useOpen({ try await self.perform(work, in: $0) }) { return }
        }
        throw VaultError.inUse
    }

    /// How often a library is opened that is replaced meanwhile each time.
    private static let openings = 3

    /// Does `work`, unless another library replaced `open` while it was opened.
    ///
    /// - Returns: Whether it was done.
    /// - Throws: What `work` throws.
    nonisolated func perform(
        _ work: @Sendable (Library) async throws -> Void,
        in open: OpenVault
    ) async throws -> Bool {
        guard !open.isReplaced else { return false }
        await note(open)
        // It counts as seen on a page only: a terminal may be behind it.
        if open.isOlderThanSeen { report?(VaultFinding(.olderThanThisMachineRemembers)) }
        try await work(open.library)
        return true
    }

    private func note(_ open: OpenVault) {
        database = open.file
        older = open.isOlderThanSeen ? open : nil
    }

    package func isOlderUnseen() -> Bool { older != nil }

    package func noteOlderSeen() {
        older?.reportAge { _ in }
        older = nil
    }

    private func noteUnlockMethod() async {
        let protection = try? await vault.status().protection
        isLentByDevice = protection == nil || protection == .device
    }

    package func isStillOpen() async -> Bool {
        // Where a backup was put in its place, what is kept now would go into the library that was moved away.
        if let database, let present = vault.places.folder.presentDatabase, present != database { return false }
        guard isLentByDevice else { return true }
        let stamp = vault.slotsStamp
        if stamp == nil, await isErased() { return false }
        // Unreadable slots are being written, and are checked again the next time.
        guard stamp != slots, let status = try? await vault.status() else { return true }
        guard status.protection == nil || status.protection == .device else { return false }
        slots = stamp
        return true
    }

    package func isErased() async -> Bool { await vault.isErased() }

    package func unlock(with passcode: String) async throws {
        let passcode = try Passcode(typed: passcode)
        try await attempt { try await $0.unlock(with: passcode) }
    }

    /// Checks one secret at a time, since each check takes a second and much memory.
    ///
    /// - Throws: ``VaultError/attemptInProgress`` while another one is being checked.
    private func attempt(_ work: @Sendable (LibraryVault) async throws -> Void) async throws {
        guard !isAttempting else { throw VaultError.attemptInProgress }
        isAttempting = true
        defer { isAttempting = false }
        try await work(vault)
    }

    package func lock() async throws {
        _ = try await vault.lock()
    }

    // MARK: - Passcode

    package func proposeRecoveryCode() throws -> String {
        let code = vault.proposeRecoveryCode()
        proposed = code
        return try code.revealed()
    }

    package func setPasscode(_ passcode: String, confirmedBy typed: String) async throws {
        let code = try confirmed(typed)
        try await vault.setPasscode(try chosen(passcode), recoveryCode: code)
        proposed = nil
    }

    package func changePasscode(from old: String, to new: String) async throws {
        let (old, new) = (try Passcode(typed: old), try chosen(new))
        try await attempt { try await $0.changePasscode(from: old, to: new) }
    }

    package func removePasscode(_ current: String) async throws {
        let current = try Passcode(typed: current)
        try await attempt { try await $0.removePasscode(current) }
    }

    private func chosen(_ typed: String) throws -> Passcode {
        let passcode = try Passcode(typed: typed)
        if let weakness = try passcode.weakness() { throw VaultError.weakPasscode(weakness) }
        return passcode
    }

    private func confirmed(_ typed: String) throws -> ConfirmedRecoveryCode {
        guard let proposed else { throw VaultError.recoveryCodeNotConfirmed }
        return try proposed.confirmed(by: typed)
    }

    // MARK: - Recovery

    package func recover(with code: String, newPasscode: String?) async throws {
        let (code, passcode) = (try RecoveryCode(typed: code), try newPasscode.map { try chosen($0) })
        try await attempt { try await $0.recover(with: code, newPasscode: passcode) }
    }

    package func renewRecoveryCode(_ typed: String, passcode: String?) async throws {
        let code = try confirmed(typed)
        try await vault.renewRecoveryCode(code, passcode: try passcode.map { try Passcode(typed: $0) })
        proposed = nil
    }

    package nonisolated func backUp(to file: any ByteSink) async throws -> Int { try await vault.backUp(to: file) }

    package nonisolated func check(
        readsData: Bool,
        repairs: Bool,
        reporting progress: @escaping @Sendable (Int, Int) -> Void
    ) async throws -> VaultReport {
        try await vault.check(readsData: readsData, repairs: repairs, reporting: progress)
    }

    package func verify(_ passcode: String?) async throws {
        guard try await vault.status().protection != nil else { return }
        let passcode = try passcode.map { try Passcode(typed: $0) }
        try await attempt { try await $0.reauthenticate(passcode) }
    }

    package func eraseEverything(passcode: String?) async throws {
        let passcode = try passcode.map { try Passcode(typed: $0) }
        try await attempt { try await $0.erase(passcode: passcode) }
    }
}
