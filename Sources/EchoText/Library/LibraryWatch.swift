/// Notices what other programs change in an open library, such as a command that runs beside the server.
package protocol LibraryWatch: Sendable {
    /// One element for everything that others have changed since the last one, soon after they did; what this program
    /// changes itself is no element.
    ///
    /// - Returns: A stream that ends when its reader ends.
    func changesByOthers() -> AsyncStream<Void>
}
