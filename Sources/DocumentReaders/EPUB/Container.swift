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

    /// Where the list of files is taken from.
    private enum Source {
        /// The directory at the end of the container.
        case directory
        /// The header before each file, for a container whose directory is lost or damaged.
        case headers
    }

    private let bytes: Data
    private let source: Source
    /// All names, including those of folders.
    let names: Set<String>
    /// The names by their form without case and percent encoding; those of several files are left out.
    private let alike: [String: String]

    /// - Throws: ``DocumentError/damaged(_:)``, ``DocumentError/tooMuchInside``, `CancellationError`.
    init(_ bytes: Data) throws {
        let listed = try Self.names(in: bytes, by: .directory)
        let met = try listed.isWhole ? [] : Self.names(in: bytes, by: .headers).names
        self.bytes = bytes
        let isBetter = met.count > listed.names.count
        names = isBetter ? met : listed.names
        source = isBetter ? .headers : .directory
        guard !names.isEmpty else { throw DocumentError.damaged(.epub) }
        let forms = Dictionary(grouping: names, by: Self.form)
        alike = forms.compactMapValues { $0.count == 1 ? $0.first : nil }
    }

    private static func names(in bytes: Data, by source: Source) throws -> (names: Set<String>, isWhole: Bool) {
        var names: Set<String> = []
        let isWhole = try visit(bytes, by: source) { name, _ in
            names.insert(name)
            return true
        }
        return (names, isWhole)
    }

    private static func form(_ name: String) -> String { (name.removingPercentEncoding ?? name).lowercased() }

    /// The name of the file that is meant by `name`: this one, else the only one that differs from it in case or percent
    /// encoding alone.
    private func actual(_ name: String) -> String { names.contains(name) ? name : alike[Self.form(name)] ?? name }

    /// Whether there is a file of this name.
    func has(_ name: String) -> Bool { names.contains(actual(name)) }

    /// The contents of the files in `wanted` that exist and can be unpacked.
    ///
    /// - Throws: ``DocumentError/tooMuchInside``, `CancellationError`.
    func contents(of wanted: Set<String>) throws -> [String: Data] {
        var found: [String: Data] = [:]
        var total = 0
        guard !wanted.isEmpty else { return [:] }
        let asked = Dictionary(grouping: wanted, by: actual)
        try Self.visit(bytes, by: source) { name, archive in
            guard let asked = asked[name], asked.contains(where: { found[$0] == nil }) else { return true }
            guard let content = try Self.content(archive, most: min(Self.largestEntry, Self.maximumBytes - total))
            else {
                return true
            }
            for name in asked { found[name] = content }
            total += content.count
            // Markup is compressed to a tenth or a thirtieth of its size; a ratio above 150 is not a book.
            guard total < 16_000_000 || total / 150 < bytes.count else { throw DocumentError.tooMuchInside }
            return found.count < wanted.count
        }
        return found
    }

    /// Calls `take` for every file until it returns that it has enough.
    ///
    /// - Returns: Whether the list of files was read to its end or as far as needed.
    @discardableResult
    private static func visit(
        _ bytes: Data,
        by source: Source,
        _ take: (String, OpaquePointer) throws -> Bool
    ) throws -> Bool {
        try bytes.withUnsafeBytes { bytes in
            guard let archive = archive_read_new() else { throw DocumentError.damaged(.epub) }
            defer { archive_read_free(archive) }
            var first = 0
            switch source {
            case .directory: archive_read_support_format_zip_seekable(archive)
            case .headers:
                archive_read_support_format_zip_streamable(archive)
                first = Self.firstHeader(bytes) ?? 0
            }
            let locale = UnicodeLocale()
            defer { locale.end() }
            let contents = UnsafeRawBufferPointer(rebasing: bytes[first...])
            guard archive_read_open_memory(archive, contents.baseAddress, contents.count) == ARCHIVE_OK else {
                return false
            }
            var entries = 0
            var entry: OpaquePointer?
            while true {
                let status = archive_read_next_header(archive, &entry)
                // Entries after a damaged one cannot be trusted; those before it are valid.
                guard status == ARCHIVE_OK || status == ARCHIVE_WARN, let entry else { return status == ARCHIVE_EOF }
                try Task.checkCancellation()
                entries += 1
                guard entries <= maximumEntries else { throw DocumentError.tooMuchInside }
                let name = archive_entry_pathname_utf8(entry) ?? archive_entry_pathname(entry)
                guard let name else { continue }
                guard try take(String(cString: name), archive) else { return true }
            }
        }
    }

    /// The place of the first file's header, before which other bytes may stand.
    private static func firstHeader(_ bytes: UnsafeRawBufferPointer) -> Int? {
        let sign = Array("PK\u{03}\u{04}".utf8)
        return bytes.prefix(65_536).indices.first { bytes[$0...].starts(with: sign) }
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
