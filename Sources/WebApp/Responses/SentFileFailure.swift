import EchoText

/// An error together with the file that it is about, for the client that sent the file.
///
/// The message itself names no file, since messages end up in logs as well.
struct SentFileFailure: UserFacingError {
    /// As the client wrote it.
    let fileName: String
    let cause: any UserFacingError

    var failure: Failure { cause.failure }

    /// Does `work`, and adds the file to its error; what is no fault of a file comes as it is.
    ///
    /// - Throws: What `work` throws, or that with the file's name.
    static func naming<Output>(_ fileName: String, _ work: () async throws -> Output) async throws -> Output {
        do {
            return try await work()
        } catch let error as any UserFacingError
            where !fileName.isEmpty && !(error is VaultError) && !(error is WebError)
        {
            throw SentFileFailure(fileName: fileName, cause: error)
        }
    }
}
