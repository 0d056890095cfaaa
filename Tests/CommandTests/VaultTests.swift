import EchoTextTesting
import Foundation
import Testing

@Suite("echotext vault", .endsInTime)
struct VaultTests {
    /// Every command that needs the library open.
    private static let libraryCommands = [
        ["library", "list"], ["library", "show", "A"], ["library", "text", "A"], ["library", "rename", "A", "B"],
        ["library", "favorite", "A"], ["library", "delete", "A", "--yes"], ["library", "export", "A", "-o", "a.wav"],
        ["library", "search", "word"], ["library", "info", "A"], ["library", "jobs"], ["library", "continue"],
        ["library", "keep"], ["library", "discard", "--yes"], ["play", "A"], ["queue", "list"], ["queue", "add", "A"],
        ["queue", "remove", "1"], ["queue", "move", "1", "2"], ["queue", "clear", "--yes"], ["history", "list"],
        ["history", "show", "1"], ["history", "delete", "1"], ["history", "clear", "--yes"], ["profiles", "list"],
        ["profiles", "save", "P"], ["profiles", "rename", "P", "Q"], ["profiles", "choose", "P"],
        ["profiles", "delete", "P", "--yes"], ["settings", "list"], ["settings", "get", "playback.step"],
        ["settings", "set", "playback.step", "30"], ["settings", "reset", "--yes"], ["export-all", "all"],
        ["speak", "Hello.", "--save"], ["vault", "check"], ["vault", "backup", "copy"],
    ]

    /// The error and its hint, alone.
    private static let locked = """
        echotext: error: The library is locked.
        echotext: hint: Unlock it with “echotext vault unlock”.

        """

    /// A library behind the passcode 4071; tests that try others get a copy.
    private static let guarded: Task<LibraryHome, any Error> = Task {
        let home = try LibraryHome()
        try await home.succeed("speak", "Some words.", "--save", "--name", "A")
        _ = try await home.setPasscode("4071")
        return home
    }

    /// The same after four wrong passcodes: the next one begins a wait.
    private static let tried: Task<LibraryHome, any Error> = Task {
        let home = try LibraryHome()
        try await home.copy(try await VaultTests.guarded.value)
        for _ in 1...4 {
            let wrong = try await home.run("vault", "unlock", "--passcode-fd", "3", secrets: ["4072"])
            try #require(wrong.status == 77, "\(wrong.errors)")
        }
        return home
    }

    @Test("sets, uses, changes and removes a passcode, by file descriptors")
    func byDescriptors() async throws {
        try await LibraryHome.with { home in
            try await home.copyRecording()
            let code = try await home.setPasscode("4071")
            #expect(code.count == 34)
            #expect(try await home.status()["state"] as? String == "locked")
            #expect(try await home.status()["protection"] as? String == "shortPasscode")
            #expect(try await home.status()["hasRecoveryCode"] as? Bool == true)
            #expect(try await home.run("library", "list").status == 77)

            let wrong = try await home.run("vault", "unlock", "--passcode-fd", "3", secrets: ["4072"])
            #expect(wrong.status == 77)
            #expect(wrong.errors.contains("not the passcode; 3 more tries"))
            try await home.succeed("vault", "unlock", "--passcode-fd", "3", secrets: ["4071"])
            #expect(try await home.names() == ["A"])
            try await home.succeed("vault", "lock")
            #expect(try await home.run("library", "list").status == 77)

            try await home.succeed(
                "vault",
                "passcode",
                "change",
                "--passcode-fd",
                "3",
                "--new-passcode-fd",
                "4",
                secrets: ["4071", "correct horse battery"]
            )
            #expect(try await home.status()["protection"] as? String == "password")
            #expect(
                try await home.run("vault", "passcode", "remove", "--passcode-fd", "3", secrets: ["4071"]).status == 77
            )
            try await home.succeed(
                "vault",
                "passcode",
                "remove",
                "--passcode-fd",
                "3",
                secrets: ["correct horse battery"]
            )
            #expect(try await home.names() == ["A"])
            #expect(try await home.status()["hasRecoveryCode"] as? Bool == true)
        }
    }

    @Test("says how many wrong passcodes are left, that the next one begins a wait, and how long it is")
    func tries() async throws {
        try await LibraryHome.with { home in
            try await home.copy(try await Self.guarded.value)
            for words in [
                "3 more tries before a wait", "2 more tries before a wait", "1 more try before a wait",
                "the next wrong one begins a wait", "the next try is possible in 30 seconds",
            ] {
                let wrong = try await home.run("vault", "unlock", "--passcode-fd", "3", secrets: ["4072"])
                #expect(wrong.status == 77)
                #expect(wrong.errors.contains(words), "\(wrong.errors)")
            }
        }
    }

    /// Whether a process may have a time namespace; containers and older kernels often do not allow it.
    private static let hasTimeNamespaces: Bool = {
        let unshare = Process()
        unshare.executableURL = URL(filePath: "/usr/bin/unshare")
        unshare.arguments = ["-UrT", "--boottime", "864000", "true"]
        unshare.standardError = FileHandle.nullDevice
        // Without unshare there are no namespaces either.
        guard (try? unshare.run()) != nil else { return false }
        unshare.waitUntilExit()
        return unshare.terminationStatus == 0
    }()

    @Test(
        "ends no wait for somebody who gives it another clock",
        .enabled(if: hasTimeNamespaces, "needs “unshare -UrT”"),
        arguments: [
            ["-UrT", "--boottime", "864000"], ["-UrT", "--boottime", "86400", "--monotonic", "5"],
            [
                "-Urm", "sh", "-c",
                #"mount --bind /proc/sys/kernel/random/uuid /proc/sys/kernel/random/boot_id && exec "$0" "$@""#,
            ],
            [
                "-Urm", "sh", "-c",
                #"mount --bind /proc/sys/kernel/random/uuid /proc/sys/kernel/random/boot_id && exec unshare -Ur "$0" "$@""#,
            ],
            [
                "-UrmT", "--boottime", "864000", "sh", "-c",
                #"echo "boottime 0 0" >mine; mount --bind mine /proc/$$/timens_offsets && exec "$0" "$@""#,
            ],
        ]
    )
    func anotherClock(_ unshare: [String]) async throws {
        try await LibraryHome.with { home in
            try await home.copy(try await Self.tried.value)
            let unlock = ["vault", "unlock", "--passcode-fd", "3", "--json"]
            // The wait lasts half a minute.
            try await Program.inOnePlace {
                _ = try await home.program(unlock, secrets: ["4072"]).run()
                #expect(try await home.program(unlock, secrets: ["4071"]).run().text.contains("vault.locked-out"))
                var moved = home.program(unlock, secrets: ["4071"])
                moved.tracer = ["/usr/bin/unshare"] + unshare
                let outcome = try await moved.run()
                #expect(outcome.status == 77, "\(outcome.text) \(outcome.errors)")
                #expect(outcome.text.contains("vault.clock-moved"), "\(outcome.text) \(outcome.errors)")
                #expect(try await home.program(unlock, secrets: ["4071"]).run().text.contains("vault.locked-out"))
            }
        }
    }

    @Test("refuses a recovery code that is typed back wrongly, and a weak passcode, and changes nothing")
    func notConfirmed() async throws {
        try await LibraryHome.with { home in
            try await home.succeed("speak", "Some words.", "--save", "--name", "A")
            let before = try home.bytes()
            let typed: [(kind: String, text: @Sendable (String) -> String)] = [
                ("vault.recovery-code-not-confirmed", { _ in "" }),
                ("vault.recovery-code-not-confirmed", { ($0.first == "0" ? "1" : "0") + $0.dropFirst() }),
                ("vault.recovery-code-not-confirmed", { _ in "0000-0000-0000-0000-0000-0000-0000" }),
            ]
            for (kind, text) in typed {
                let (outcome, code) = try await home.confirmCode(
                    "vault",
                    "passcode",
                    "set",
                    "--passcode-fd",
                    "3",
                    "--code-fd",
                    "0",
                    "--json",
                    secrets: ["4071"],
                    typing: text
                )
                #expect(!code.isEmpty)
                #expect(outcome.status == 64, "\(outcome.errors)")
                #expect(outcome.text.contains(kind), "\(outcome.text)")
            }
            for weak in ["1234", "password1234", "407", ""] {
                let outcome = try await home.run(
                    "vault",
                    "passcode",
                    "set",
                    "--passcode-fd",
                    "3",
                    "--code-fd",
                    "4",
                    secrets: [weak, ""]
                )
                #expect(outcome.status == 64)
                #expect(outcome.errors.recoveryCode == nil, "no code for a passcode that is not taken")
            }
            let isSame = try home.bytes() == before
            #expect(isSame)
            #expect(try await home.status()["protection"] as? String == "device")
            #expect(try await home.names() == ["A"])
        }
    }

    @Test("locked, refuses every command of the library with one error and touches nothing")
    func locked() async throws {
        try await LibraryHome.with { home in
            try await home.succeed("speak", "Some words.", "--save", "--name", "A")
            _ = try await home.setPasscode("4071")
            let (files, names) = (try home.bytes(), home.folder.names)
            for arguments in Self.libraryCommands {
                let outcome = try await home.program(arguments).run()
                #expect(outcome.status == 77, "\(arguments)")
                #expect(outcome.errors == Self.locked, "\(arguments)")
                #expect(outcome.output.isEmpty, "\(arguments)")
            }
            let json = try await home.run("library", "list", "--json")
            #expect(json.status == 77)
            let failure = try #require(try JSONSerialization.jsonObject(with: json.output) as? [String: [String: Any]])
            #expect(failure["error"]?["code"] as? String == "vault.locked")
            let isSame = try home.bytes() == files && home.folder.names == names
            #expect(isSame)
        }
    }

    @Test("takes no secret as an argument")
    func arguments() async throws {
        let home = try LibraryHome()
        for arguments in [
            ["vault", "unlock", "4071"], ["vault", "unlock", "--passcode", "4071"],
            ["vault", "passcode", "set", "4071"], ["vault", "passcode", "set", "--code", "4071"],
            ["vault", "passcode", "change", "4071", "830572"], ["vault", "passcode", "remove", "4071"],
            ["vault", "recover", "4071"], ["vault", "recover", "--new-passcode", "830572"], ["vault", "rekey", "4071"],
            ["vault", "export-identity", "4071"], ["vault", "recovery-code", "4071"],
        ] {
            let outcome = try await home.program(arguments).run()
            #expect(outcome.status == 64, "\(arguments)")
        }
        #expect(!FileManager.default.fileExists(atPath: home.library))
    }

    @Test("asks nobody for a secret where there is no terminal, and takes none from a closed descriptor")
    func nobody() async throws {
        let home = try LibraryHome()
        try await home.succeed("settings", "set", "playback.step", "30")
        let set = try await home.run("vault", "passcode", "set")
        #expect(set.status == 64)
        #expect(set.errors.contains("-fd"))
        // Some of these numbers are descriptors of the program's own by then.
        for number in 3...12 {
            #expect(try await home.run("vault", "passcode", "set", "--passcode-fd", "\(number)").status == 66)
        }
        #expect(try await home.status()["protection"] as? String == "device")
    }

    @Test("says that nobody can open a library whose machine's secret is lost, where no recovery code was ever made")
    func lostWithoutCode() async throws {
        let home = try LibraryHome()
        try await home.copyRecording()
        let secret = home.folder("secret")
        try FileManager.default.moveItem(atPath: home.device, toPath: secret)
        let status = try await home.succeed("vault", "status")
        let report = try await home.status()
        #expect(report["state"] as? String == "recoveryNeeded" && report["retryAfter"] is NSNull)
        #expect(report["deviceFolder"] as? String == home.device)
        #expect(status.contains("no recovery code was ever made"))
        #expect(!status.contains("only the recovery code opens"))
        #expect(status.contains("has this machine's secret in \(home.device)"))
        let typed = ["vault", "recover", "--code-fd", "3", "--new-passcode-fd", "4"]
        for (arguments, secrets) in [(["library", "list"], []), (typed, ["0000-0000-0000-0000-0000-0000-0000", ""])] {
            let refused = try await home.program(arguments + ["--json"], secrets: secrets).run()
            #expect(refused.status == 77, "\(arguments)")
            #expect(refused.text.contains("vault.no-recovery-code"), "\(arguments): \(refused.text)")
            #expect(refused.errors.contains("the secret back"), "\(arguments): \(refused.errors)")
            #expect(!refused.errors.contains("with the recovery code"), "\(arguments): \(refused.errors)")
        }
        try? FileManager.default.removeItem(atPath: home.device)
        try FileManager.default.moveItem(atPath: secret, toPath: home.device)
        #expect(try await home.names() == ["A"])
    }

    @Test("opens by the recovery code where the passcode is forgotten and this machine's secret lost")
    func recovers() async throws {
        try await LibraryHome.with { home in
            try await home.copyRecording()
            let code = try await home.setPasscode("4071")
            try FileManager.default.removeItem(atPath: home.device)
            #expect(try await home.status()["state"] as? String == "recoveryNeeded")
            let refused = try await home.run("vault", "unlock", "--passcode-fd", "3", "--json", secrets: ["4071"])
            #expect(refused.status == 77)
            #expect(refused.text.contains("vault.device-secret-missing"))

            let options = ["vault", "recover", "--code-fd", "3", "--new-passcode-fd", "4", "--json"]
            let misspelt = try await home.program(options, secrets: [String(code.dropLast()), ""]).run()
            #expect(misspelt.status == 64)
            let others = try await home.program(options, secrets: ["0000-0000-0000-0000-0000-0000-0000", ""]).run()
            #expect(others.status == 77)
            #expect(others.text.contains("vault.wrong-recovery-code"))
            var recovered = try await home.program(options, secrets: [code.lowercased(), ""]).run()
            // A single code per second is allowed, whoever types it.
            while recovered.text.contains("vault.locked-out") {
                recovered = try await home.program(options, secrets: [code.lowercased(), ""]).run()
            }
            #expect(recovered.status == 0, "\(recovered.errors)")
            #expect(try await home.status()["protection"] as? String == "device")
            #expect(try await home.names() == ["A"])
        }
    }
}
