import Foundation
import Testing

@testable import WebApp

@Suite("Scripts as they are sent")
struct SentScriptTests {
    @Test(
        "are without the comments that have lines of their own, each line where it was",
        arguments: [
            ("a();\n/** For whom? */\nb();", "a();\n\nb();"),
            ("/**\n * For whom?\n *\n * @param {A} a\n */\nfunction f(a) {}\n", "\n\n\n\n\nfunction f(a) {}\n"),
            ("  /** @type {A} */\n  #a;", "\n  #a;"),
            ("/** @type {A} */ (a).run();", "/** @type {A} */ (a).run();"),
            ("const a = /** @type {A} */ (b);", "const a = /** @type {A} */ (b);"),
            ("a(); // as it is\n  // For whom?\nb();\n// The end.", "a(); // as it is\n\nb();\n"),
            ("/**\n// within\n */\na();", "\n\n\na();"), ("/", "/"), ("//", ""),
            ("a(\"/**\");\nb();", "a(\"/**\");\nb();"),
            ("/**\n * @type {A}\n */ (a).run();\nb();", "\n\n (a).run();\nb();"), ("", ""),
        ]
    )
    func text(source: String, sent: String) {
        #expect(SentScript.text(of: source) == sent)
    }
}
