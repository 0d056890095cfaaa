import Foundation

/// The results of building this package, where its tests find them.
package enum BuiltPackage {
    private static let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL.path

    /// The results of `make fixtures`: `.build/fixtures`, unless `ECHOTEXT_FIXTURES` names another folder.
    package static let fixtures =
        ProcessInfo.processInfo.environment["ECHOTEXT_FIXTURES"] ?? "\(root)/.build/fixtures"
    /// The folder of sherpa-onnx's libraries.
    package static let sherpaONNX =
        ProcessInfo.processInfo.environment["ECHOTEXT_SHERPA_ONNX"] ?? "\(root)/.deps/sherpa-onnx/lib"

    /// The path of a program of this package, which is next to the tests it was built with; `ECHOTEXT_PROGRAM` may name
    /// another `echotext`.
    package static func program(_ name: String) -> String {
        if name == "echotext", let named = ProcessInfo.processInfo.environment["ECHOTEXT_PROGRAM"] { return named }
        // A link of the kernel's, which is always there.
        let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(filePath: tests).deletingLastPathComponent().appending(path: name).path
    }
}
