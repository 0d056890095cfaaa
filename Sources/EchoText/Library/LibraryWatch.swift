/// Detects changes to an open library by other processes, such as a command that runs while the server does.
package protocol LibraryWatch: Sendable {
    /// Emits an element soon after other processes have changed something; changes by this process emit none.
    ///
    /// - Returns: A stream that ends when its reader ends.
    func changesByOthers() -> AsyncStream<Void>
}
