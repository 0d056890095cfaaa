import EchoText
import Foundation
import LibraryStore
import Synchronization
import Testing

/// Folders for one vault, with clocks that do not advance and a disk that fails on request.
final class KeyRoom: Sendable {
    /// The system's clocks, moved by hand; in milliseconds.
    struct Clocks: Sendable {
        var wall: Int64 = 1_760_000_000_000
        var boottime: Int64 = 1_000_000
        var boot = HexBytes(Array(repeating: 1, count: 16))
        var isSynchronised = false
        var isMoved = false

        mutating func pass(_ milliseconds: Int64) {
            wall += milliseconds
            boottime += milliseconds
        }

        /// The machine is off for a while and starts again.
        mutating func restart(off milliseconds: Int64) {
            wall += milliseconds
            boottime = 0
            boot = HexBytes(boot.bytes.map { $0 &+ 1 })
        }
    }

    let path: String
    let clocks = Mutex(Clocks())
    let disk = Disk()
    /// The machine's security chip.
    let chip = Mutex<(any SecurityChip)?>(nil)

    init(chip: (any SecurityChip)? = nil) {
        self.chip.withLock { $0 = chip }
        path = FileManager.default.temporaryDirectory.path + "/echotext-keys-" + UUID().uuidString
    }

    deinit { _ = try? FileManager.default.removeItem(atPath: path) }  // a test may never have made it

    var library: String { "\(path)/library" }
    var device: String { "\(path)/device" }
    var machineID: String { "\(path)/machine-id" }

    /// Returns a key store as another process would make it.
    func keyStore(cost: PasswordCost = .least, floor: PasswordCost = .least) throws -> KeyStore {
        if !FileManager.default.fileExists(atPath: machineID) {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            try Data("0123456789abcdef0123456789abcdef\n".utf8).write(to: URL(filePath: machineID))
        }
        let clocks = VaultClocks(
            wall: { self.clocks.withLock(\.wall) },
            boottime: { self.clocks.withLock(\.boottime) },
            bootID: { self.clocks.withLock(\.boot) },
            isSynchronised: { self.clocks.withLock(\.isSynchronised) },
            isMoved: { self.clocks.withLock(\.isMoved) }
        )
        return KeyStore(
            KeyStore.Paths(library: library, device: device, machineID: machineID),
            KeyStore.Environment(
                clocks: clocks,
                chip: chip.withLock(\.self),
                cost: cost,
                floor: floor,
                willDo: disk.willDo
            )
        )
    }

    /// A vault with a passcode.
    ///
    /// - Returns: Its recovery code.
    func lock(with passcode: String) async throws -> RecoveryCode {
        let keyStore = try keyStore()
        let code = keyStore.proposeRecoveryCode()
        let keys = try await keyStore.create()
        try await keyStore.setPasscode(
            Passcode(typed: passcode),
            recoveryCode: code.confirmed(by: code.revealed()),
            keys: keys
        )
        return code
    }

    /// Everything in both folders, by name.
    func files() throws -> [String: Data] {
        var files: [String: Data] = [:]
        for folder in [library, device] {
            let names =
                FileManager.default.fileExists(atPath: folder)
                ? try FileManager.default.contentsOfDirectory(atPath: folder) : []
            for name in names { files["\(folder)/\(name)"] = try Data(contentsOf: URL(filePath: "\(folder)/\(name)")) }
        }
        return files
    }

    /// Restores both folders to the state that ``files()`` returned.
    func restore(_ files: [String: Data]) throws {
        for name in try self.files().keys where files[name] == nil { try FileManager.default.removeItem(atPath: name) }
        for (name, data) in files { try put(data, at: name) }
    }

    func put(_ data: Data, at path: String) throws {
        try data.write(to: URL(filePath: path))
        try #require(chmod(path, 0o600) == 0)
    }

    /// The only file in the device's folder with this suffix.
    func deviceFile(_ suffix: String) throws -> String {
        let names = try FileManager.default.contentsOfDirectory(atPath: device).filter { $0.hasSuffix(".\(suffix)") }
        return "\(device)/\(try #require(names.first))"
    }

    var slots: String { "\(library)/slots.json" }
}

/// The layer between the vault and its files.
final class Disk: Sendable {
    enum Fault: Sendable {
        /// The n-th step from now on fails.
        case failure(step: Int)
        /// Nothing is executed from the n-th step on, as if the process had been killed before it.
        case death(step: Int)
    }

    struct Died: Error {}

    private let state = Mutex((fault: Fault?.none, steps: 0))

    /// Arms a fault, or none, and counts steps from 0 again.
    func arm(_ fault: Fault?) { state.withLock { $0 = (fault, 0) } }

    var steps: Int { state.withLock(\.steps) }

    func willDo(_: FileStep) throws {
        try state.withLock { state in
            defer { state.steps += 1 }
            switch state.fault {
            case .failure(let step) where step == state.steps: throw VaultError.readOnly(.deviceFailed)
            case .death(let step) where step <= state.steps: throw Died()
            default: break
            }
        }
    }
}

/// How many times the long tests run: a tenth but with `ECHOTEXT_LONG_TESTS=1`.
enum Counts {
    static func of(_ whole: Int) -> Int {
        ProcessInfo.processInfo.environment["ECHOTEXT_LONG_TESTS"] == "1" ? whole : max(1, whole / 10)
    }
}

extension SecretBytes {
    var copy: Data { get throws { try withUnsafeBytes { Data($0) } } }
}

extension VaultKeys {
    /// Whether both open the same vault.
    func isSame(as other: VaultKeys) throws -> Bool {
        try vaultID == other.vaultID && purposeKey("test").copy == other.purposeKey("test").copy
            && databaseKey.copy == other.databaseKey.copy
    }
}
