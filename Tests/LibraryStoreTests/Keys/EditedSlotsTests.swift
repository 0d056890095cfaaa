import EchoText
import EchoTextTesting
import Foundation
import Synchronization
import Testing

@testable import LibraryStore

/// Threat 23: somebody who can write to the folder edits the slots.
@Suite("Edited slots", .endsInTime)
struct EditedSlotsTests {
    private let room = KeyRoom()

    private static let replacements: [(name: String, pattern: String, new: String)] = [
        ("weak passes", #""passes":\d+"#, #""passes":0"#), ("negative passes", #""passes":\d+"#, #""passes":-3"#),
        ("many passes", #""passes":\d+"#, #""passes":4000000"#),
        ("huge passes", #""passes":\d+"#, #""passes":9223372036854775807"#),
        ("more passes", #""passes":\d+"#, #""passes":2"#), ("weak memory", #""memory":\d+"#, #""memory":1024"#),
        ("no memory", #""memory":\d+"#, #""memory":0"#), ("huge memory", #""memory":\d+"#, #""memory":1099511627776"#),
        ("above 2 GiB", #""memory":\d+"#, #""memory":2147483649"#),
        ("other memory", #""memory":\d+"#, #""memory":16384"#),
        ("fraction", #""memory":\d+"#, #""memory":8192.5"#),
        ("text for a number", #""memory":\d+"#, #""memory":"8192""#),
        ("another type", #""type":"pin""#, #""type":"pw""#), ("device for pin", #""type":"pin""#, #""type":"dev""#),
        ("unknown type", #""type":"pin""#, #""type":"key""#),
        ("another vault", #""vault":"[0-9a-f]{4}"#, #""vault":"0000"#),
        ("short vault", #""vault":"[0-9a-f]{2}"#, #""vault":""#),
        ("another salt", #""salt":"[0-9a-f]{4}"#, #""salt":"0000"#),
        ("another nonce", #""nonce":"[0-9a-f]{4}"#, #""nonce":"0000"#), ("long nonce", #""nonce":""#, #""nonce":"00"#),
        ("another secret", #""sealed":"[0-9a-f]{4}"#, #""sealed":"0000"#),
        ("another commitment", #""commitment":"[0-9a-f]{4}"#, #""commitment":"0000"#),
        ("another id", #""id":"[0-9a-f]{4}"#, #""id":"0000"#),
        ("another device", #""device":"[0-9a-f]{4}"#, #""device":"0000"#),
        ("another generation", #""generation":\d+"#, #""generation":77"#),
        ("another keyring", #""keyring":\d+"#, #""keyring":0"#),
        ("another code", #""mac":"[0-9a-f]{4}"#, #""mac":"0000"#), ("capitals", #""mac":""#, #""mac":"AA"#),
        ("a name twice", #"\{"generation""#, #"{"generation":1,"generation""#),
        ("a name more", #"\{"generation""#, #"{"also":1,"generation""#),
        ("a space", #","#, #", "#), ("older version", #""version":1"#, #""version":0"#),
        ("no slots", #""slots":\[.*\]"#, #""slots":[]"#),
        ("recovery removed", #",\{[^{}]*"type":"rec"\}"#, ""),
        ("passcode removed", #"\{[^{}]*\{[^{}]*\}[^{}]*"type":"pin"\},"#, ""),
        ("nothing", #"^.*$"#, ""), ("deep", #"^.*$"#, String(repeating: "[", count: 60_000)),
        ("a list", #"^.*$"#, "[]"),
        ("too large", #"$"#, String(repeating: " ", count: 70_000)), ("cut short", #".{40}$"#, ""),
    ]

    @Test("open nothing with the passcode, and are noticed at the latest when the recovery code opens")
    func edits() async throws {
        let code = try await room.lock(with: "4071")
        let files = try room.files()
        let text = try String(contentsOfFile: room.slots, encoding: .utf8)
        for edit in Self.replacements {
            let edited = text.replacingOccurrences(of: edit.pattern, with: edit.new, options: .regularExpression)
            #expect(edited != text, "\(edit.name)")
            try room.restore(files)
            try room.put(Data(edited.utf8), at: room.slots)
            let keyStore = try room.keyStore()
            await #expect(throws: VaultError.self, "\(edit.name)") {
                try await keyStore.open(with: .passcode(Passcode(typed: "4071")))
            }
            room.clocks.withLock { $0.pass(1_000) }
            await #expect(throws: VaultError.self, "\(edit.name)") {
                try await keyStore.open(with: .recoveryCode(code))
            }
            await #expect(throws: VaultError.self, "\(edit.name)") { try await keyStore.open(with: .device) }
        }
        try room.restore(files)
        _ = try await room.keyStore().open(with: .passcode(Passcode(typed: "4071")))
    }

    @Test("with a recovery slot removed from a vault without a passcode are noticed")
    func removedRecovery() async throws {
        let keyStore = try room.keyStore()
        let keys = try await keyStore.create()
        let code = keyStore.proposeRecoveryCode()
        try await keyStore.renewRecoveryCode(code.confirmed(by: code.revealed()), passcode: nil, keys: keys)
        let text = try String(contentsOfFile: room.slots, encoding: .utf8)
        let edited = text.replacingOccurrences(of: #",\{[^{}]*"type":"rec"\}"#, with: "", options: .regularExpression)
        try #require(edited != text)
        try room.put(Data(edited.utf8), at: room.slots)
        await #expect(throws: VaultError.slotsDamaged) { try await room.keyStore().open(with: .device) }
    }

    @Test("that ask for more memory than any vault is made with are refused before a try is counted")
    func memory() async throws {
        _ = try await room.lock(with: "4071")
        let files = try room.files()
        let text = try String(contentsOfFile: room.slots, encoding: .utf8)
        for memory in [PasswordCost.floor.memory + 1, 1 << 30, 2 << 30] {
            let edited = text.replacingOccurrences(
                of: #""memory":\d+"#,
                with: "\"memory\":\(memory)",
                options: .regularExpression
            )
            try room.put(Data(edited.utf8), at: room.slots)
            await #expect(throws: VaultError.slotsDamaged, "\(memory)") {
                try await room.keyStore().open(with: .passcode(Passcode(typed: "4071")))
            }
        }
        try room.restore(files)
        await #expect(throws: VaultError.wrongPasscode(remainingFreeTries: 3)) {
            try await room.keyStore().open(with: .passcode(Passcode(typed: "8362")))
        }
    }

    @Test("of a newer version are distinguished from damaged ones")
    func newer() async throws {
        _ = try await room.lock(with: "4071")
        let text = try String(contentsOfFile: room.slots, encoding: .utf8)
        try room.put(Data(text.replacing(#""version":1"#, with: #""version":9,"more":[]"#).utf8), at: room.slots)
        await #expect(throws: VaultError.slotsTooNew(version: 9)) { try await room.keyStore().state() }
    }

    @Test("below the floor of a real vault are refused before anything is hashed")
    func floor() async throws {
        _ = try await room.lock(with: "4071")
        await #expect(throws: VaultError.slotsDamaged) { try await room.keyStore(floor: .floor).state() }
    }

    @Test("are readable by nobody else, and no link")
    func access() async throws {
        _ = try await room.lock(with: "4071")
        try #require(chmod(room.slots, 0o644) == 0)
        await #expect(throws: VaultError.unsafeFolder) { try await room.keyStore().state() }
        try #require(chmod(room.slots, 0o600) == 0)
        try FileManager.default.moveItem(atPath: room.slots, toPath: room.slots + ".moved")
        try FileManager.default.createSymbolicLink(atPath: room.slots, withDestinationPath: room.slots + ".moved")
        await #expect(throws: VaultError.unsafeFolder) { try await room.keyStore().state() }
    }
}

@Suite("Password cost", .endsInTime)
struct PasswordCostTests {
    @Test("is raised until a hash takes 0.7 seconds, and never lowered below the floor")
    func calibration() {
        func passes(_ milliseconds: Int) -> Int {
            PasswordCost.calibrated { .milliseconds(milliseconds) * $0.passes }.passes
        }
        #expect([1_000, 300, 234, 200, 100].map(passes) == [3, 3, 3, 4, 7])
        #expect(passes(1) == 32)  // the cap of 8 GiB of work
        #expect(PasswordCost.calibrated { _ in .seconds(1) }.memory == 256 << 20)
    }

    @Test("of a real vault locks it, and the passcode opens it")
    func real() async throws {
        let room = KeyRoom()
        let keyStore = try room.keyStore(cost: .floor, floor: .floor)
        let keys = try await keyStore.create()
        let code = keyStore.proposeRecoveryCode()
        try await keyStore.setPasscode(
            Passcode(typed: "4071"),
            recoveryCode: code.confirmed(by: code.revealed()),
            keys: keys
        )
        #expect(try await keyStore.open(with: .passcode(Passcode(typed: "4071"))).isSame(as: keys))
    }
}
