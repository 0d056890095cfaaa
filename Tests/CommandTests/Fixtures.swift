import EchoTextTesting

/// The voices that `make fixtures` makes, and the program that speaks with them.
enum Fixtures {
    /// `.build/fixtures`, wherever `ECHOTEXT_FIXTURES` does not say otherwise.
    static let folder = BuiltPackage.fixtures
    static let voice = "\(folder)/vits-piper-en_US-fixture-low"
    static let library = BuiltPackage.sherpaONNX

    /// The program, next to the tests it was built with.
    static var program: String { BuiltPackage.program("echotext") }

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
