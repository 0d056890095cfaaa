#if TESTABLE
internal import Crypto
internal import EchoText
internal import Foundation

@testable internal import LibraryStore

/// The files of the vault, edited by somebody who may know the keys that sign or encrypt them.
enum KeyTarget: FuzzTarget {
    /// The kind of file; the following bytes are its content, or edits of a valid one.
    private enum File: Int, CaseIterable {
        case slots, slotBytes, attempts, keyring, device, recoveryCode
    }

    static var seeds: [[UInt8]] {
        get throws {
            let lists = try Lists.all.map { [UInt8(File.slotBytes.rawValue)] + Array(try $0.encoded()) }
            let edits = File.allCases.map { [UInt8($0.rawValue), 0] }
            let first = File.allCases.map { [UInt8($0.rawValue), 0, 30, 0, 2] + [UInt8].counted("[]") }
            let code = [UInt8(File.recoveryCode.rawValue)] + Array("0000-0000-0000-0000-0000-0000-0000".utf8)
            return lists + edits + first + [code]
        }
    }

    static func run(_ input: FuzzInput) throws {
        var input = input
        switch File.allCases[input.choice(of: File.allCases.count)] {
        case .slots:
            let list = Lists.all[input.choice(of: Lists.all.count)]
            try readSlots(edited(Array(try list.encoded()), by: &input))
        case .slotBytes: try readSlots(Array(input.rest))
        case .attempts: try readAttempts(&input)
        case .keyring: try readKeyring(&input)
        case .device: try readDevice(&input)
        case .recoveryCode:
            guard let code = try? RecoveryCode(typed: String(decoding: input.rest, as: UTF8.self)) else { return }
            let again = try RecoveryCode(typed: try code.revealed())
            demand(try again.symbols.isEqual(to: code.symbols), "a code is shown as it is read")
        }
    }

    /// `bytes` with up to 8 ranges replaced.
    private static func edited(_ bytes: [UInt8], by input: inout FuzzInput) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<8 where !input.isAtEnd {
            let start = Int(input.number(UInt16.self)) % (bytes.count + 1)
            let end = min(start + Int(input.byte()), bytes.count)
            bytes.replaceSubrange(start..<end, with: input.bytes())
        }
        return bytes
    }

    // MARK: Each file

    private static func readSlots(_ bytes: [UInt8]) throws {
        let data = Data(bytes)
        guard let list = try? SlotList(data, floor: .least) else { return }
        demand(try list.encoded() == data, "slots are read in the one spelling they are written in")
        demand((1...2).contains(list.slots.count), "there are one or two slots")
        for slot in list.slots {
            demand(slot.cost?.isWithinCap() != false, "what a passcode costs has a limit")
            let credential = KeySlot.Credential.recoveryCode(try RecoveryCode(typed: String(repeating: "0", count: 28)))
            demand(try slot.opened(with: credential, vault: list.vault) == nil, "no slot opens to a stranger")
        }
        let signed = try list.signed(with: Known.secret)
        try signed.verify(with: Known.secret)
    }

    private static func readAttempts(_ input: inout FuzzInput) throws {
        let moment = AttemptRecord.Moment(wall: 1 << 40, boottime: 1 << 30, boot: Known.vault, isSynchronised: true)
        let content = edited(AttemptRecord(now: moment).encoded, by: &input)
        let file = content + (try Known.secret.authenticationCode(for: Data(content)))
        guard let record = try file.withUnsafeBytes({ try AttemptRecord($0, key: Known.secret) }) else { return }
        demand(record.encoded == content, "attempts are read as they are written")
        demand(record.generation < .max && record.lastRecovery < .max - 60_000, "attempts can be counted on")
        for boot in [record.since.boot, HexBytes([UInt8](repeating: 1, count: 16))] {
            var now = moment
            now.boot = boot
            let moved = record.moved(to: now)
            demand((0...AttemptRecord.longestWait).contains(moved.wait), "nobody waits for longer than a day")
            demand(record.remaining(at: now) == moved.wait, "a wait that is moved stays as long")
        }
    }

    private static func readKeyring(_ input: inout FuzzInput) throws {
        let epoch = UInt32(1).bigEndianBytes + [UInt8](repeating: 3, count: 16 + 64)
        let plain = edited([0, 1] + epoch, by: &input)
        guard !plain.isEmpty else { return }
        let secret = SecretBytes(copying: plain)
        let file = try Keyring.sealed(secret, generation: 4, secret: Known.secret, vault: Known.vault)
        do {
            let keyring = try file.withUnsafeBytes {
                try Keyring($0, secret: Known.secret, vault: Known.vault)
            }
            demand(keyring.generation == 4 && !keyring.epochs.isEmpty, "a keyring has keys")
            _ = try? keyring.rotated(now: 5)
        } catch is VaultError {
            return
        } catch is BytesReader.Ended {
            return
        }
    }

    private static func readDevice(_ input: inout FuzzInput) throws {
        let check = try Known.machine.check(for: Known.vault)
        let secret = [UInt8](repeating: 5, count: 8 + DeviceSecret.count)
        let content = edited(Array("echotext-device\n".utf8) + [1, 1] + secret + check, by: &input)
        let file = content + Array(SHA256.hash(data: content))
        do {
            let secrets = try file.withUnsafeBytes { try Known.device.parse($0) }
            demand((1...2).contains(secrets.count), "a device has one secret or two")
        } catch is VaultError {
            return
        } catch is BytesReader.Ended {
            return
        }
    }
}

/// The keys that sign and encrypt the files, the same at each start.
private enum Known {
    static let secret = SecretBytes(copying: [UInt8](repeating: 9, count: 32))
    static let vault = HexBytes([UInt8](0..<16))
    static let machine: MachineIdentity = {
        guard let machine = try? MachineIdentity(path: "/nonexistent") else { fatalError("a machine has an identity") }
        return machine
    }()
    /// Its folder is never read.
    static let device: DeviceFile = {
        let path = FileManager.default.temporaryDirectory.appending(path: "echotext-fuzzing").path
        let folder = try? GuardedFolder(
            path: path,
            isMade: true,
            isTightened: true,
            refusal: .deviceSecretUnsafe,
            willDo: { _ in }
        )
        guard let folder else { fatalError("no folder can be made at \(path)") }
        return DeviceFile(in: folder, vault: vault, machine: machine)
    }()
}

/// Valid lists of slots, one of each kind except for the recovery code alone.
private enum Lists {
    static let all = [[KeySlot.Kind.device], [.device, .recovery], [.pin, .recovery], [.password, .recovery]].map(list)

    private static func list(_ kinds: [KeySlot.Kind]) -> SlotList {
        var list = SlotList(vault: Known.vault)
        list.slots = kinds.enumerated().map { index, kind in
            func bytes(_ count: Int) -> HexBytes { HexBytes([UInt8](repeating: UInt8(index), count: count)) }
            let isTyped = kind == .pin || kind == .password
            return KeySlot(
                type: kind,
                id: bytes(8),
                device: kind == .recovery ? nil : bytes(8),
                cost: isTyped ? .least : nil,
                salt: bytes(PasswordCost.saltCount),
                commitment: bytes(32),
                nonce: bytes(SecretBytes.nonceCount),
                sealed: bytes(32 + SecretBytes.tagCount)
            )
        }
        guard let signed = try? list.signed(with: Known.secret) else { fatalError("lists are signed") }
        return signed
    }
}
#endif
