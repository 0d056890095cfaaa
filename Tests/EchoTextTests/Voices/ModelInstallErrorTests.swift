import EchoText
import Testing

@Suite("What is said of an installation that failed")
struct ModelInstallErrorTests {
    @Test(
        "does not call a recogniser a voice",
        arguments: [
            ModelInstallError.forbidden(.symbolicLink, name: "model.onnx"), .damagedArchive, .notAnArchive,
            .tooManyFiles(limit: 2), .tooMuchInside(limit: 1_000), .bomb, .tooSlow(seconds: 2), .unpackerDied,
            .cannotStartUnpacker, .notConfined, .nameTaken("a"), .several(["a", "b"]), .cannotWrite,
            .noSpace(needed: 2, free: 1),
        ]
    )
    func recognizers(_ error: ModelInstallError) {
        for words in [error.message, error.suggestion ?? ""] {
            #expect(!words.contains("voice") || words.contains("recogniser"), "\(words)")
        }
    }
}
