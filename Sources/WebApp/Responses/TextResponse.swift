import Hummingbird

struct TextResponse: ResponseCodable {
    let text: String
}
