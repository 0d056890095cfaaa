import EchoText

/// What the program's end tells the shell.
///
/// - SeeAlso: `sysexits.h`, whose numbers these are; 130 is 128 and SIGINT, as shells count.
enum ExitStatus: Int32 {
    case failure = 1
    case usage = 64
    case badInput = 65
    case noInput = 66
    case unavailable = 69
    case cannotCreate = 73
    case inputOutput = 74
    case tryAgain = 75
    /// The library is locked, and stays so.
    case locked = 77
    /// What is kept is damaged.
    case damaged = 76
    case interrupted = 130

    /// The status that fits `error`, by its code.
    init(of error: any UserFacingError) {
        self = Self.byCode[error.code] ?? (error.code.hasPrefix("dictionary.") ? .badInput : .failure)
    }

    private static let byCode: [String: ExitStatus] = [
        "speech.nothing-to-say": .noInput,
        "speech.speed-out-of-range": .usage,
        "speech.pitch-out-of-range": .usage,
        "practice.rate-out-of-range": .usage,
        "speech.engine-failed": .tryAgain,
        "speech.timed-out": .tryAgain,
        "command.contradiction": .usage,
        "command.sound-on-terminal": .usage,
        "command.output-failed": .inputOutput,
        "command.interrupted": .interrupted,
        "command.not-confirmed": .failure,
        "command.no-terminal": .usage,
        "command.no-answer": .noInput,
        "command.text-too-long": .badInput,
        "voice.no-such-speaker": .usage,
        "voice.not-installed": .unavailable,
        "voice.not-a-folder": .unavailable,
        "voice.missing-file": .unavailable,
        "voice.unreadable-file": .unavailable,
        "voice.bad-description": .unavailable,
        "voice.bad-tokens": .unavailable,
        "voice.bad-model": .unavailable,
        "voice.unsupported-phonemes": .unavailable,
        "voice.set-aside": .unavailable,
        "engine.missing": .unavailable,
        "engine.wrong-version": .unavailable,
        "worker.cannot-start": .tryAgain,
        "worker.died": .tryAgain,
        "worker.protocol-violation": .tryAgain,
        "worker.incompatible-version": .unavailable,
        "text.not-found": .noInput,
        "text.is-folder": .noInput,
        "text.unreadable": .noInput,
        "text.binary": .badInput,
        "library.invalid-name": .badInput,
        "library.item-not-found": .noInput,
        "library.ambiguous": .usage,
        "history.text-not-found": .noInput,
        "profile.not-found": .noInput,
        "profile.name-taken": .usage,
        "profile.default-stays": .usage,
        "job.not-found": .noInput,
        "job.busy": .tryAgain,
        "queue.entry-not-found": .noInput,
        "settings.unknown": .usage,
        "settings.invalid": .usage,
        "vault.locked": .locked,
        "vault.wrong-passcode": .locked,
        "vault.wrong-recovery-code": .locked,
        "vault.misspelt-recovery-code": .usage,
        "vault.locked-out": .locked,
        "vault.attempt-in-progress": .tryAgain,
        "vault.weak-passcode": .usage,
        "vault.passcodes-differ": .usage,
        "vault.no-passcode": .usage,
        "vault.passcode-exists": .usage,
        "vault.recovery-code-not-confirmed": .usage,
        "vault.device-secret-missing": .locked,
        "vault.device-secret-unsafe": .locked,
        "vault.device-secret-damaged": .locked,
        "vault.slots-missing": .damaged,
        "vault.slots-damaged": .damaged,
        "vault.slots-too-new": .unavailable,
        "vault.unsafe-folder": .cannotCreate,
        "vault.not-encrypted": .unavailable,
        "vault.wrong-key": .damaged,
        "vault.database-damaged": .damaged,
        "vault.newer-schema": .unavailable,
        "vault.content-damaged": .damaged,
        "vault.content-missing": .damaged,
        "vault.read-only": .inputOutput,
        "vault.in-use": .tryAgain,
        "vault.tpm-unavailable": .unavailable,
        "vault.tpm-locked-out": .locked,
        "vault.system": .inputOutput,
        "agent.cannot-start": .tryAgain,
        "agent.already-running": .tryAgain,
        "agent.not-answering": .tryAgain,
        "agent.protocol-violation": .tryAgain,
        "agent.other-version": .unavailable,
        "agent.too-many-leases": .tryAgain,
        "agent.foreign-peer": .unavailable,
        "export.audiobook-program-missing": .unavailable,
        "export.audiobook-program-failed": .inputOutput,
        "export.audiobook-needs-file": .usage,
        "export.no-room-for-cover": .usage,
        "export.cover-missing": .noInput,
        "export.cover-not-image": .badInput,
        "export.cover-too-large": .badInput,
        "export.folder-not-empty": .cannotCreate,
        "export.folder-not-usable": .cannotCreate,
        "export.nothing-to-export": .noInput,
        "playback.nothing-to-play": .noInput,
        "playback.no-bookmark": .noInput,
        "audio.unknown-format": .usage,
        "audio.sample-rate-unsupported": .usage,
        "audio.codec-missing": .unavailable,
        "audio.no-sound-output": .unavailable,
        "audio.not-permitted": .cannotCreate,
        "audio.folder-missing": .cannotCreate,
        "audio.is-folder": .cannotCreate,
        "audio.name-too-long": .cannotCreate,
        "audio.file-missing": .cannotCreate,
        "audio.disk-full": .inputOutput,
        "audio.file-too-large": .inputOutput,
        "audio.broken-pipe": .inputOutput,
        "audio.playback-failed": .inputOutput,
        "audio.codec-failed": .inputOutput,
        "audio.system": .inputOutput,
    ]
}
