import Foundation

/// The sandbox that workers run in where it is installed.
package enum Bubblewrap {
    package static let path = "/usr/bin/bwrap"

    /// Whether it is installed and can make a sandbox.
    package static let canSandbox: Bool = {
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = ["--unshare-all", "--ro-bind", "/", "/", "/usr/bin/true"]
        // A failed start means that it is not installed.
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()
}
