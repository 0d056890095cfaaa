import EchoText
import LibraryStore

/// A change of the key slots, or a guess, at a given time and with minimal costs.
///
/// The first two arguments are the clocks in milliseconds, the third names the change: `guess PASSCODE`, `set NEW
/// CODE`, `change OLD NEW`, `remove OLD`, `recover CODE NEW` (an empty NEW for none), `renew PASSCODE CODE`, `rotate`.
struct KeyChange {
    private let keyStore: KeyStore
    private let name: String
    private let words: [String]

    init(folder: String, _ arguments: [String]) {
        let (wall, boottime) = (Int64(arguments[0]) ?? 0, Int64(arguments[1]) ?? 0)
        let clocks = VaultClocks(
            wall: { wall },
            boottime: { boottime },
            bootID: { HexBytes(Array(repeating: 1, count: 16)) },
            isSynchronised: { false }
        )
        keyStore = KeyStore(
            KeyStore.Paths(
                library: "\(folder)/library",
                device: "\(folder)/device",
                machineID: "\(folder)/machine-id"
            ),
            KeyStore.Environment(clocks: clocks, cost: .least, floor: .least)
        )
        name = arguments[2]
        words = Array(arguments[3...])
    }

    func run() async throws {
        switch name {
        case "guess": _ = try await keyStore.open(with: .passcode(passcode(0)))
        case "set":
            let keys = try await keyStore.open(with: .device)
            try await keyStore.setPasscode(passcode(0), recoveryCode: confirmedCode(1), keys: keys)
        case "change": try await keyStore.changePasscode(from: passcode(0), to: passcode(1))
        case "remove": try await keyStore.removePasscode(passcode(0))
        case "recover":
            _ = try await keyStore.recover(
                with: RecoveryCode(typed: words[0]),
                newPasscode: words[1].isEmpty ? nil : passcode(1)
            )
        case "renew":
            let keys = try await keyStore.open(with: .passcode(passcode(0)))
            try await keyStore.renewRecoveryCode(confirmedCode(1), passcode: passcode(0), keys: keys)
        case "rotate": _ = try await keyStore.rotate(keyStore.open(with: .device))
        default: preconditionFailure("there is no change called \(name)")
        }
    }

    private func passcode(_ index: Int) throws -> Passcode { try Passcode(typed: words[index]) }

    private func confirmedCode(_ index: Int) throws -> ConfirmedRecoveryCode {
        try RecoveryCode(typed: words[index]).confirmed(by: words[index])
    }
}
