import EchoText
import EchoTextTesting
import Foundation
import Testing

@testable import LibraryStore

@Suite("A vault that two programs have open")
struct LibraryVaultTests {
    @Test("is left by who came in without a passcode, when the other sets one", .timeLimit(.minutes(1)))
    func passcodeSetElsewhere() async throws {
        let room = KeyRoom()
        let places = VaultPlaces(
            library: room.library,
            device: room.device,
            runtime: room.path,
            machineID: room.machineID
        )
        let (entered, entering) = AsyncStream.makeStream(of: Void.self)
        let inside = Task {
            try await LibraryVault(places).useOpen { _ in
                entering.yield()
                try await untilCancelled()
            }
        }
        for await _ in entered { break }
        let other = LibraryVault(places, KeyChest.Surroundings(floor: .least))
        let code = other.proposeRecoveryCode()
        try await other.setPasscode(
            Passcode(typed: "correct horse battery"),
            recoveryCode: code.confirmed(by: code.revealed())
        )
        await #expect(throws: VaultError.locked) { try await inside.value }
    }
}
