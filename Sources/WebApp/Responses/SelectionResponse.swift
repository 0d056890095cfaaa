import EchoText
import Hummingbird

/// A stored selection.
struct SelectionResponse: ResponseEncodable {
    private let selection: DocumentSelection

    init(_ selection: DocumentSelection) {
        self.selection = selection
    }

    func encode(to encoder: any Encoder) throws { try selection.encode(to: encoder) }
}
