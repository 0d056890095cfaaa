import EchoText
import EchoTextTesting
import Foundation
import LibraryStore
import Synchronization
import Testing

/// A vault on a machine with a security chip.
@Suite("Keys in a security chip", .endsInTime, .enabled(if: SoftwareChip.isInstalled))
struct ChipVaultTests {
    private let device: SoftwareChip
    private let room: KeyRoom
    private let right: Passcode
    private let wrong: Passcode

    init() throws {
        device = try SoftwareChip()
        room = KeyRoom(chip: device.chip)
        (right, wrong) = (try Passcode(typed: "4071"), try Passcode(typed: "830572"))
    }

    /// The index of the counter of the only secret in the device's file; `nil` without a counter.
    private func counter() throws -> UInt32? {
        let file = try Data(contentsOf: URL(filePath: room.deviceFile("device")))
        try #require(file[16] == 2 && file[17] == 1, "one secret of version 2")
        let mark = file[26]
        try #require(mark == 1 || mark == 2, "sealed")
        return mark == 1 ? nil : file[27..<31].reduce(0) { $0 << 8 | UInt32($1) }
    }

    private func opens(_ credential: KeyStore.Credential, in place: KeyRoom? = nil) async throws -> Bool {
        do {
            _ = try await (place ?? room).keyStore().open(with: credential)
            return true
        } catch VaultError.wrongPasscode {
            return false
        }
    }

    // MARK: Without a passcode

    @Test("open by the machine alone, also after its power was cut, and leave no secret in the device's file")
    func deviceAlone() async throws {
        let keys = try await room.keyStore().create()
        #expect(try await room.keyStore().unlockMethods().usesSecurityChip)
        #expect(try counter() == nil)
        try device.cutPower()
        #expect(try await room.keyStore().open(with: .device).isSame(as: keys))
        #expect(try device.contents() == SoftwareChip.Contents())
    }

    @Test("need the recovery code with another chip, with none, and with one that does not answer")
    func otherChip() async throws {
        let code = try await room.lock(with: "4071")
        try await room.keyStore().removePasscode(right)
        let other = try SoftwareChip()
        let problems: [(any SecurityChip)?] = [other.chip, nil, TPMChip(address: "swtpm:path=/nowhere")]
        for (chip, problem) in zip(problems, [VaultError.deviceSecretMissing, .tpmUnavailable, .tpmUnavailable]) {
            room.chip.withLock { $0 = chip }
            #expect(try await room.keyStore().state() == .recoveryNeeded)
            #expect(try await room.keyStore().deviceProblem() == problem)
            await #expect(throws: problem) { try await room.keyStore().open(with: .device) }
        }
        room.chip.withLock { $0 = other.chip }
        let keys = try await room.keyStore().recover(with: code, newPasscode: right)
        #expect(try await room.keyStore().open(with: .passcode(right)).isSame(as: keys))
        #expect(try other.contents().counters == 1)
    }

    // MARK: With a passcode

    @Test("count a wrong passcode in the chip, keep the count when its power is cut, and forget it after the right one")
    func counting() async throws {
        _ = try await room.lock(with: "4071")
        let index = try #require(try counter())
        #expect(try device.tries(at: index) == [0, 50])
        for tries in 1...3 as ClosedRange<UInt32> {
            #expect(try await !opens(.passcode(wrong)))
            try device.cutPower()
            #expect(try device.tries(at: index) == [tries, 50])
        }
        #expect(try await opens(.passcode(right)))
        #expect(try device.tries(at: index) == [0, 50])
    }

    @Test("count what is tried with an old copy of both folders")
    func oldCopy() async throws {
        _ = try await room.lock(with: "4071")
        let (index, files) = (try #require(try counter()), try room.files())
        for _ in 0..<12 {
            try room.restore(files)
            #expect(try await !opens(.passcode(wrong)))
        }
        #expect(try device.tries(at: index) == [12, 50])
    }

    @Test("open with the recovery code alone after 50 wrong passcodes, which gives a new counter")
    func limit() async throws {
        let code = try await room.lock(with: "4071")
        let (index, files) = (try #require(try counter()), try room.files())
        for _ in 0..<50 {
            try room.restore(files)  // This resets the waits, which are stored in the files.
            #expect(try await !opens(.passcode(wrong)))
        }
        try device.cutPower()
        try room.restore(files)
        #expect(try await room.keyStore().state() == .recoveryNeeded)
        for passcode in [right, wrong] {
            await #expect(throws: VaultError.tpmLockedOut) { try await opens(.passcode(passcode)) }
        }
        #expect(try device.tries(at: index) == [50, 50])

        let keys = try await room.keyStore().recover(with: code, newPasscode: wrong)
        #expect(try await room.keyStore().open(with: .passcode(wrong)).isSame(as: keys))
        #expect(try device.tries(at: #require(try counter())) == [0, 50])
        #expect(try device.contents().counters == 1)
    }

    @Test("do not open with the passcode on a copy of the machine's files")
    func stolenDisk() async throws {
        let code = try await room.lock(with: "4071")
        let keys = try await room.keyStore().open(with: .recoveryCode(code))
        room.chip.withLock { $0 = nil }
        await #expect(throws: VaultError.tpmUnavailable) { try await opens(.passcode(right)) }
        let other = try SoftwareChip()
        room.chip.withLock { $0 = other.chip }
        await #expect(throws: VaultError.deviceSecretMissing) { try await opens(.passcode(right)) }
        room.chip.withLock { $0 = device.chip }
        #expect(try await room.keyStore().open(with: .passcode(right)).isSame(as: keys))
    }

    // MARK: Changes

    @Test("leave one counter behind a passcode, and nothing behind none or an erased vault")
    func cleanUp() async throws {
        let code = try await room.lock(with: "4071")
        let first = try #require(try counter())
        #expect(try device.contents() == SoftwareChip.Contents(counters: 1))
        try await room.keyStore().changePasscode(from: right, to: wrong)
        #expect(try counter() != first)
        #expect(try device.contents() == SoftwareChip.Contents(counters: 1))
        try await room.keyStore().removePasscode(wrong)
        #expect(try counter() == nil)
        #expect(try device.contents() == SoftwareChip.Contents())
        room.clocks.withLock { $0.pass(1_000) }
        _ = try await room.keyStore().recover(with: code, newPasscode: right)
        #expect(try device.contents() == SoftwareChip.Contents(counters: 1))
        try await room.keyStore().erase()
        #expect(try device.contents() == SoftwareChip.Contents())
    }

    enum Change: CaseIterable { case set, change, remove, recover }

    @Test("open, and leave one counter at most, wherever a change was broken off", arguments: Change.allCases)
    func brokenOff(_ change: Change) async throws {
        let isLong = Counts.of(10) == 10
        var step = Change.allCases.firstIndex(of: change) ?? 0
        while true {
            let faults = [Disk.Fault.failure(step: step), .death(step: step)]
            for fault in isLong ? faults : [faults[step % 2]] {
                guard try await breakOff(change, by: fault, "step \(step)") else { return }
            }
            step += isLong ? 1 : 9
        }
    }

    /// - Returns: Whether the change has as many steps.
    private func breakOff(_ change: Change, by fault: Disk.Fault, _ comment: Comment) async throws -> Bool {
        let room = KeyRoom(chip: device.chip)
        var (code, keys) = (RecoveryCode(), try await room.keyStore().create())
        if change != .set {
            try await room.keyStore().erase()
            code = try await room.lock(with: "4071")
            keys = try await room.keyStore().open(with: .passcode(right))
        }
        room.disk.arm(fault)
        do {
            let keyStore = try room.keyStore()
            switch change {
            case .set:
                try await keyStore.setPasscode(right, recoveryCode: code.confirmed(by: code.revealed()), keys: keys)
            case .change: try await keyStore.changePasscode(from: right, to: wrong)
            case .remove: try await keyStore.removePasscode(right)
            case .recover: _ = try await keyStore.recover(with: code, newPasscode: wrong)
            }
        } catch is VaultError {
        } catch is Disk.Died {}
        let steps = room.disk.steps
        room.disk.arm(nil)
        var opened = 0
        for credential in [KeyStore.Credential.device, .passcode(right), .passcode(wrong)] {
            room.clocks.withLock { $0.pass(1_000) }
            do {
                let found = try await room.keyStore().open(with: credential)
                #expect(try found.isSame(as: keys), comment)
                opened += 1
            } catch is VaultError {}
        }
        #expect(opened == 1, comment)
        let isBehindPasscode = try await room.keyStore().unlockMethods().passcode != nil
        #expect(try device.contents() == SoftwareChip.Contents(counters: isBehindPasscode ? 1 : 0), comment)
        try await room.keyStore().erase()
        #expect(try device.contents() == SoftwareChip.Contents(), comment)
        return switch fault {
        case .failure(let step), .death(let step): step < steps
        }
    }

    @Test("move into the chip with the next change of a vault that was made without one")
    func moving() async throws {
        room.chip.withLock { $0 = nil }
        let keys = try await room.keyStore().create()
        let plain = try Data(contentsOf: URL(filePath: room.deviceFile("device")))
        #expect(plain[16] == 1 && plain.count == 106)
        room.chip.withLock { $0 = device.chip }
        #expect(try await room.keyStore().open(with: .device).isSame(as: keys))
        #expect(try await !room.keyStore().unlockMethods().usesSecurityChip)
        let code = RecoveryCode()
        try await room.keyStore().setPasscode(right, recoveryCode: code.confirmed(by: code.revealed()), keys: keys)
        #expect(try counter() != nil)
        #expect(try await room.keyStore().open(with: .passcode(right)).isSame(as: keys))
    }

    @Test("stay in a file when the chip does not answer as they are made")
    func fallingBack() async throws {
        device.powerOff()
        let keys = try await room.keyStore().create()
        let code = RecoveryCode()
        try await room.keyStore().setPasscode(right, recoveryCode: code.confirmed(by: code.revealed()), keys: keys)
        #expect(try await room.keyStore().open(with: .passcode(right)).isSame(as: keys))
        #expect(try await !room.keyStore().unlockMethods().usesSecurityChip)
    }

    // MARK: Reports

    @Test("are reported by the status and the doctor")
    func reports() async throws {
        _ = try await room.lock(with: "4071")
        let places = VaultPaths(
            library: room.library,
            device: room.device,
            runtime: room.path,
            machineID: room.machineID
        )
        let vault = LibraryVault(places, KeyStore.Environment(chip: device.chip, floor: .least))
        let machine = VaultDoctor.Machine(proc: room.path, sys: room.path, confinement: .whole, hasSecurityChip: true)
        #expect(try await vault.status().usesSecurityChip)
        var kinds = Set(try await vault.findings(of: machine, home: room.path).map(\.kind))
        #expect(kinds.isDisjoint(with: [.noSecurityChip, .secretOutsideSecurityChip, .shortPasscode]))

        room.chip.withLock { $0 = nil }
        try await room.keyStore().erase()
        _ = try await room.lock(with: "4071")
        #expect(try await !vault.status().usesSecurityChip)
        kinds = Set(try await vault.findings(of: machine, home: room.path).map(\.kind))
        #expect(kinds.isSuperset(of: [.secretOutsideSecurityChip, .shortPasscode]))
    }
}
