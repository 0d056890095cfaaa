/// The limits on the content of an untrusted archive.
///
/// They allow only regular files and folders with plain names, in bounded number and size. The unpacker checks them,
/// and the process that writes what was unpacked checks them again.
package struct ArchiveRules: Sendable, Hashable, Codable {
    /// Most files and folders; a Piper voice with espeak-ng's data has some 400.
    package var maximumEntries = 4_096
    /// Most bytes of all files together.
    package var maximumBytes = 4 << 30
    /// Most bytes for each byte of the archive.
    ///
    /// Models pack to nine tenths, text to a quarter.
    package var maximumBytesPerByte = 40
    /// Bytes that any archive may unpack to, however small it is.
    package var freeBytes = 16 << 20

    /// Most bytes of a name as a whole.
    package static let longestName = 1_000
    /// The most bytes of one path component; file systems allow no more.
    package static let longestPart = 255
    /// Most parts of a name.
    package static let deepest = 12

    package init() {}

    /// `name` for a person: without controls, in quotation marks' reach, at most 80 characters.
    package static func shown(_ name: String) -> String {
        let harmless = name.unicodeScalars.map { isPlain($0) ? Character($0) : "�" }
        return harmless.count <= 80 ? String(harmless) : String(harmless.prefix(79)) + "…"
    }

    /// Splits a relative path into its components.
    ///
    /// - Returns: At least one component, none of them empty, `.` or `..`; empty for `.`, the folder itself.
    /// - Throws: ``ModelInstallError/forbidden(_:name:)``.
    package static func parts(of name: String) throws(ModelInstallError) -> [String] {
        func bad(_ problem: ModelInstallError.Forbidden) -> ModelInstallError { .forbidden(problem, name: shown(name)) }
        guard !name.isEmpty, name.utf8.count <= longestName else { throw bad(.badName) }
        // Compared as bytes, as the system does: a slash with a combining mark is a different Character, but still a
        // separator.
        guard name.utf8.first != slash else { throw bad(.absolutePath) }
        guard name.unicodeScalars.allSatisfy(isPlain) else { throw bad(.badName) }
        let parts = name.utf8.split(separator: slash).map { String(Substring($0)) }.filter { $0 != "." }
        guard !parts.contains("..") else { throw bad(.parentPath) }
        guard parts.allSatisfy({ $0.utf8.count <= longestPart }) else { throw bad(.badName) }
        guard parts.count <= deepest else { throw bad(.tooDeep) }
        return parts
    }

    /// No system that names are shared with takes a backslash in them.
    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool { scalar.isSafeToShow && scalar != "\\" }

    /// Whether a part of a name begins with a dot, as the system sees it.
    package static func isHidden(_ part: String) -> Bool { part.utf8.first == UInt8(ascii: ".") }

    private static let slash = UInt8(ascii: "/")
}

/// Enforces the rules on the content of one archive, piece by piece.
package struct ArchiveCount: Sendable {
    private let rules: ArchiveRules
    /// Most bytes that an archive of this size may unpack to.
    private let maximumBytes: Int
    private let isRatioNearer: Bool
    private var entries = 0
    private var bytes = 0
    /// Names so far, files and all folders on the way to them.
    private var files: Set<[String]> = []
    private var folders: Set<[String]> = []

    /// - Parameters:
    ///   - rules: The rules.
    ///   - archiveSize: The size of the archive, in bytes.
    package init(_ rules: ArchiveRules, archiveSize: Int) {
        self.rules = rules
        let (product, overflows) = archiveSize.multipliedReportingOverflow(by: rules.maximumBytesPerByte)
        let byRatio = max(rules.freeBytes, overflows ? .max : product)
        isRatioNearer = byRatio < rules.maximumBytes
        maximumBytes = min(byRatio, rules.maximumBytes)
    }

    /// Counts another file or folder.
    ///
    /// - Parameters:
    ///   - name: Its name in the archive.
    ///   - size: Its declared size in bytes; `nil` if undeclared, and for a folder.
    ///   - isFolder: Whether it is a folder.
    /// - Throws: ``ModelInstallError``.
    package mutating func begin(_ name: String, size: Int?, isFolder: Bool) throws(ModelInstallError) {
        entries += 1
        guard entries <= rules.maximumEntries else { throw .tooManyFiles(limit: rules.maximumEntries) }
        let parts = try ArchiveRules.parts(of: name)
        let above = parts.indices.dropFirst().map { Array(parts[..<$0]) }
        guard !files.contains(parts), !above.contains(where: files.contains) else { throw taken(name) }
        if isFolder {
            folders.insert(parts)
        } else {
            guard !parts.isEmpty, !folders.contains(parts) else { throw taken(name) }
            files.insert(parts)
        }
        folders.formUnion(above)
        if let size, size > maximumBytes - bytes { throw tooMuch }
    }

    /// Counts bytes of a file.
    ///
    /// - Throws: ``ModelInstallError/tooMuchInside(limit:)`` or ``ModelInstallError/bomb``.
    package mutating func add(_ count: Int) throws(ModelInstallError) {
        guard count <= maximumBytes - bytes else { throw tooMuch }
        bytes += count
    }

    private var tooMuch: ModelInstallError {
        isRatioNearer ? .bomb : .tooMuchInside(limit: Int64(rules.maximumBytes))
    }

    private func taken(_ name: String) -> ModelInstallError { .forbidden(.twice, name: ArchiveRules.shown(name)) }
}

/// A piece of an archive's content, in order.
package enum ArchivePiece: Sendable, Hashable {
    /// A folder, by its name in the archive.
    case folder(String)
    /// A file begins; its bytes follow.
    case file(String)
    /// The next bytes of the file, at least one.
    case bytes([UInt8])
}

/// Unpacks archives: the port to the reader of untrusted archives.
///
/// `verifyContract(of:)` in `EchoTextTesting` checks that only plain files and folders within the rules come out, in
/// the archive's order, and that a cancelled call throws `CancellationError`.
package protocol ArchiveUnpacker: Sendable {
    /// Unpacks everything in an archive.
    ///
    /// - Parameters:
    ///   - path: The path of the archive.
    ///   - rules: The limits on its content.
    ///   - take: Receives the pieces, on a thread that may block. An error that it throws ends the call.
    /// - Throws: ``ModelInstallError``, what `take` throws, or `CancellationError`.
    func unpack(
        _ path: String,
        by rules: ArchiveRules,
        take: @escaping @Sendable (ArchivePiece) throws -> Void
    ) async throws
}
