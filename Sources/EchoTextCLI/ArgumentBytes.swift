/// The arguments as the system gave them.
enum ArgumentBytes {
    /// Checks them before they become strings, which would replace what is not UTF-8.
    ///
    /// - Throws: ``CommandError/argumentNotUTF8(number:)``.
    static func check() throws(CommandError) {
        for number in 1..<max(1, Int(CommandLine.argc)) {
            guard let argument = CommandLine.unsafeArgv[number] else { return }
            guard String(validatingCString: argument) != nil else { throw .argumentNotUTF8(number: number) }
        }
    }
}
