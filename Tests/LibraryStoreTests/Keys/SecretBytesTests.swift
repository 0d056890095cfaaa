import EchoText
import Foundation
import LibraryStore
import Testing

@Suite("Secret bytes")
struct SecretBytesTests {
    @Test("keep what they were given until they are wiped")
    func lifetime() throws {
        let secret = SecretBytes(copying: Data([1, 2, 3]))
        #expect(try secret.withUnsafeBytes { Array($0) } == [1, 2, 3])
        secret.wipe()
        secret.wipe()
        #expect(secret.count == 3)
        #expect(throws: VaultError.locked) { try secret.withUnsafeBytes { _ in } }
    }

    @Test("say nothing of their bytes when they are printed")
    func description() {
        let secret = SecretBytes(copying: Data("hush-hush".utf8))
        var dumped = ""
        dump(secret, to: &dumped)
        #expect(!"\(secret) \(String(reflecting: secret)) \(dumped)".contains("hush"))
    }

    @Test("of random numbers differ")
    func random() throws {
        let (one, other) = (SecretBytes(randomBytes: 32), SecretBytes(randomBytes: 32))
        #expect(try one.withUnsafeBytes { Data($0) } != other.withUnsafeBytes { Data($0) })
    }
}
