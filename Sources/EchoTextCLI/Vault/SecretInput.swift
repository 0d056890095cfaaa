import ArgumentParser
import EchoText
import Foundation
import LibraryStore

/// Reads a secret from the terminal or from a file descriptor.
enum SecretInput {
    /// - Parameters:
    ///   - descriptor: The file descriptor, or `nil` for the terminal.
    ///   - question: The question on the terminal.
    /// - Returns: The input, without its line end.
    /// - Throws: ``CommandError``, `CancellationError`.
    static func text(from descriptor: Int32?, asking question: String) async throws -> String {
        var bytes =
            if let descriptor {
                try await TerminalInput.bytes(from: descriptor)
            } else {
                try await TerminalInput.secret(asking: question)
            }
        defer { for index in bytes.indices { bytes[index] = 0 } }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// - Throws: As ``text(from:asking:)``, and ``VaultError/weakPasscode(_:)`` for an empty passcode.
    static func passcode(from descriptor: Int32?, asking question: String = "Passcode: ") async throws -> Passcode {
        try Passcode(typed: try await text(from: descriptor, asking: question))
    }

    /// Reads a new passcode; at the terminal it is asked for twice.
    ///
    /// - Throws: As ``passcode(from:asking:)``, and ``VaultError/passcodesDiffer``.
    static func newPasscode(from descriptor: Int32?) async throws -> Passcode {
        let first = try await text(from: descriptor, asking: "New passcode: ")
        if descriptor == nil {
            let second = try await text(from: nil, asking: "Repeat it: ")
            guard first == second else { throw VaultError.passcodesDiffer }
        }
        let passcode = try Passcode(typed: first)
        if let weakness = try passcode.weakness() { throw VaultError.weakPasscode(weakness) }
        return passcode
    }

    /// Reads the current passcode, if the vault has one.
    ///
    /// - Throws: As ``passcode(from:asking:)``.
    static func currentPasscode(of vault: LibraryVault, from descriptor: Int32?) async throws -> Passcode? {
        let protection = try await vault.status().protection
        guard protection != nil, protection != .device else { return nil }
        return try await passcode(from: descriptor)
    }

    /// Shows a new recovery code once and has it typed back.
    ///
    /// - Parameters:
    ///   - vault: The vault that the code is for.
    ///   - descriptor: Where the repeated code is read, or `nil` for the terminal.
    /// - Returns: The confirmed code.
    /// - Throws: ``VaultError/recoveryCodeNotConfirmed``, ``CommandError``, `CancellationError`.
    static func confirmedRecoveryCode(of vault: LibraryVault, from descriptor: Int32?) async throws
        -> ConfirmedRecoveryCode
    {
        let code = vault.proposeRecoveryCode()
        EchoTextCommand.say(
            "Write this recovery code down, on paper. It opens the library when the passcode or this machine is"
        )
        EchoTextCommand.say("lost, it is shown only now, and nobody can make it again:")
        EchoTextCommand.say("")
        EchoTextCommand.say("    \(try code.revealed())")
        EchoTextCommand.say("")
        let typed =
            if let descriptor {
                String(decoding: try await TerminalInput.bytes(from: descriptor), as: UTF8.self)
            } else {
                try await TerminalInput.line(asking: "Type it back: ")
            }
        return try code.confirmed(by: typed)
    }
}

/// The option of commands that ask for a passcode.
struct PasscodeOption: ParsableArguments {
    @Option(help: ArgumentHelp("Read the passcode from this file descriptor.", valueName: "n"))
    var passcodeFd: Int32?
}
