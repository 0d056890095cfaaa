/// Something about this machine that weakens the library's protection, or that its owner should know.
package struct VaultFinding: Sendable, Hashable, Codable {
    package enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        case swapInClear
        case coreDumpsToProgram
        case keyAndDataUnderOneBackup
        case noSecurityChip
        case secretOutsideSecurityChip
        case strangersFilesShutIn
        case noSandbox
        case sandboxRefused
        case noKernelGuards
        case strangersFilesRefused
        case strangersFilesUnconfined
        case noPasscode
        case shortPasscode
        case noRecoveryCode
        case foldersOpenToOthers
        case keysNotUsed
        case olderThanThisMachineRemembers
    }

    package enum Severity: String, Sendable, Hashable, Codable {
        /// Someone else could read stored data.
        case warning
        /// For information; nothing is wrong.
        case note
    }

    package let kind: Kind

    package init(_ kind: Kind) {
        self.kind = kind
    }

    package var severity: Severity {
        switch kind {
        case .swapInClear, .coreDumpsToProgram, .noRecoveryCode, .foldersOpenToOthers, .keysNotUsed,
            .olderThanThisMachineRemembers, .strangersFilesRefused, .strangersFilesUnconfined:
            .warning
        case .keyAndDataUnderOneBackup, .noSecurityChip, .secretOutsideSecurityChip, .strangersFilesShutIn, .noSandbox,
            .sandboxRefused, .noKernelGuards, .noPasscode, .shortPasscode:
            .note
        }
    }

    package var message: String {
        switch kind {
        case .swapInClear:
            "The machine swaps memory to a disk that is not encrypted; parts of texts and sound may end up there."
        case .coreDumpsToProgram:
            "The machine hands the memory of crashed programs to another program; EchoText turns that off for itself."
        case .keyAndDataUnderOneBackup:
            "The library and this machine's secret lie in the same home folder; who copies both and knows this machine's id opens a library without a passcode."
        case .noSecurityChip:
            "There is no security chip (TPM) that can be used, so wrong passcodes are counted by software only."
        case .secretOutsideSecurityChip:
            "The machine has a security chip (TPM), but this library's secret was made before it was used: wrong passcodes are counted by software only."
        case .strangersFilesShutIn:
            "What opens documents, archives and voices is confined by bubblewrap and by the kernel: tried just now, and it works."
        case .noSandbox:
            "bubblewrap is not installed: what opens documents, archives and voices is confined by the kernel alone."
        case .sandboxRefused:
            "bubblewrap is installed, but the system lets it make no sandbox: what opens documents, archives and voices is confined by the kernel alone."
        case .noKernelGuards:
            "What opens documents, archives and voices is confined by bubblewrap alone: this kernel lacks Landlock or filters of system calls."
        case .strangersFilesRefused:
            "Nothing on this machine confines what opens documents, archives and voices: documents and archives are refused, and a hostile voice could read your files."
        case .strangersFilesUnconfined:
            "Nothing on this machine confines what opens documents, archives and voices, and ECHOTEXT_UNCONFINED allows it: a hostile one can read, send and change what you can."
        case .noPasscode: "There is no passcode: everybody who uses your account on this machine can open the library."
        case .shortPasscode:
            "The passcode has 4 to 6 digits: it protects from people at this keyboard, not from someone who copies the disk."
        case .noRecoveryCode:
            "There is no recovery code: if this machine or its secret is lost, the library cannot be opened by anyone."
        case .foldersOpenToOthers: "Other users of this machine can look into the library's folders."
        case .keysNotUsed:
            "A folder or file of the library's keys is a link, belongs to someone else, or is open to others, so it is not used: the library does not open."
        case .olderThanThisMachineRemembers:
            "The library is older than the one this machine used last: it was put back from a backup, or someone did so."
        }
    }

    package var suggestion: String? {
        switch kind {
        case .swapInClear: "Encrypt the swap partition, use zram, or turn swap off."
        case .coreDumpsToProgram: nil
        case .keyAndDataUnderOneBackup: "Leave the folder “echotext-device” out of backups, or set a passcode."
        case .noSecurityChip: "Take a password of 12 characters or more rather than digits."
        case .secretOutsideSecurityChip:
            "Set, change or remove the passcode, or recover the library: each makes a new secret, in the chip if it takes it."
        case .strangersFilesShutIn: nil
        case .noSandbox: "Install it: apt-get install bubblewrap."
        case .sandboxRefused:
            "Allow user namespaces: see sysctl user.max_user_namespaces and kernel.unprivileged_userns_clone."
        case .noKernelGuards: "Take a kernel of 5.13 or later that has Landlock."
        case .strangersFilesRefused, .strangersFilesUnconfined:
            "Install bubblewrap (apt-get install bubblewrap) and allow user namespaces, or take a kernel that has Landlock."
        case .noPasscode: "Set one with “echotext vault passcode set” if that matters."
        case .shortPasscode: "Take a password of 12 characters or more where that matters."
        case .noRecoveryCode: "Make one with “echotext vault recovery-code”."
        case .foldersOpenToOthers: "Take the rights of others away: chmod -R go-rwx on the library's folder."
        case .keysNotUsed:
            "Take the rights of others away: chmod -R go-rwx on the library's folder and on that of this machine's secret (ECHOTEXT_DEVICE, else “echotext-device” in your state folder). Put the file itself where a link is."
        case .olderThanThisMachineRemembers: "If you did not put back a backup, take a look at what is missing."
        }
    }
}
