import Foundation

/// The voices that `make fixtures` makes, and the program that speaks with them.
enum Fixtures {
    /// `.build/fixtures`, wherever `ECHOTEXT_FIXTURES` does not say otherwise.
    static let folder = ProcessInfo.processInfo.environment["ECHOTEXT_FIXTURES"] ?? "\(root)/.build/fixtures"
    static let voice = "\(folder)/vits-piper-en_US-fixture-low"
    static let library = ProcessInfo.processInfo.environment["ECHOTEXT_SHERPA_ONNX"] ?? "\(root)/.deps/sherpa-onnx/lib"

    private static let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL.path

    /// The program, next to the tests it was built with.
    static var program: String {
        let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(filePath: tests).deletingLastPathComponent().appending(path: "echotext").path
    }

    /// About `count` words of a text without end.
    static func text(words count: Int) -> String {
        let sentences = [
            "The old lighthouse stood at the end of the road.",
            "Every evening its keeper climbed the narrow stairs.",
            "He looked at the sea, and the sea looked back.",
            "Nothing else happened for many years.",
        ]
        var text = ""
        for index in 0..<max(1, count / 9) { text += sentences[index % 4] + (index % 8 == 7 ? "\n\n" : " ") }
        return text
    }
}
