import CSodium
import EchoText
package import Foundation
import Synchronization

/// Bytes that must not be swapped out, dumped or left behind: keys and what they are made from.
///
/// They lie in memory of libsodium's: locked into RAM where the limit on locked memory allows, left out of core dumps, between guard pages,
/// and overwritten when the last owner is gone or ``wipe()`` is called. Copies made from inside ``withUnsafeBytes(_:)``
/// are the caller's to keep short.
package final class SecretBytes: Sendable {
    /// How many bytes there are, also after they have been wiped.
    package let count: Int
    private let memory: Mutex<Memory>

    /// Owns the allocation: cannot be copied, and `deinit` is the only release.
    private struct Memory: ~Copyable {
        /// nil once wiped.
        var start: UnsafeMutableRawPointer?

        mutating func release() {
            if let start { sodium_free(start) }
            start = nil
        }

        deinit {
            if let start { sodium_free(start) }
        }
    }

    /// - Parameters:
    ///   - count: How many bytes, at least 1.
    ///   - fill: Writes all of them.
    package init(count: Int, fill: (UnsafeMutableRawBufferPointer) throws -> Void) rethrows {
        precondition(count > 0, "a secret has at least 1 byte, got \(count)")
        precondition(sodium_init() >= 0, "libsodium cannot start: the system has no random numbers")
        guard let start = sodium_malloc(count) else {
            preconditionFailure("no memory is left for \(count) secret bytes")
        }
        do {
            try fill(UnsafeMutableRawBufferPointer(start: start, count: count))
        } catch {
            sodium_free(start)
            throw error
        }
        self.count = count
        memory = Mutex(Memory(start: start))
    }

    /// Bytes from the system's source of random numbers.
    package convenience init(randomBytes count: Int) {
        self.init(count: count) { bytes in
            // Never empty, so there is an address.
            if let start = bytes.baseAddress { randombytes_buf(start, bytes.count) }
        }
    }

    /// A copy of `bytes`, of which there is at least one; the original is the caller's to overwrite.
    package convenience init(copying bytes: some ContiguousBytes) {
        let count = bytes.withUnsafeBytes { $0.count }
        self.init(count: count) { destination in
            bytes.withUnsafeBytes { destination.copyMemory(from: $0) }
        }
    }

    /// Lends the bytes; the pointer is not to leave `body`.
    ///
    /// - Throws: ``VaultError/locked`` when they have been wiped, and what `body` throws.
    package func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) throws -> Result {
        try memory.withLock { memory in
            guard let start = memory.start else { throw VaultError.locked }
            // By its address, because the compiler takes a pointer for a share of the lock.
            let address = UnsafeRawPointer(bitPattern: UInt(bitPattern: start))
            return try body(UnsafeRawBufferPointer(start: address, count: count))
        }
    }

    /// Overwrites the bytes for good; every later use throws ``VaultError/locked``.
    package func wipe() {
        memory.withLock { $0.release() }
    }
}
