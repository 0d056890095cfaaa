import EchoText
import EchoTextTesting
import Foundation
import LibraryStore
import Synchronization
import Testing

/// F-16 and F-17 of the fault plan.
@Suite("Attempts", .endsInTime)
struct AttemptTests {
    private let room = KeyRoom()
    private static let day: Int64 = 86_400_000
    /// The waits after the 1st, 2nd … wrong passcode, in milliseconds.
    private static let schedule: [Int64] =
        [0, 0, 0, 0, 30_000, 60_000, 300_000, 900_000, 3_600_000, 14_400_000, day, day, day]

    private func pass(_ milliseconds: Int64) { room.clocks.withLock { $0.pass(milliseconds) } }

    /// The response to a wrong passcode of a newly started program.
    private func answerToWrong() async throws -> VaultError? {
        try await answer(to: "8362")
    }

    private func answer(to typed: String) async throws -> VaultError? {
        do {
            _ = try await room.keyStore().open(with: .passcode(Passcode(typed: typed)))
            return nil
        } catch let error as VaultError {
            return error
        }
    }

    @Test("wait as the schedule says, also when the program is started again for each")
    func schedule() async throws {
        _ = try await room.lock(with: "4071")
        for (index, wait) in Self.schedule.enumerated() {
            let begun = Duration.milliseconds(wait)
            #expect(try await answerToWrong() == .wrongPasscode(remainingFreeTries: max(0, 3 - index), wait: begun))
            guard wait > 0 else { continue }
            #expect(try await answer(to: "4071") == .lockedOut(wait: .milliseconds(wait)))
            #expect(try await state() == wait)
            pass(wait - 1)
            #expect(try await answer(to: "4071") == .lockedOut(wait: .milliseconds(1)))
            pass(1)
            #expect(try await state() == 0)
        }
        #expect(try await answer(to: "4071") == nil)
        #expect(try await answerToWrong() == .wrongPasscode(remainingFreeTries: 3))
    }

    /// The remaining wait in the key store's state, in milliseconds.
    private func state() async throws -> Int64 {
        guard case .lockedOut(let until) = try await room.keyStore().state() else { return 0 }
        let now = room.clocks.withLock(\.wall)
        return Int64((until.timeIntervalSince1970 * 1_000).rounded()) - now
    }

    @Test("are not taken in a time namespace of somebody's own, and nothing of the wait is gone afterwards")
    func movedClock() async throws {
        let code = try await room.lock(with: "4071")
        for _ in 1...5 { _ = try await answerToWrong() }
        room.clocks.withLock { clocks in
            clocks.isMoved = true
            clocks.boottime += 10 * Self.day
        }
        for typed in ["8362", "4071"] { #expect(try await answer(to: typed) == .clockMoved) }
        await #expect(throws: VaultError.clockMoved) { try await room.keyStore().open(with: .recoveryCode(code)) }
        #expect(try await room.keyStore().state() == .locked)
        room.clocks.withLock { clocks in
            clocks.isMoved = false
            clocks.boottime -= 10 * Self.day
        }
        #expect(try await answer(to: "4071") == .lockedOut(wait: .milliseconds(30_000)))
    }

    @Test("of eight threads at once are four free ones and no more")
    func threads() async throws {
        _ = try await room.lock(with: "4071")
        let total = Counts.of(500)
        let all = await withTaskGroup(of: [VaultError?].self) { group in
            for thread in 0..<8 {
                group.addTask { [self] in
                    var answers: [VaultError?] = []
                    for _ in 0..<(total / 8 + (thread < total % 8 ? 1 : 0)) {
                        answers.append(try? await answerToWrong())  // Other errors count as neither below.
                    }
                    return answers
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect(all.count == total)
        let tried = all.filter { if case .wrongPasscode = $0 { true } else { false } }
        #expect(tried.count <= 5)  // Four free ones, and the one that begins the wait.
        let refused = all.filter { if case .lockedOut(.seconds(30)) = $0 { true } else { $0 == .attemptInProgress } }
        #expect(tried.count + refused.count == total)
    }

    @Test("are counted though the program ends before the answer, at every step")
    func deaths() async throws {
        _ = try await room.lock(with: "4071")
        let start = try room.files()
        room.disk.arm(nil)
        _ = try await answerToWrong()
        let steps = room.disk.steps
        for step in 0..<steps {
            try room.restore(start)
            for _ in 0..<4 { _ = try await answerToWrong() }
            room.disk.arm(.death(step: step))
            await #expect(throws: (any Error).self) {
                try await room.keyStore().open(with: .passcode(Passcode(typed: "8362")))
            }
            room.disk.arm(nil)
            // The passcode was tried only after the fifth attempt was counted: at most one more is free.
            let answer = try await answerToWrong()
            let wait = Duration.seconds(30)
            #expect([.lockedOut(wait: wait), .wrongPasscode(remainingFreeTries: 0, wait: wait)].contains(answer))
            #expect(try await answerToWrong() == .lockedOut(wait: .seconds(30)))
        }
        try room.restore(start)
        for _ in 0..<4 { _ = try await answerToWrong() }
        // Repeated crashes between counting and responding never give a fifth free attempt.
        for _ in 0..<3 {
            room.disk.arm(.death(step: steps - 1))
            _ = try? await room.keyStore().open(with: .passcode(Passcode(typed: "8362")))
            room.disk.arm(nil)
        }
        #expect(try await answer(to: "4071") == .lockedOut(wait: .seconds(30)))
    }

    @Test(
        "that were answered are counted, wherever their process was killed",
        .enabled(if: StoreProcess.hasTracer, "needs the package strace")
    )
    func kills() async throws {
        _ = try await room.lock(with: "4071")
        let start = try room.files()
        let places = ["write", "fsync", "renameat"].flatMap { call in (1...5).map { (call: call, number: $0) } }
        // Each comes up before one comes up again.
        var next: [(call: String, number: Int)] = []
        var killed = 0
        for _ in 0..<Counts.of(200) / 2 {
            try room.restore(start)
            var answers = 0
            for _ in 0..<2 {
                if next.isEmpty { next = places.shuffled() }
                let place = next.removeLast()
                let injection = "\(place.call):signal=KILL:when=\(place.number)"
                let lines = try await StoreProcess(keys: room, ["guess", "8362"], traced: injection).rest()
                answers += lines == ["error vault.wrong-passcode"] ? 1 : 0
                killed += lines.isEmpty ? 1 : 0
            }
            guard case .wrongPasscode(let left, _) = try await answerToWrong() else {
                Issue.record("three guesses of which none was free")
                continue
            }
            #expect((0...3 - answers).contains(left))
        }
        #expect(killed > 0, "nothing was tested")
    }

    @Test("that were killed while they were checked are counted")
    func killedWhileChecked() async throws {
        let keyStore = try room.keyStore(cost: PasswordCost(passes: 3, memory: 128 << 20))
        let code = keyStore.proposeRecoveryCode()
        let keys = try await keyStore.create()
        let confirmed = try code.confirmed(by: code.revealed())
        try await keyStore.setPasscode(Passcode(typed: "4071"), recoveryCode: confirmed, keys: keys)
        var killed = 0
        for _ in 1...5 {
            let path = try room.deviceFile("attempts")
            let before = try Data(contentsOf: URL(filePath: path))
            let process = try StoreProcess(keys: room, ["guess", "8362"])
            // The record is the last that is written before the passcode is tried, which takes a while.
            await process.kill(whenChanged: path, from: before)
            killed += await process.rest().isEmpty ? 1 : 0
        }
        #expect(killed > 0, "nothing was tested")
        #expect(try await answer(to: "4071") == .lockedOut(wait: .seconds(30)))
    }

    @Test("are not taken for tampering when two in a row are broken off at the same step")
    func brokenOffTwice() async throws {
        _ = try await room.lock(with: "4071")
        let start = try room.files()
        room.disk.arm(nil)
        _ = try await answerToWrong()
        let steps = room.disk.steps
        for step in 0..<steps {
            try room.restore(start)
            for _ in 0..<3 {
                room.disk.arm(.death(step: step))
                await #expect(throws: Disk.Died.self) {
                    try await room.keyStore().open(with: .passcode(Passcode(typed: "8362")))
                }
                room.disk.arm(nil)
            }
            #expect(try await answer(to: "4071") == nil, "step \(step)")
        }
    }

    @Test("exclude each other over processes too")
    func locks() async throws {
        _ = try await room.lock(with: "4071")
        let file = open(try room.deviceFile("lock"), O_RDWR | O_CLOEXEC)
        try #require(file >= 0 && flock(file, LOCK_EX | LOCK_NB) == 0)
        #expect(try await answer(to: "4071") == .attemptInProgress)
        // A process that another test is starting may have inherited the descriptor, so closing it here would not
        // release the lock.
        #expect(flock(file, LOCK_UN) == 0)
        close(file)
        #expect(try await answer(to: "4071") == nil)
    }

    // MARK: Tampering

    enum Tampering: String, CaseIterable {
        case deviceDeleted, libraryDeleted, bothDeleted, deviceOlder, deviceDamaged, libraryDamaged, deviceEmpty,
            deviceLinked
        case deviceTooLong, deviceReadable
    }

    @Test("cannot be made to wait less by what is done to the record", arguments: Tampering.allCases)
    func tampering(_ tampering: Tampering) async throws {
        let code = try await room.lock(with: "4071")
        let older = try Data(contentsOf: URL(filePath: room.deviceFile("attempts")))
        try await fail(times: 6)
        try tamper(tampering, older: older)
        guard case .lockedOut(let wait) = try await answer(to: "4071") else {
            Issue.record("a wait was expected")
            return
        }
        #expect(wait >= .seconds(60) && wait <= .milliseconds(Self.day))
        // Doing it again does not make it more than a day.
        try tamper(tampering, older: older)
        guard case .lockedOut(let again) = try await answer(to: "4071") else {
            Issue.record("a wait was expected")
            return
        }
        #expect(again >= .seconds(60) && again <= .milliseconds(Self.day))
        _ = try await room.keyStore().open(with: .recoveryCode(code))
        #expect(try await answer(to: "4071") == nil)
    }

    private func fail(times: Int) async throws {
        for index in 0..<times {
            pass(index == 0 ? 0 : Self.schedule[index - 1])
            _ = try await answerToWrong()
        }
    }

    private func tamper(_ tampering: Tampering, older: Data) throws {
        let device = try room.deviceFile("attempts")
        let library = "\(room.library)/attempts.bin"
        switch tampering {
        case .deviceDeleted: unlink(device)
        case .libraryDeleted: unlink(library)
        case .bothDeleted:
            unlink(device)
            unlink(library)
        case .deviceOlder: try room.put(older, at: device)
        case .deviceDamaged, .libraryDamaged:
            let path = tampering == .deviceDamaged ? device : library
            var bytes = try Data(contentsOf: URL(filePath: path))
            bytes[30] ^= 1
            try room.put(bytes, at: path)
        case .deviceEmpty: try room.put(Data(), at: device)
        case .deviceTooLong: try room.put(Data(count: 100_000), at: device)
        case .deviceReadable: try #require(chmod(device, 0o644) == 0)
        case .deviceLinked:
            unlink(device)
            try #require(symlink(library, device) == 0)
        }
    }

    @Test("wait on when the record is one write old, as after a program that was killed")
    func oneWriteOld() async throws {
        _ = try await room.lock(with: "4071")
        for _ in 0..<4 { _ = try await answerToWrong() }
        let older = try Data(contentsOf: URL(filePath: room.deviceFile("attempts")))
        _ = try await answerToWrong()
        try room.put(older, at: room.deviceFile("attempts"))
        #expect(try await answer(to: "4071") == .lockedOut(wait: .seconds(30)))
    }

    @Test("are not held against a library that was put back from a backup")
    func libraryOlder() async throws {
        _ = try await room.lock(with: "4071")
        let older = try Data(contentsOf: URL(filePath: "\(room.library)/attempts.bin"))
        for _ in 0..<5 { _ = try await answerToWrong() }
        pass(30_000)
        try room.put(older, at: "\(room.library)/attempts.bin")
        #expect(try await answer(to: "4071") == nil)
    }

    // MARK: Clocks

    private static let tenYears: Int64 = 10 * 365 * day

    @Test(
        "wait no less for a clock that was set",
        arguments: [tenYears, -tenYears, 3_600_000, -3_600_000, 90_000_000, 1]
    )
    func clockSet(by shift: Int64) async throws {
        _ = try await room.lock(with: "4071")
        try await fail(times: 8)
        room.clocks.withLock { $0.wall += shift }
        #expect(try await answer(to: "4071") == .lockedOut(wait: .milliseconds(Self.schedule[7])))
        // With real time the wait ends, at the latest after a day.
        pass(Self.schedule[7] - 1)
        #expect(try await answer(to: "4071") != nil)
        pass(Self.day)
        #expect(try await answer(to: "4071") == nil)
    }

    @Test("wait no less for a clock that was set while the machine was off", arguments: [tenYears, -tenYears, 0])
    func clockSetOverRestart(by shift: Int64) async throws {
        _ = try await room.lock(with: "4071")
        try await fail(times: 8)
        room.clocks.withLock { $0.restart(off: shift) }
        #expect(try await answer(to: "4071") == .lockedOut(wait: .milliseconds(Self.schedule[7])))
        pass(Self.schedule[7])
        #expect(try await answer(to: "4071") == nil)
    }

    @Test("gain the time the machine was off when a time server vouches for it")
    func synchronisedRestart() async throws {
        _ = try await room.lock(with: "4071")
        try await fail(times: 8)
        room.clocks.withLock {
            $0.restart(off: 600_000)
            $0.isSynchronised = true
        }
        #expect(try await answer(to: "4071") == .lockedOut(wait: .milliseconds(Self.schedule[7] - 600_000)))
        room.clocks.withLock { $0.restart(off: -86_400_000) }
        #expect(try await answer(to: "4071") == .lockedOut(wait: .milliseconds(Self.schedule[7] - 600_000)))
    }

    @Test("never wait more than a day, wherever the clock was when it began")
    func futureRecord() async throws {
        _ = try await room.lock(with: "4071")
        room.clocks.withLock { $0.wall += Self.tenYears }
        try await fail(times: 11)
        room.clocks.withLock { $0.wall -= Self.tenYears }
        #expect(try await answer(to: "4071") == .lockedOut(wait: .milliseconds(Self.day)))
        pass(Self.day)
        #expect(try await answer(to: "4071") == nil)
    }

    @Test("add up over restarts that each bring some of the wait behind them")
    func restarts() async throws {
        _ = try await room.lock(with: "4071")
        try await fail(times: 9)
        for left in stride(from: Int64(3_600_000), to: 0, by: -600_000) {
            #expect(try await answer(to: "4071") == .lockedOut(wait: .milliseconds(left)))
            pass(600_000)
            // The key store checks the record before the machine shuts down, so the elapsed time is stored.
            _ = try await answerToWrong()
            guard left > 600_000 else { break }
            room.clocks.withLock { $0.restart(off: 0) }
        }
    }

    // MARK: The recovery code

    @Test("of recovery codes are possible while passcodes wait, once a second")
    func recoveryCodes() async throws {
        let code = try await room.lock(with: "4071")
        try await fail(times: 11)
        await #expect(throws: VaultError.wrongRecoveryCode) {
            try await room.keyStore().open(with: .recoveryCode(RecoveryCode()))
        }
        pass(999)
        await #expect(throws: VaultError.lockedOut(wait: .milliseconds(1))) {
            try await room.keyStore().open(with: .recoveryCode(code))
        }
        pass(1)
        _ = try await room.keyStore().recover(with: code, newPasscode: Passcode(typed: "830572"))
        #expect(try await answer(to: "830572") == nil)
    }
}
