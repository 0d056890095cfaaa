import EchoText
import EchoTextTesting
import Foundation
import Synchronization
import Testing

@testable import LibraryStore

/// F-18 of the fault plan: whatever fails, and wherever the program ends, an old or a new credential opens the vault.
@Suite("Keys under faults", .endsInTime)
struct KeyFaultTests {
    enum Change: String, CaseIterable {
        case create, set, change, remove, recover, recoverWithoutPasscode, recoverElsewhere, renew, rotate
    }

    private struct Scene {
        let room = KeyRoom()
        let change: Change
        var files: [String: Data] = [:]
        var recoveryCode: RecoveryCode?
        let newCode = RecoveryCode()
        var keys: VaultKeys?

        init(_ change: Change) async throws {
            self.change = change
            let keyStore = try room.keyStore()
            switch change {
            case .create: break
            case .set, .rotate: keys = try await keyStore.create()
            case .change, .remove, .recover, .recoverWithoutPasscode, .recoverElsewhere, .renew:
                recoveryCode = try await room.lock(with: "4071")
                keys = try await keyStore.open(with: .passcode(Passcode(typed: "4071")))
            }
            if change == .recoverElsewhere { try room.put(Data("another\n".utf8), at: room.machineID) }
            files = try room.files()
        }

        /// Back to before the change, a while later.
        func rewind() throws {
            room.disk.arm(nil)
            room.clocks.withLock { $0.pass(1_000) }
            try room.restore(files)
        }

        func run() async throws {
            let keyStore = try room.keyStore()
            switch change {
            case .create: _ = try await keyStore.create()
            case .set:
                let confirmed = try newCode.confirmed(by: newCode.revealed())
                try await keyStore.setPasscode(
                    Passcode(typed: "830572"),
                    recoveryCode: confirmed,
                    keys: try #require(keys)
                )
            case .change:
                try await keyStore.changePasscode(from: Passcode(typed: "4071"), to: Passcode(typed: "830572"))
            case .remove: try await keyStore.removePasscode(Passcode(typed: "4071"))
            case .recover, .recoverElsewhere:
                _ = try await keyStore.recover(with: try #require(recoveryCode), newPasscode: Passcode(typed: "830572"))
            case .recoverWithoutPasscode:
                _ = try await keyStore.recover(with: try #require(recoveryCode), newPasscode: nil)
            case .renew:
                let confirmed = try newCode.confirmed(by: newCode.revealed())
                try await keyStore.renewRecoveryCode(
                    confirmed,
                    passcode: Passcode(typed: "4071"),
                    keys: try #require(keys)
                )
            case .rotate: _ = try await keyStore.rotate(try #require(keys))
            }
        }

        /// The arguments for StoreFixture to do the same.
        func arguments() throws -> [String] {
            let (old, new) = ("4071", "830572")
            let known = try recoveryCode?.revealed() ?? ""
            return switch change {
            case .create: preconditionFailure("StoreFixture makes no vault")
            case .set: ["set", new, try newCode.revealed()]
            case .change: ["change", old, new]
            case .remove: ["remove", old]
            case .recover, .recoverElsewhere: ["recover", known, new]
            case .recoverWithoutPasscode: ["recover", known, ""]
            case .renew: ["renew", old, try newCode.revealed()]
            case .rotate: ["rotate"]
            }
        }

        /// The credentials that open the vault now, by name; their keys must be the vault's.
        func openers() async throws -> Set<String> {
            var openers: Set<String> = []
            let codes = [("old code", recoveryCode), ("new code", newCode)].compactMap { name, code in
                code.map { (name, KeyStore.Credential.recoveryCode($0)) }
            }
            let credentials =
                [
                    ("device", KeyStore.Credential.device), ("4071", .passcode(try Passcode(typed: "4071"))),
                    ("830572", .passcode(try Passcode(typed: "830572"))),
                ] + codes
            for (name, credential) in credentials {
                room.clocks.withLock { $0.pass(1_000) }
                do {
                    let opened = try await room.keyStore().open(with: credential)
                    if let keys { #expect(try opened.purposeKey("test").copy == keys.purposeKey("test").copy) }
                    openers.insert(name)
                } catch is VaultError {}
            }
            return openers
        }

        /// The credentials that must open it before and after the change.
        var expected: (before: Set<String>, after: Set<String>) {
            switch change {
            case .create: ([], ["device"])
            case .set: (["device"], ["830572", "new code"])
            case .change, .recover: (["4071", "old code"], ["830572", "old code"])
            case .remove, .recoverWithoutPasscode: (["4071", "old code"], ["device", "old code"])
            case .recoverElsewhere: (["old code"], ["830572", "old code"])
            case .renew: (["4071", "old code"], ["4071", "new code"])
            case .rotate: (["device"], ["device"])
            }
        }
    }

    @Test("open with the old or the new credential after a failure of each step", arguments: Change.allCases)
    func failures(_ change: Change) async throws {
        try await check(change) { .failure(step: $0) }
    }

    @Test(
        "open with the old or the new credential after the program ended before each step",
        arguments: Change.allCases
    )
    func deaths(_ change: Change) async throws {
        try await check(change) { .death(step: $0) }
    }

    /// The calls by which a change reaches the disk.
    private static let calls = ["write", "fsync", "renameat", "unlinkat"]

    @Test(
        "open with the old or the new credential after the process was killed at each call that writes",
        .enabled(if: StoreProcess.hasTracer, "needs the package strace"),
        arguments: Change.allCases.filter { $0 != .create }
    )
    func kills(_ change: Change) async throws {
        let scene = try await Scene(change)
        let expected = scene.expected
        for call in Self.calls {
            var place = 1
            while true {
                try scene.rewind()
                let lines = try await StoreProcess(
                    keys: scene.room,
                    scene.arguments(),
                    traced: "\(call):signal=KILL:when=\(place)"
                ).rest()
                let openers = try await scene.openers()
                if lines.last == "done" {
                    #expect(openers == expected.after, "\(call) \(place)")
                    break
                }
                #expect(lines.isEmpty, "\(lines)")
                #expect(openers == expected.before || openers == expected.after, "\(call) \(place)")
                try await checkRemains(scene, "\(call) \(place)")
                place += Counts.of(10) == 10 ? 1 : 5
            }
            #expect(place > 1, "no \(call) was seen")
        }
    }

    private func check(_ change: Change, fault: (Int) -> Disk.Fault) async throws {
        let scene = try await Scene(change)
        let expected = scene.expected
        #expect(try await scene.openers() == expected.before)
        try scene.rewind()
        try await scene.run()
        let steps = scene.room.disk.steps
        #expect(try await scene.openers() == expected.after)
        // A tenth of the steps, different ones for each change; all of them in the long tests.
        let stride = Counts.of(10) == 10 ? 1 : 10
        let first = (Change.allCases.firstIndex(of: change) ?? 0) % stride
        for step in Swift.stride(from: first, to: steps, by: stride) {
            try scene.rewind()
            scene.room.disk.arm(fault(step))
            let isDone = try await succeeds(scene)
            scene.room.disk.arm(nil)
            let openers = try await scene.openers()
            if isDone {
                #expect(openers == expected.after, "step \(step)")
            } else {
                #expect(openers == expected.before || openers == expected.after, "step \(step)")
            }
            try await checkRemains(scene, "step \(step)")
            // Repeating the change succeeds from any interruption, unless it had been completed.
            if openers == expected.before {
                scene.room.clocks.withLock { $0.pass(1_000) }
                try await scene.run()
                #expect(try await scene.openers() == expected.after, "again after step \(step)")
            }
        }
    }

    /// A step may fail without harm, such as taking a draft away; then the change has been done.
    private func succeeds(_ scene: Scene) async throws -> Bool {
        do {
            try await scene.run()
            return true
        } catch is VaultError {
            return false
        } catch is Disk.Died {
            return false
        }
    }

    /// After the vault was opened, no leftover of an interrupted change opens it.
    private func checkRemains(_ scene: Scene, _ comment: Comment) async throws {
        guard try await scene.room.keyStore().state() != .uninitialised else { return }
        let slots = try String(contentsOfFile: scene.room.slots, encoding: .utf8)
        #expect(!(slots.contains("\"dev\"") && (slots.contains("\"pin\"") || slots.contains("\"pw\""))), comment)
        let opened = try await scene.openers()
        guard !opened.isDisjoint(with: ["device", "4071", "830572"]) else { return }
        let size = try Data(contentsOf: URL(filePath: scene.room.deviceFile("device"))).count
        #expect(size == 106, comment)  // One secret: 16 + 2 + 40 + 16 + 32 bytes.
        #expect(!FileManager.default.fileExists(atPath: "\(scene.room.library)/.slots.json.partial"), comment)
    }
}
