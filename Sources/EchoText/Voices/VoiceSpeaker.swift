/// A speaker of a voice as a person names it: `2` or `anna`.
package enum VoiceSpeaker: Sendable, Hashable, CustomStringConvertible, ExpressibleByIntegerLiteral {
    /// From 0.
    case number(Int)
    /// A name, or a number as it was typed.
    case named(String)

    package init(_ text: String) {
        self = .named(text)
    }

    package init(integerLiteral number: Int) {
        self = .number(number)
    }

    /// As a person says it.
    package var description: String {
        switch self {
        case .number(let number): String(number)
        case .named(let name): name
        }
    }
}

extension Voice {
    /// Finds the number of one of the voice's speakers.
    ///
    /// A valid number is used as such; anything else is a name, ignoring case. The names of some voices are numbers,
    /// such as LibriVox's.
    ///
    /// - Throws: ``SynthesisError/noSuchSpeaker(_:of:count:)`` or ``SynthesisError/noSpeakerCalled(_:of:names:)``.
    package func number(of speaker: VoiceSpeaker) throws(SynthesisError) -> Int {
        switch speaker {
        case .number(let number):
            guard (0..<speakers).contains(number) else { throw .noSuchSpeaker(number, of: id, count: speakers) }
            return number
        case .named(let name):
            if let number = Int(name), (0..<speakers).contains(number) { return number }
            let wanted = name.lowercased()
            if let number = speakerNames?.firstIndex(where: { $0.lowercased() == wanted }) { return number }
            if let number = Int(name) { throw .noSuchSpeaker(number, of: id, count: speakers) }
            throw .noSpeakerCalled(name, of: id, names: Array((speakerNames ?? []).prefix(Self.mostNamed)))
        }
    }

    /// The most names that an error lists.
    private static let mostNamed = 12

    /// The name of a speaker, else the number; `nil` if the voice has only one speaker.
    package func title(ofSpeaker number: Int) -> String? {
        speakers > 1 ? speakerName(number) ?? String(number) : nil
    }

    /// - Returns: `nil` where the voice's people have no names.
    package func speakerName(_ number: Int) -> String? {
        speakerNames.flatMap { $0.indices.contains(number) ? $0[number] : nil }
    }
}
