/// A piece of an archive's content, in order.
package enum ArchivePiece: Sendable, Hashable {
    /// A folder, by its name in the archive.
    case folder(String)
    /// A file begins; its bytes follow.
    case file(String)
    /// The next bytes of the file, at least one.
    case bytes([UInt8])
}

/// Opens archives: the port to whatever reads a stranger's archive.
///
/// `verifyContract(of:)` in `EchoTextTesting` checks that only plain files and folders within the rules come out, in the
/// archive's order, and that a cancelled call throws `CancellationError`.
package protocol ArchiveUnpacker: Sendable {
    /// Hands out all that is in an archive.
    ///
    /// - Parameters:
    ///   - path: The archive, a file.
    ///   - rules: What may be in it.
    ///   - take: Gets the pieces, on a thread that may block. What it throws ends the call.
    /// - Throws: ``VoiceInstallError``, what `take` throws, or `CancellationError`.
    func unpack(
        _ path: String,
        by rules: ArchiveRules,
        take: @escaping @Sendable (ArchivePiece) throws -> Void
    ) async throws
}
