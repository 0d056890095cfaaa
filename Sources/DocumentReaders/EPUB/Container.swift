import CArchive
import EchoText
import Foundation

/// The files in an EPUB's container, unpacked in memory on demand.
///
/// Names are only keys: no file is written, so hostile names do no harm.
struct Container {
    private static let maximumEntries = 20_000
    /// The limit on bytes unpacked in one call, and of one file.
    private static let maximumBytes = 160_000_000
    private static let largestEntry = 48_000_000

    private let bytes: Data
    /// All names, including those of folders.
    let names: Set<String>

    /// - Throws: ``DocumentError/damaged(_:)``, ``DocumentError/tooMuchInside``, `CancellationError`.
    init(_ bytes: Data) throws {
        self.bytes = bytes
        var names: Set<String> = []
        try Self.visit(bytes) { name, _ in
            names.insert(name)
            return true
        }
        guard !names.isEmpty else { throw DocumentError.damaged(.epub) }
        self.names = names
    }

    /// The contents of the files in `wanted` that exist and can be unpacked.
    ///
    /// - Throws: ``DocumentError/tooMuchInside``, `CancellationError`.
    func contents(of wanted: Set<String>) throws -> [String: Data] {
        var found: [String: Data] = [:]
        var total = 0
        guard !wanted.isEmpty else { return [:] }
        try Self.visit(bytes) { name, archive in
            guard wanted.contains(name), found[name] == nil else { return true }
            guard let content = try Self.content(archive, most: min(Self.largestEntry, Self.maximumBytes - total))
            else {
                return true
            }
            found[name] = content
            total += content.count
            // Markup is compressed to a tenth or a thirtieth of its size; a ratio above 150 is not a book.
            guard total < 16_000_000 || total / 150 < bytes.count else { throw DocumentError.tooMuchInside }
            return found.count < wanted.count
        }
        return found
    }

    /// Calls `take` for every file until it returns that it has enough.
    private static func visit(_ bytes: Data, _ take: (String, OpaquePointer) throws -> Bool) throws {
        try bytes.withUnsafeBytes { bytes in
            guard let archive = archive_read_new() else { throw DocumentError.damaged(.epub) }
            defer { archive_read_free(archive) }
            archive_read_support_format_zip_seekable(archive)
            let locale = UnicodeLocale()
            defer { locale.end() }
            guard archive_read_open_memory(archive, bytes.baseAddress, bytes.count) == ARCHIVE_OK else {
                throw DocumentError.damaged(.epub)
            }
            var entries = 0
            var entry: OpaquePointer?
            while true {
                let status = archive_read_next_header(archive, &entry)
                // Entries after a damaged one cannot be trusted; those before it are valid.
                guard status == ARCHIVE_OK || status == ARCHIVE_WARN, let entry else { return }
                try Task.checkCancellation()
                entries += 1
                guard entries <= maximumEntries else { throw DocumentError.tooMuchInside }
                let name = archive_entry_pathname_utf8(entry) ?? archive_entry_pathname(entry)
                guard let name else { continue }
                guard try take(String(cString: name), archive) else { return }
            }
        }
    }

    /// The rest of the entry; `nil` for a damaged or encrypted one.
    private static func content(_ archive: OpaquePointer, most: Int) throws -> Data? {
        var content = Data()
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
        defer { piece.deallocate() }
        while true {
            let count = archive_read_data(archive, piece.baseAddress, piece.count)
            guard count >= 0 else { return nil }
            guard count > 0, let base = piece.baseAddress else { return content }
            content.append(base.assumingMemoryBound(to: UInt8.self), count: count)
            guard content.count <= most else { throw DocumentError.tooMuchInside }
            try Task.checkCancellation()
        }
    }
}

/// A locale for the calling thread in which libarchive keeps all characters of names; in the C locale it drops
/// non-ASCII ones.
private struct UnicodeLocale {
    private let former: locale_t?
    private let own: locale_t?

    init() {
        own = newlocale(1 << LC_CTYPE, "C.UTF-8", nil)
        former = own.flatMap { uselocale($0) }
    }

    func end() {
        guard let own else { return }
        uselocale(former)
        freelocale(own)
    }
}

/// Resolves references between the files of a container.
enum ContainerPath {
    /// Resolves `reference`, as written in the file `base`.
    ///
    /// - Returns: A name and the part after “#”; `nil` for a reference that leaves the container.
    static func resolve(_ reference: String, from base: String) -> (name: String, fragment: String?)? {
        let parts = reference.trimmed.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let fragment = parts.count > 1 ? String(parts[1]).removingPercentEncoding ?? String(parts[1]) : nil
        guard let first = parts.first, !first.contains(":") else { return nil }
        let bare = first.prefix { $0 != "?" }
        // A name with a bare percent sign is taken as it is written.
        let path = String(bare).removingPercentEncoding ?? String(bare)
        if path.isEmpty { return (base, fragment) }
        var folders = path.hasPrefix("/") ? [] : base.split(separator: "/").dropLast().map(String.init)
        for part in path.split(separator: "/") where part != "." {
            if part == ".." {
                guard folders.popLast() != nil else { return nil }
            } else {
                folders.append(String(part))
            }
        }
        return folders.isEmpty ? nil : (folders.joined(separator: "/"), fragment)
    }
}
