import CSodium
import EchoText
package import Foundation
import Synchronization

/// Bytes that must not be swapped out, dumped or left in memory: keys and the secrets they are derived from.
///
/// They are in libsodium's secure memory: locked into RAM as far as the limit on locked memory allows, excluded from
/// core dumps, between guard pages, and overwritten when the last reference is released or ``wipe()`` is called.
/// Callers have to wipe copies that they make in ``withUnsafeBytes(_:)``.
package final class SecretBytes: Sendable {
    /// How many bytes there are, also after they have been wiped.
    package let count: Int
    private let memory: Mutex<Memory>

    /// Owns the allocation: cannot be copied, and `deinit` is the only release but for ``release()``.
    private struct Memory: ~Copyable, Sendable {
        /// The address, 0 once wiped.
        ///
        /// It is a number, because `Mutex` does not allow a pointer out of its closure.
        private(set) var address: UInt

        init(_ start: UnsafeMutableRawPointer) {
            address = UInt(bitPattern: start)
        }

        mutating func release() {
            if let start = UnsafeMutableRawPointer(bitPattern: address) { sodium_free(start) }
            address = 0
        }

        deinit {
            if let start = UnsafeMutableRawPointer(bitPattern: address) { sodium_free(start) }
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
        memory = Mutex(Memory(start))
    }

    /// Bytes from the system's source of random numbers.
    package convenience init(randomBytes count: Int) {
        self.init(count: count) { Self.fillWithRandomNumbers($0) }
    }

    static func fillWithRandomNumbers(_ bytes: UnsafeMutableRawBufferPointer) {
        guard let start = bytes.baseAddress else { return }
        randombytes_buf(start, bytes.count)
    }

    /// Concatenates all of `parts`.
    convenience init(joining parts: [SecretBytes]) throws {
        try self.init(count: parts.reduce(0) { $0 + $1.count }) { destination in
            var offset = 0
            for part in parts {
                try part.withUnsafeBytes { bytes in
                    UnsafeMutableRawBufferPointer(rebasing: destination[offset...]).copyMemory(from: bytes)
                }
                offset += part.count
            }
        }
    }

    /// A copy of some of the bytes.
    subscript(range: Range<Int>) -> SecretBytes {
        get throws {
            try withUnsafeBytes { SecretBytes(copying: UnsafeRawBufferPointer(rebasing: $0[range])) }
        }
    }

    /// Whether the bytes are equal, compared in constant time.
    func isEqual(to other: SecretBytes) throws -> Bool {
        guard self !== other else { return true }
        return try withUnsafeBytes { one in
            try other.withUnsafeBytes { other in
                one.count == other.count && sodium_memcmp(one.baseAddress, other.baseAddress, one.count) == 0
            }
        }
    }

    /// Copies `bytes`, at least one; the caller has to overwrite the original.
    package convenience init(copying bytes: some ContiguousBytes) {
        let count = bytes.withUnsafeBytes { $0.count }
        self.init(count: count) { destination in
            bytes.withUnsafeBytes { destination.copyMemory(from: $0) }
        }
    }

    /// Passes the bytes to `body`; the pointer must not escape.
    ///
    /// - Throws: ``VaultError/locked`` when they have been wiped, and what `body` throws.
    package func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) throws -> Result {
        try memory.withLock { memory in
            guard let start = UnsafeRawPointer(bitPattern: memory.address) else { throw VaultError.locked }
            return try body(UnsafeRawBufferPointer(start: start, count: count))
        }
    }

    /// Overwrites the bytes for good; every later use throws ``VaultError/locked``.
    package func wipe() {
        memory.withLock { $0.release() }
    }
}
