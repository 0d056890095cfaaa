package import EchoText
import Foundation

/// A vault without a disk: its library is in memory, and its passcode compared as it is.
package actor MemoryVault: VaultControl {
    package nonisolated let library: Library
    package nonisolated let watch = MemoryWatch()
    private let free: Int
    private var passcode: String?
    private var isLocked = false
    private var failures = 0
    private var proposed: String?
    private var recoveryCode: String?
    private var visits: [Int: Task<Void, any Error>] = [:]
    private var nextVisit = 0
    private var wasErased = false
    private var isOlder = false
    private var leavesFiles = false
    private var wasClosedElsewhere = false
    private var report = VaultReport()

    /// - Parameter free: How many consecutive wrong passcodes cause a wait.
    package init(free: Int = 5) {
        self.free = free
        let recordings = MemoryLibrary()
        let transcripts = MemoryTranscripts(recordings)
        library = Library(
            audio: recordings,
            documents: MemoryDocuments(),
            jobs: recordings,
            batch: MemoryBatch(),
            speech: MemorySpeech(),
            history: MemoryHistory(),
            profiles: MemoryProfiles(),
            playback: recordings,
            draft: MemoryDraft(),
            settings: MemorySettings(),
            voices: MemoryVoices(),
            recordings: MemorySessions(recordings),
            transcripts: transcripts,
            transcriptions: MemoryTranscriptions(transcripts),
            outbound: MemoryOutbound(),
            services: MemoryServices(),
            apiKeys: MemoryAPIKeys(),
            speeches: MemorySpeeches(),
            practice: MemoryPractice(),
            watch: watch,
            measure: MemoryMeasure(recordings)
        )
    }

    package func status() -> VaultStatus {
        if wasErased { return VaultStatus(state: .uninitialised) }
        let state: VaultState =
            failures >= free ? .lockedOut(until: Date(timeIntervalSinceNow: 30)) : isLocked ? .locked : .unlocked
        return VaultStatus(
            state: state,
            protection: passcode == nil ? .device : .shortPasscode,
            hasRecoveryCode: recoveryCode != nil
        )
    }

    package func withLibrary(_ work: @escaping @Sendable (Library) async throws -> Void) async throws {
        guard !isLocked else { throw VaultError.locked }
        nextVisit += 1
        let (visit, library) = (nextVisit, library)
        let task = Task { try await work(library) }
        visits[visit] = task
        defer { visits[visit] = nil }
        try await task.value
        if isLocked { throw VaultError.locked }
    }

    package func isStillOpen() -> Bool { !wasClosedElsewhere }

    package func isErased() -> Bool { wasErased }

    package func isOlderUnseen() -> Bool { isOlder && !isLocked }

    package func noteOlderSeen() { isOlder = false }

    /// Makes the library an older copy than was used last.
    package func makeOlder() { isOlder = true }

    /// Sets a passcode as another process would, without an event.
    package func setPasscodeElsewhere(_ new: String) {
        (passcode, isLocked, wasClosedElsewhere) = (new, true, true)
    }

    package func unlock(with typed: String) throws {
        guard let passcode else { throw VaultError.noPasscode }
        guard failures < free else { throw VaultError.lockedOut(wait: .seconds(30)) }
        guard typed == passcode else {
            failures += 1
            throw VaultError.wrongPasscode(
                remainingFreeTries: max(0, free - 1 - failures),
                wait: failures == free ? .seconds(30) : .zero
            )
        }
        failures = 0
        (isLocked, wasClosedElsewhere) = (false, false)
    }

    package func lock() throws {
        guard passcode != nil else { throw VaultError.noPasscode }
        isLocked = true
        for visit in visits.values { visit.cancel() }
    }

    package func verify(_ typed: String?) throws {
        guard let passcode else { return }
        guard let typed else { throw VaultError.locked }
        guard typed == passcode else { throw VaultError.wrongPasscode(remainingFreeTries: free) }
    }

    package func proposeRecoveryCode() -> String {
        let code = "CODE-\(UUID().uuidString.prefix(8))"
        proposed = code
        return code
    }

    package func setPasscode(_ new: String, confirmedBy typed: String) throws {
        guard passcode == nil else { throw VaultError.passcodeExists }
        guard typed == proposed else { throw VaultError.recoveryCodeNotConfirmed }
        guard new.count >= 4 else { throw VaultError.weakPasscode(.tooShort) }
        (passcode, recoveryCode, proposed) = (new, typed, nil)
    }

    package func changePasscode(from old: String, to new: String) throws {
        guard old == passcode else { throw VaultError.wrongPasscode(remainingFreeTries: free) }
        passcode = new
    }

    package func removePasscode(_ current: String) throws {
        guard current == passcode else { throw VaultError.wrongPasscode(remainingFreeTries: free) }
        (passcode, isLocked) = (nil, false)
    }

    package func recover(with code: String, newPasscode: String?) throws {
        guard code == recoveryCode else { throw VaultError.wrongRecoveryCode }
        (passcode, isLocked, failures) = (newPasscode, newPasscode != nil, 0)
    }

    package func renewRecoveryCode(_ typed: String, passcode: String?) throws {
        guard typed == proposed else { throw VaultError.recoveryCodeNotConfirmed }
        guard passcode == self.passcode else { throw VaultError.wrongPasscode(remainingFreeTries: free) }
        (recoveryCode, proposed) = (typed, nil)
    }

    /// As many bytes as an archive without files has.
    package func backUp(to file: any ByteSink) async throws -> Int {
        guard !isLocked else { throw VaultError.locked }
        try await file.append(Data(count: 1_024))
        return 0
    }

    /// Sets what checks find.
    package func damage(_ report: VaultReport) { self.report = report }

    /// Repairs what is damaged in the cache of speech, and removes the leftovers.
    package func check(
        readsData: Bool,
        repairs: Bool,
        reporting progress: @escaping @Sendable (Int, Int) -> Void
    ) async throws -> VaultReport {
        guard !isLocked else { throw VaultError.locked }
        for done in 0..<report.contents {
            try Task.checkCancellation()
            progress(done, report.contents)
        }
        guard repairs else { return report }
        var repaired = report
        repaired.note(.cacheRemoved, report.damaged.count(where: \.isCache))
        repaired.damaged.removeAll(where: \.isCache)
        repaired.note(.filesRemoved, report.unused)
        (repaired.unused, repaired.isRepaired) = (0, repaired.isSound)
        report = repaired
        report.repairs = [:]
        return repaired
    }

    package func eraseEverything(passcode: String?) throws {
        guard passcode == self.passcode else { throw VaultError.wrongPasscode(remainingFreeTries: free) }
        (self.passcode, wasErased) = (nil, true)
        if leavesFiles { throw VaultError.erasedFilesStay }
    }

    /// Makes erasing leave files, as on a disk that fails.
    package func leaveFiles() { leavesFiles = true }
}
