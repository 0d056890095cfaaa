/// Holds a file that the person has handed in until it is installed, beside the voices, and removes it afterwards.
package protocol VoiceInbox: Sendable {
    /// Takes a file in, and lends it to `work`.
    ///
    /// - Parameters:
    ///   - name: The file's name; characters that are unsafe in a file name are removed.
    ///   - fill: Gives the file's content piece by piece.
    ///   - work: Gets the absolute path of the file.
    /// - Returns: What `work` returned.
    /// - Throws: ``VoiceInstallError/cannotWrite``, ``VoiceInstallError/noSpace(needed:free:)``, and what `fill` and `work` throw.
    func hold<Output: Sendable>(
        named name: String,
        filledBy fill: (_ take: ([UInt8]) async throws -> Void) async throws -> Void,
        _ work: (_ path: String) async throws -> Output
    ) async throws -> Output
}
