package import EchoText
import Foundation

/// Makes, opens and changes the vault's key slots.
///
/// It stores no key: it returns ``VaultKeys``, which the caller wipes. Its calls block, for a second if a passcode is
/// hashed, so it has its own thread.
///
/// The library's folder holds `slots.json`, `keyring.bin` and `attempts.bin`; the device's folder `ID.device`,
/// `ID.attempts` and `ID.lock`, where ID is the vault's. The formats are in `Documentation/LibraryFormat.md`.
package actor KeyStore {
    /// The folders of the files.
    package struct Paths: Sendable {
        package var library: String
        package var device: String
        package var machineID: String

        package init(library: String, device: String, machineID: String = "/etc/machine-id") {
            (self.library, self.device, self.machineID) = (library, device, machineID)
        }
    }

    /// The machine around the vault: clocks, costs and the security chip.
    package struct Environment: Sendable {
        package var clocks: VaultClocks
        /// Keeps this machine's secret; `nil` where there is none.
        package var chip: (any SecurityChip)?
        /// The cost of a new passcode slot; `nil` measures the machine.
        package var cost: PasswordCost?
        /// The least that a slot's cost is accepted with.
        package var floor: PasswordCost
        /// Called before each step of writing a file; an error that it throws counts as the step's failure.
        package var willDo: @Sendable (FileStep) throws -> Void

        package init(
            clocks: VaultClocks = .system,
            chip: (any SecurityChip)? = nil,
            cost: PasswordCost? = nil,
            floor: PasswordCost = .floor,
            willDo: @escaping @Sendable (FileStep) throws -> Void = { _ in }
        ) {
            (self.clocks, self.chip, self.cost, self.floor, self.willDo) = (clocks, chip, cost, floor, willDo)
        }
    }

    /// A credential that opens a vault.
    package enum Credential: Sendable {
        /// Possession of the machine alone; only while there is no passcode.
        case device
        case passcode(Passcode)
        /// The recovery code, which does not change the slots: ``KeyStore/recover(with:newPasscode:)`` binds the vault
        /// to this machine.
        case recoveryCode(RecoveryCode)
        /// The secret of ``VaultKeys/secret``, from a process that holds the vault open; it stays the caller's.
        case secret(SecretBytes)
    }

    /// Which ways lead into a vault.
    package struct UnlockMethods: Sendable, Hashable {
        /// `nil` when it opens by itself on its machine.
        package let passcode: Passcode.Kind?
        package let hasRecoveryCode: Bool
        /// Whether this machine's secret is in its security chip.
        package var usesSecurityChip = false
    }

    private let executor = BlockingExecutor(label: "echotext-keys")
    private let paths: Paths
    private let environment: Environment
    /// The name of the vault that was opened last.
    private var opened: HexBytes?

    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    package init(_ paths: Paths, _ environment: Environment = Environment()) {
        (self.paths, self.environment) = (paths, environment)
    }

    // MARK: Asking

    /// Determines whether there is a vault, and whether it can be opened now without the recovery code.
    ///
    /// - Returns: `uninitialised`, `locked`, `lockedOut` or `recoveryNeeded`; the other states are known only to the
    ///   holder of the keys.
    /// - Throws: ``VaultError``, such as ``VaultError/slotsMissing`` when there is a library without slots.
    package func state() throws -> VaultState {
        guard try exists() else { return .uninitialised }
        let slotFiles = try slotFiles()
        if try slotFiles.deviceProblem() != nil { return .recoveryNeeded }
        guard slotFiles.list.passcodeSlot != nil else { return .locked }
        let wait: Duration
        do {
            wait = try slotFiles.ledger().remainingWait()
        } catch VaultError.clockMoved {
            return .locked  // A wrong passcode gets its own error; holders of the keys need no passcode.
        }
        guard wait > .zero else { return .locked }
        let seconds = Double(wait.components.seconds) + Double(wait.components.attoseconds) / 1e18
        let now = Double(environment.clocks.wall()) / 1_000
        return .lockedOut(until: Date(timeIntervalSince1970: now + seconds))
    }

    /// Why this machine cannot open the vault; `nil` when it can, possibly with the passcode.
    ///
    /// - Returns: ``VaultError/deviceSecretMissing``, ``VaultError/deviceSecretDamaged``, ``VaultError/tpmUnavailable``
    ///   or ``VaultError/tpmLockedOut``.
    /// - Throws: Other errors of the files.
    package func deviceProblem() throws -> VaultError? { try slotFiles().deviceProblem() }

    /// - Throws: ``VaultError``.
    package func unlockMethods() throws -> UnlockMethods {
        let slotFiles = try slotFiles()
        let list = slotFiles.list
        let passcode: Passcode.Kind? =
            switch list.passcodeSlot?.type {
            case .pin: .pin
            case .password: .password
            default: nil
            }
        return UnlockMethods(
            passcode: passcode,
            hasRecoveryCode: list[.recovery] != nil,
            usesSecurityChip: slotFiles.usesSecurityChip
        )
    }

    /// Whether the vault that was opened here last was destroyed since.
    ///
    /// It was not where only the library's folder is away, as when it is moved or its disk is removed.
    ///
    /// - Throws: Errors of the folders.
    package func isErased() throws -> Bool {
        guard let opened else { return false }
        return try KeySlotFiles.isErased(opened, paths, environment)
    }

    private func exists() throws -> Bool { try KeySlotFiles.exists(paths, environment) }

    private func slotFiles(makingDevice isMade: Bool = false) throws -> KeySlotFiles {
        try KeySlotFiles(paths, environment, makingDevice: isMade)
    }

    // MARK: Making and opening

    /// Creates a vault that opens by itself on this machine, without a passcode and without a recovery code.
    ///
    /// - Throws: ``VaultError/inUse`` when one exists already.
    package func create() throws -> VaultKeys {
        let keys = try KeySlotFiles.create(paths, environment)
        opened = keys.vaultID
        return keys
    }

    /// - Throws: ``VaultError/locked`` for the device where a passcode is set, ``VaultError/noPasscode`` for a passcode
    ///   where none is, ``VaultError/wrongPasscode(remainingFreeTries:)``, ``VaultError/wrongRecoveryCode``,
    ///   ``VaultError/lockedOut(wait:)``, ``VaultError/tpmLockedOut``, ``VaultError/tpmUnavailable``,
    ///   ``VaultError/attemptInProgress``, and errors of the files.
    package func open(with credential: Credential) throws -> VaultKeys {
        let keys = try keys(with: credential)
        opened = keys.vaultID
        return keys
    }

    private func keys(with credential: Credential) throws -> VaultKeys {
        switch credential {
        case .device: return try openByDevice()
        case .passcode(let passcode):
            return try slotFiles().changing { slotFiles in
                let keys = try slotFiles.keys(with: try slotFiles.attempt(passcode))
                try slotFiles.repair()
                return keys
            }
        case .recoveryCode(let code):
            return try slotFiles(makingDevice: true).changing { slotFiles in
                try slotFiles.keys(with: try slotFiles.attempt(code))
            }
        case .secret(let lent):
            let slotFiles = try slotFiles()
            try slotFiles.list.verify(with: lent)
            return try slotFiles.keys(with: try lent[0..<lent.count])
        }
    }

    private func openByDevice() throws -> VaultKeys {
        let slotFiles = try slotFiles()
        let secret = try slotFiles.secretOfDevice()
        if try slotFiles.needsRepair() {
            do {
                try slotFiles.changing { try $0.repair() }
            } catch VaultError.attemptInProgress, VaultError.readOnly, VaultError.deviceFolderReadOnly {
                // Another process is changing the slots, or nothing can be written: the next open repairs them.
            }
        }
        return try slotFiles.keys(with: secret)
    }

    /// Tries a passcode without opening anything, before something that needs more than an open vault.
    ///
    /// - Throws: As ``open(with:)``.
    package func verify(_ passcode: Passcode) throws {
        try slotFiles().changing { slotFiles in try slotFiles.attempt(passcode).wipe() }
    }

    // MARK: Changing

    /// A code to be shown; it is stored only when it comes back as a ``ConfirmedRecoveryCode``.
    package nonisolated func proposeRecoveryCode() -> RecoveryCode { RecoveryCode() }

    /// Sets a passcode, so that from now on the machine alone does not open the vault.
    ///
    /// The recovery code replaces an older one.
    ///
    /// - Throws: ``VaultError/passcodeExists``, ``VaultError/weakPasscode(_:)``, and errors of the files.
    package func setPasscode(_ passcode: Passcode, recoveryCode: ConfirmedRecoveryCode, keys: VaultKeys) throws {
        try refuseWeak(passcode)
        try slotFiles().changing { slotFiles in
            guard slotFiles.list.passcodeSlot == nil else { throw VaultError.passcodeExists }
            try slotFiles.list.verify(with: keys.secret)
            try slotFiles.rewrap(keys.secret, passcode: passcode, recoveryCode: recoveryCode.code)
        }
    }

    /// - Throws: As ``open(with:)`` for the old passcode, ``VaultError/weakPasscode(_:)`` for the new one.
    package func changePasscode(from old: Passcode, to new: Passcode) throws {
        try refuseWeak(new)
        try slotFiles().changing { slotFiles in
            let secret = try slotFiles.attempt(old)
            defer { secret.wipe() }
            try slotFiles.rewrap(secret, passcode: new, recoveryCode: nil)
        }
    }

    /// Removes the passcode, so that the vault opens by itself on this machine; the recovery code stays.
    ///
    /// - Throws: As ``open(with:)``.
    package func removePasscode(_ current: Passcode) throws {
        try slotFiles().changing { slotFiles in
            let secret = try slotFiles.attempt(current)
            defer { secret.wipe() }
            try slotFiles.rewrap(secret, passcode: nil, recoveryCode: nil)
        }
    }

    /// Opens the vault by its recovery code and binds it to this machine, regardless of the passcode and the device's
    /// secret.
    ///
    /// - Parameters:
    ///   - code: The recovery code, which remains valid.
    ///   - newPasscode: The new passcode; `nil` for none.
    /// - Returns: The keys.
    /// - Throws: As ``open(with:)``, and ``VaultError/weakPasscode(_:)``.
    package func recover(with code: RecoveryCode, newPasscode: Passcode?) throws -> VaultKeys {
        if let newPasscode { try refuseWeak(newPasscode) }
        return try slotFiles(makingDevice: true).changing { slotFiles in
            let secret = try slotFiles.attempt(code)
            try slotFiles.rewrap(secret, passcode: newPasscode, recoveryCode: nil)
            return try slotFiles.keys(with: secret)
        }
    }

    /// Makes `code` the recovery code; the previous one becomes invalid.
    ///
    /// - Parameters:
    ///   - code: The new recovery code.
    ///   - passcode: The present passcode, required if there is one.
    ///   - keys: The keys of the open vault.
    /// - Throws: ``VaultError/locked`` when the passcode is missing; as ``open(with:)`` for a wrong one.
    package func renewRecoveryCode(_ code: ConfirmedRecoveryCode, passcode: Passcode?, keys: VaultKeys) throws {
        try slotFiles().changing { slotFiles in
            if slotFiles.list.passcodeSlot != nil {
                guard let passcode else { throw VaultError.locked }
                try slotFiles.attempt(passcode).wipe()
            }
            try slotFiles.list.verify(with: keys.secret)
            try slotFiles.replaceRecoveryCode(code.code, keys.secret)
        }
    }

    /// Begins a new epoch with a new age identity and a new database key; the old ones remain available.
    ///
    /// - Throws: Errors of the files.
    package func rotate(_ keys: VaultKeys) throws -> VaultKeys {
        try slotFiles().changing { slotFiles in
            try slotFiles.list.verify(with: keys.secret)
            try slotFiles.rotate(keys.secret)
            return try slotFiles.keys(with: try keys.secret[0..<keys.secret.count])
        }
    }

    /// Destroys the keys, the device's first, so that everything encrypted with them becomes unreadable.
    ///
    /// - Throws: Errors of the system.
    package func erase() throws {
        try slotFiles(makingDevice: true).changing { try $0.erase() }
    }

    private func refuseWeak(_ passcode: Passcode) throws {
        if let weakness = try passcode.weakness() { throw VaultError.weakPasscode(weakness) }
    }
}
