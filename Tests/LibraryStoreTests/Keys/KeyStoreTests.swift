import EchoText
import EchoTextTesting
import Foundation
import Synchronization
import Testing

@testable import LibraryStore

@Suite("Key store", .endsInTime)
struct KeyStoreTests {
    private let room = KeyRoom()

    @Test("makes a vault that opens by itself on its machine")
    func create() async throws {
        let keyStore = try room.keyStore()
        #expect(try await keyStore.state() == .uninitialised)
        let made = try await keyStore.create()
        #expect(try await keyStore.state() == .locked)
        #expect(try await keyStore.unlockMethods() == KeyStore.UnlockMethods(passcode: nil, hasRecoveryCode: false))
        let opened = try await room.keyStore().open(with: .device)
        #expect(try opened.isSame(as: made))
        #expect(opened.ageIdentities.count == 1)
        await #expect(throws: VaultError.inUse) { try await keyStore.create() }
        await #expect(throws: VaultError.noPasscode) {
            try await keyStore.open(with: .passcode(Passcode(typed: "4071")))
        }
        await #expect(throws: VaultError.noRecoveryCode(problem: nil)) {
            try await keyStore.open(with: .recoveryCode(RecoveryCode()))
        }
    }

    @Test("keeps its folders and files to itself under any umask")
    func modes() async throws {
        _ = try await room.lock(with: "4071")
        for folder in [room.library, room.device] {
            #expect(try mode(of: folder) == 0o700)
        }
        for name in try room.files().keys { #expect(try mode(of: name) == 0o600, "\(name)") }
        let names = try FileManager.default.contentsOfDirectory(atPath: room.device)
        #expect(names.contains("CACHEDIR.TAG") && names.contains(".nobackup"))
    }

    @Test("opens by the passcode alone once there is one, and by the recovery code")
    func passcode() async throws {
        let keyStore = try room.keyStore()
        let keys = try await keyStore.create()
        let code = keyStore.proposeRecoveryCode()
        let confirmed = try code.confirmed(by: code.revealed())
        await #expect(throws: VaultError.weakPasscode(.pattern)) {
            try await keyStore.setPasscode(Passcode(typed: "1234"), recoveryCode: confirmed, keys: keys)
        }
        try await keyStore.setPasscode(Passcode(typed: "4071"), recoveryCode: confirmed, keys: keys)
        #expect(try await keyStore.unlockMethods() == KeyStore.UnlockMethods(passcode: .pin, hasRecoveryCode: true))
        await #expect(throws: VaultError.locked) { try await keyStore.open(with: .device) }
        #expect(try await keyStore.open(with: .passcode(Passcode(typed: "4071"))).isSame(as: keys))
        #expect(try await keyStore.open(with: .recoveryCode(code)).isSame(as: keys))
        await #expect(throws: VaultError.passcodeExists) {
            try await keyStore.setPasscode(Passcode(typed: "8362"), recoveryCode: confirmed, keys: keys)
        }
        await #expect(throws: VaultError.wrongPasscode(remainingFreeTries: 3)) {
            try await keyStore.open(with: .passcode(Passcode(typed: "4072")))
        }
        try await keyStore.verify(Passcode(typed: "4071"))
    }

    @Test("changes the passcode, and removes it")
    func changes() async throws {
        let keyStore = try room.keyStore()
        let code = try await room.lock(with: "4071")
        let keys = try await keyStore.open(with: .passcode(Passcode(typed: "4071")))
        try await keyStore.changePasscode(from: Passcode(typed: "4071"), to: Passcode(typed: "violet hammock"))
        #expect(try await keyStore.unlockMethods().passcode == .password)
        await #expect(throws: VaultError.wrongPasscode(remainingFreeTries: 3)) {
            try await keyStore.open(with: .passcode(Passcode(typed: "4071")))
        }
        try await keyStore.removePasscode(Passcode(typed: "violet hammock"))
        #expect(try await keyStore.open(with: .device).isSame(as: keys))
        pass(1_000)
        #expect(try await keyStore.open(with: .recoveryCode(code)).isSame(as: keys))
    }

    @Test("renews the recovery code, after the passcode")
    func renewal() async throws {
        let keyStore = try room.keyStore()
        let old = try await room.lock(with: "4071")
        let keys = try await keyStore.open(with: .passcode(Passcode(typed: "4071")))
        let new = keyStore.proposeRecoveryCode()
        let confirmed = try new.confirmed(by: new.revealed())
        await #expect(throws: VaultError.locked) {
            try await keyStore.renewRecoveryCode(confirmed, passcode: nil, keys: keys)
        }
        try await keyStore.renewRecoveryCode(confirmed, passcode: Passcode(typed: "4071"), keys: keys)
        #expect(try await keyStore.open(with: .recoveryCode(new)).isSame(as: keys))
        pass(1_000)
        await #expect(throws: VaultError.wrongRecoveryCode) { try await keyStore.open(with: .recoveryCode(old)) }
        #expect(try await keyStore.open(with: .passcode(Passcode(typed: "4071"))).isSame(as: keys))
    }

    @Test("gives a vault without a passcode a recovery code")
    func firstCode() async throws {
        let keyStore = try room.keyStore()
        let keys = try await keyStore.create()
        let code = keyStore.proposeRecoveryCode()
        try await keyStore.renewRecoveryCode(code.confirmed(by: code.revealed()), passcode: nil, keys: keys)
        #expect(try await keyStore.unlockMethods() == KeyStore.UnlockMethods(passcode: nil, hasRecoveryCode: true))
        #expect(try await keyStore.open(with: .recoveryCode(code)).isSame(as: keys))
        #expect(try await keyStore.open(with: .device).isSame(as: keys))
    }

    enum Loss: String, CaseIterable {
        case passcode, deviceFile, deviceFolder, machineID, damagedFile, readableFile, linkedFile
    }

    @Test("recovers by its code whatever else is lost", arguments: Loss.allCases, [nil, "830572"])
    func recovery(_ loss: Loss, newPasscode: String?) async throws {
        let code = try await room.lock(with: "4071")
        let keys = try await room.keyStore().open(with: .passcode(Passcode(typed: "4071")))
        try lose(loss)
        let keyStore = try room.keyStore()
        let recovered = try await keyStore.recover(with: code, newPasscode: newPasscode.map { try Passcode(typed: $0) })
        #expect(try recovered.isSame(as: keys))
        let credential: KeyStore.Credential = try newPasscode.map { .passcode(try Passcode(typed: $0)) } ?? .device
        #expect(try await keyStore.open(with: credential).isSame(as: keys))
        #expect(try await keyStore.state() == .locked)
        pass(1_000)
        #expect(try await keyStore.open(with: .recoveryCode(code)).isSame(as: keys))
    }

    private func lose(_ loss: Loss) throws {
        let file = try room.deviceFile("device")
        switch loss {
        case .passcode: break
        case .deviceFile: try FileManager.default.removeItem(atPath: file)
        case .deviceFolder: try FileManager.default.removeItem(atPath: room.device)
        case .machineID: try room.put(Data("another\n".utf8), at: room.machineID)
        case .damagedFile: try room.put(Data("damaged".utf8), at: file)
        case .readableFile: try #require(chmod(file, 0o644) == 0)
        case .linkedFile:
            try FileManager.default.moveItem(atPath: file, toPath: file + ".moved")
            try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: file + ".moved")
        }
    }

    @Test("says what is wrong with the device's secret", arguments: Loss.allCases)
    func deviceProblems(_ loss: Loss) async throws {
        let keyStore = try room.keyStore()
        _ = try await keyStore.create()
        try lose(loss)
        let expected: VaultError? =
            switch loss {
            case .passcode: nil
            case .deviceFile, .deviceFolder, .machineID: .deviceSecretMissing
            case .damagedFile: .deviceSecretDamaged
            case .readableFile, .linkedFile: .deviceSecretUnsafe
            }
        guard let expected else {
            _ = try await keyStore.open(with: .device)
            return
        }
        await #expect(throws: expected) { try await keyStore.open(with: .device) }
        if expected == .deviceSecretUnsafe {
            await #expect(throws: expected) { try await keyStore.state() }
        } else {
            #expect(try await keyStore.state() == .recoveryNeeded)
        }
    }

    @Test("refuses a device folder that others may enter, and a library that is a link")
    func folders() async throws {
        _ = try await room.keyStore().create()
        try #require(chmod(room.device, 0o755) == 0)
        await #expect(throws: VaultError.deviceSecretUnsafe) { try await room.keyStore().open(with: .device) }
        try #require(chmod(room.device, 0o700) == 0)
        try FileManager.default.moveItem(atPath: room.library, toPath: room.library + ".moved")
        try FileManager.default.createSymbolicLink(atPath: room.library, withDestinationPath: room.library + ".moved")
        await #expect(throws: VaultError.unsafeFolder) { try await room.keyStore().open(with: .device) }
    }

    @Test("notices every changed bit of the device's file")
    func deviceBits() async throws {
        _ = try await room.keyStore().create()
        let file = try room.deviceFile("device")
        let whole = try Data(contentsOf: URL(filePath: file))
        for index in whole.indices {
            var changed = whole
            changed[index] ^= 1 << UInt8(index % 8)
            try room.put(changed, at: file)
            await #expect(throws: VaultError.deviceSecretDamaged) { try await room.keyStore().open(with: .device) }
            try room.put(whole.prefix(index), at: file)
            await #expect(throws: VaultError.deviceSecretDamaged) { try await room.keyStore().open(with: .device) }
        }
    }

    @Test("begins new epochs and keeps the keys of the old ones")
    func rotation() async throws {
        let keyStore = try room.keyStore()
        let first = try await keyStore.create()
        let second = try await keyStore.rotate(first)
        let third = try await room.keyStore().rotate(second)
        let opened = try await room.keyStore().open(with: .device)
        #expect(opened.ageIdentities.count == 3)
        #expect(try opened.databaseKeys.map { try $0.copy } == third.databaseKeys.map { try $0.copy })
        #expect(try opened.databaseKeys[2].copy == first.databaseKey.copy)
        #expect(try Set(opened.ageIdentities.map { try $0.copy }).count == 3)
        #expect(try opened.purposeKey("one").copy == first.purposeKey("one").copy)
        #expect(try opened.purposeKey("one").copy != opened.purposeKey("two").copy)
    }

    @Test("opens nothing here by an older copy of the slots once a passcode is set")
    func olderSlots() async throws {
        let keyStore = try room.keyStore()
        let keys = try await keyStore.create()
        let older = try Data(contentsOf: URL(filePath: room.slots))
        let code = keyStore.proposeRecoveryCode()
        try await keyStore.setPasscode(
            Passcode(typed: "4071"),
            recoveryCode: code.confirmed(by: code.revealed()),
            keys: keys
        )
        try room.put(older, at: room.slots)
        await #expect(throws: VaultError.deviceSecretMissing) { try await room.keyStore().open(with: .device) }
    }

    @Test("says when a library is older than the one this machine saw")
    func olderLibrary() async throws {
        let code = try await room.lock(with: "4071")
        let older = try Data(contentsOf: URL(filePath: room.slots))
        let keyStore = try room.keyStore()
        try await keyStore.changePasscode(from: Passcode(typed: "4071"), to: Passcode(typed: "8362"))
        #expect(try await !keyStore.open(with: .passcode(Passcode(typed: "8362"))).isOlderThanSeen)
        try room.put(older, at: room.slots)
        #expect(try await keyStore.open(with: .recoveryCode(code)).isOlderThanSeen)
    }

    @Test("refuses a keyring that is missing, changed or older than the slots")
    func keyring() async throws {
        let keyStore = try room.keyStore()
        let keys = try await keyStore.create()
        let file = "\(room.library)/keyring.bin"
        let older = try Data(contentsOf: URL(filePath: file))
        _ = try await keyStore.rotate(keys)
        let whole = try Data(contentsOf: URL(filePath: file))
        for index in whole.indices {
            var changed = whole
            changed[index] ^= 1
            try room.put(changed, at: file)
            await #expect(throws: VaultError.slotsDamaged) { try await room.keyStore().open(with: .device) }
        }
        try room.put(older, at: file)
        await #expect(throws: VaultError.slotsDamaged) { try await room.keyStore().open(with: .device) }
        try FileManager.default.removeItem(atPath: file)
        await #expect(throws: VaultError.slotsDamaged) { try await room.keyStore().open(with: .device) }
    }

    @Test("makes no new vault where there is a library without slots")
    func missingSlots() async throws {
        _ = try await room.keyStore().create()
        try room.put(Data("x".utf8), at: "\(room.library)/library.db")
        try FileManager.default.removeItem(atPath: room.slots)
        await #expect(throws: VaultError.slotsMissing) { try await room.keyStore().state() }
        await #expect(throws: VaultError.slotsMissing) { try await room.keyStore().create() }
        await #expect(throws: VaultError.slotsMissing) { try await room.keyStore().open(with: .device) }
    }

    @Test("wipes the keys it handed out on request")
    func wiping() async throws {
        let keys = try await room.keyStore().create()
        keys.wipe()
        #expect(throws: VaultError.locked) { try keys.purposeKey("test") }
        #expect(throws: VaultError.locked) { try keys.databaseKey.copy }
        #expect(throws: VaultError.locked) { try keys.ageIdentities[0].copy }
    }

    @Test("leaves nothing that opens the vault when it is erased")
    func erasing() async throws {
        let code = try await room.lock(with: "4071")
        try await room.keyStore().erase()
        #expect(try await room.keyStore().state() == .uninitialised)
        await #expect(throws: VaultError.slotsMissing) { try await room.keyStore().open(with: .recoveryCode(code)) }
        #expect(try !FileManager.default.contentsOfDirectory(atPath: room.device).contains { $0.hasSuffix(".device") })
    }

    @Test("writes no passcode, code or key into its files")
    func canaries() async throws {
        let code = try await room.lock(with: "violet hammock")
        let keys = try await room.keyStore().open(with: .passcode(Passcode(typed: "violet hammock")))
        let secrets = [
            Data("violet hammock".utf8), Data(try code.revealed().utf8),
            Data(try code.revealed().filter { $0 != "-" }.utf8), try keys.databaseKey.copy,
            try keys.ageIdentities[0].copy, try keys.purposeKey("test").copy,
        ]
        for (name, data) in try room.files() {
            for secret in secrets {
                #expect(data.range(of: secret) == nil, "\(name)")
                #expect(data.range(of: Data(HexBytes(Array(secret)).text.utf8)) == nil, "\(name)")
            }
        }
    }

    private func pass(_ milliseconds: Int64) { room.clocks.withLock { $0.pass(milliseconds) } }

    private func mode(of path: String) throws -> UInt32 {
        var status = stat()
        try #require(lstat(path, &status) == 0)
        return status.st_mode & 0o7777
    }
}
