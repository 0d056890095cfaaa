package import Foundation

/// A service elsewhere that transcribes, as a person has set it up: any that answers as OpenAI's does.
package struct TranscriptionService: Sendable, Hashable, Identifiable {
    package let name: ServiceName
    package var address: ServiceAddress
    /// A model name such as `whisper-1`.
    package var model: String
    /// BCP 47; the spoken language unless an order specifies one.
    package var language: String?
    /// Text that precedes every speech, to imitate its style and spelling.
    package var prompt: String?
    package var key: ServiceKey?

    /// - Throws: ``TranscriptionServiceError``.
    package init(
        name: ServiceName,
        address: ServiceAddress,
        model: String,
        language: String? = nil,
        prompt: String? = nil,
        key: ServiceKey? = nil
    ) throws(TranscriptionServiceError) {
        let model = model.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !model.isEmpty, model.utf8.count <= 200, model.allSatisfy(\.isPlain) else { throw .badModel }
        let language = language.map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
        if let language, !language.isEmpty, SpokenLanguage(language).code == nil { throw .badLanguage }
        // A NUL would end the text where it is stored.
        let prompt = prompt.map {
            $0.replacing("\0", with: " ").trimmingCharacters(in: .whitespacesAndNewlines)
        }
        guard (prompt ?? "").utf16.count <= Self.longestPrompt else { throw .promptTooLong(limit: Self.longestPrompt) }
        (self.name, self.address, self.model, self.key) = (name, address, model, key)
        self.language = language.flatMap { $0.isEmpty ? nil : $0 }
        self.prompt = prompt.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// In UTF-16 units; Whisper uses only the last 224 tokens.
    package static let longestPrompt = 1_000

    package var id: Recognizer.ID { Recognizer.ID(service: name) }

    /// The service as a recognizer.
    package var recognizer: Recognizer {
        Recognizer(
            id: id,
            name: "\(name) (\(address.host))",
            engine: .remote,
            languages: [language ?? "mul"],
            timing: .words,
            takesLanguage: true,
            takesHotwords: true,
            takesPrompt: true
        )
    }
}

extension Recognizer.ID {
    private static let remote = "remote/"

    /// The recognizer that a service is.
    package init(service name: ServiceName) {
        self.init(rawValue: Self.remote + name.text)
    }

    /// The service's name, if the recognizer is a service.
    package var service: ServiceName? {
        guard rawValue.hasPrefix(Self.remote) else { return nil }
        return try? ServiceName(String(rawValue.dropFirst(Self.remote.count)))  // An invalid name is not a service's.
    }
}

/// A service's name: 1 to 40 lowercase letters, digits and hyphens, which begin with a letter or digit.
package struct ServiceName: Sendable, Hashable, CustomStringConvertible {
    package let text: String

    /// - Throws: ``TranscriptionServiceError/badName``.
    package init(_ text: String) throws(TranscriptionServiceError) {
        let isAllowed = text.utf8.allSatisfy {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                || $0 == UInt8(ascii: "-")
        }
        guard isAllowed, (1...40).contains(text.utf8.count), !text.hasPrefix("-") else { throw .badName }
        self.text = text
    }

    package var description: String { text }
}

/// The address of a service: `https:`, or `http:` on this machine and where the person has allowed it.
package struct ServiceAddress: Sendable, Hashable, CustomStringConvertible {
    /// Without a trailing slash.
    package let text: String
    /// Whether audio may be sent there unencrypted, although it is another machine.
    package let allowsPlain: Bool
    private let url: URL

    /// - Parameters:
    ///   - text: For example `https://api.openai.com`, optionally with `/v1` or the whole path of the transcriptions.
    ///   - allowsPlain: Whether `http:` to another machine is accepted.
    /// - Throws: ``TranscriptionServiceError/badAddress``, ``TranscriptionServiceError/plainAddress``.
    package init(_ text: String, allowsPlain: Bool = false) throws(TranscriptionServiceError) {
        var text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        while text.hasSuffix("/") { text.removeLast() }
        guard text.utf8.count <= 1_000, let url = URL(string: text), let scheme = url.scheme?.lowercased(),
            let host = url.host, HostName(host).isWellFormed, url.user == nil, url.password == nil, url.query == nil,
            url.fragment == nil, url.hasPossiblePort, scheme == "https" || scheme == "http"
        else { throw .badAddress }
        guard scheme == "https" || allowsPlain || HostName(host).isThisMachine else { throw .plainAddress }
        (self.text, self.url, self.allowsPlain) = (text, url, allowsPlain)
    }

    /// The host name, with the port unless it is the default.
    package var host: String { url.authority }

    /// The name alone.
    package var hostName: HostName { HostName(url.host ?? "") }

    /// Whether nobody on the way can read what is sent there.
    package var isEncrypted: Bool { url.scheme?.lowercased() == "https" }

    /// Whether it is reached without a network.
    package var isOnThisMachine: Bool { hostName.isThisMachine }

    /// Whether a key entered for this server may be sent to `other`: it is the same server, and not less secure.
    package func sendsKeysTo(_ other: ServiceAddress) -> Bool {
        host == other.host && (url.scheme?.lowercased() == "http" || other.url.scheme?.lowercased() == "https")
    }

    /// The URL to which audio is posted.
    package var transcriptions: URL {
        let path = "audio/transcriptions"
        if url.path.hasSuffix("/\(path)") { return url }
        return url.appending(path: url.lastPathComponent == "v1" ? path : "v1/\(path)")
    }

    /// The path that sound is posted to.
    package var path: String { transcriptions.path }

    package var description: String { text }
}

extension URL {
    /// The server's name, with the port where it is not the scheme's own.
    package var authority: String {
        let name = HostName(host ?? "").text
        let shown = name.contains(":") ? "[\(name)]" : name
        guard let port, port != (scheme?.lowercased() == "http" ? 80 : 443) else { return shown }
        return "\(shown):\(port)"
    }
}

/// A service's key, which never appears in a description, log or response.
package struct ServiceKey: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable
{
    private let text: String

    /// - Parameter text: 1 to 4,096 visible characters of ASCII, with white space around them.
    /// - Throws: ``TranscriptionServiceError/badKey``.
    package init(_ text: String) throws(TranscriptionServiceError) {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard (1...4_096).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .badKey
        }
        self.text = text
    }

    /// The key itself, for the server and the encrypted library.
    package func revealed() -> String { text }

    package var description: String { "a key" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

extension Character {
    /// Whether it can be the value of a form field: it has no control characters.
    fileprivate var isPlain: Bool { unicodeScalars.allSatisfy { $0.properties.generalCategory != .control } }
}

/// Stores the services that a person has set up, in the encrypted library.
///
/// `verifyContract(of:)` in `EchoTextTesting` checks it.
package protocol TranscriptionServices: Sendable {
    /// Those that can be read, ordered by name.
    func services() async throws -> [TranscriptionService]

    /// How many cannot be read; one is replaced by a service of its name, and can be deleted.
    func unreadable() async throws -> Int

    /// Adds a service, or replaces the one with the same name.
    ///
    /// - Throws: ``TranscriptionServiceError/tooMany(limit:)``.
    func save(_ service: TranscriptionService) async throws

    /// - Throws: ``TranscriptionServiceError/notFound``.
    func delete(_ name: ServiceName) async throws
}

extension TranscriptionServices {
    /// - Throws: ``TranscriptionServiceError/notFound``.
    package func service(_ name: ServiceName) async throws -> TranscriptionService {
        guard let service = try await services().first(where: { $0.name == name }) else {
            throw TranscriptionServiceError.notFound
        }
        return service
    }
}

/// How many services there may be.
package enum TranscriptionServiceLimits {
    package static let services = 50
}

/// Why a service is not set up as it was meant to be.
package enum TranscriptionServiceError: UserFacingError, Equatable {
    case notFound
    case badName
    case badAddress
    /// Audio would be sent to another machine unencrypted.
    case plainAddress
    case badModel
    case badLanguage
    /// In UTF-16 units.
    case promptTooLong(limit: Int)
    case badKey
    case tooMany(limit: Int)

    package var failure: Failure {
        switch self {
        case .notFound:
            Failure(.notFound, "service.not-found", "There is no transcription service of that name.")
                .suggesting(
                    "It may have been removed meanwhile.",
                    inTerminal: "“echotext recognizers service list” shows what there is."
                )
        case .badName:
            Failure(
                .invalidRequest,
                "service.bad-name",
                "A service's name has 1 to 40 lowercase letters, digits and hyphens."
            )
            .suggesting("Give it a name such as “office”.")
        case .badAddress:
            Failure(.invalidRequest, "service.bad-address", "The service's address is not an https address.")
                .suggesting("Write it as https://api.example.org, without a name or key in it.")
        case .plainAddress:
            Failure(
                .invalidRequest,
                "service.plain-address",
                "With an http address, sound and key would go to another machine where others can read them."
            )
            .suggesting("Use an https address, or allow it expressly in a network that you trust.")
        case .badModel:
            Failure(.invalidRequest, "service.bad-model", "A service needs the name of a model.")
                .suggesting("Give the one that its description names, such as “whisper-1”.")
        case .badLanguage:
            Failure(.invalidRequest, "service.bad-language", "The language is not a code such as “en” or “et”.")
                .suggesting("Give a language's code, or none to let the service find out.")
        case .promptTooLong(let limit):
            Failure(
                .invalidRequest,
                "service.prompt-too-long",
                "The example text is longer than \(limit.grouped) characters."
            )
            .suggesting("Shorten it; a service looks at its end only.")
        case .badKey:
            Failure(.invalidRequest, "service.bad-key", "A key consists of letters, digits and signs without spaces.")
                .suggesting("Copy it again from the service's page.")
        case .tooMany(let limit):
            Failure(.conflict, "service.too-many", "There are \(limit) services already.")
                .suggesting("Remove one that you do not use.")
        }
    }
}

/// The sound for testing a service: a second of three notes, which contains nothing private.
package enum ServiceTrial {
    package static let clip: AudioClip = {
        let rate = RecognitionClip.sampleRate
        let notes = [523.25, 659.25, 783.99]  // C, E and G, in hertz
        let samples = (0..<rate).map { place -> Float in
            let note = notes[place * notes.count / rate]
            let within = Double(place * notes.count % rate) / Double(rate)
            // Each note swells and fades, so that it does not click.
            return Float(0.3 * sin(.pi * within) * sin(2 * .pi * note * Double(place) / Double(rate)))
        }
        return AudioClip(samples: samples, sampleRate: rate)
    }()

    /// The question to the person before it is sent.
    package static func sending(to service: TranscriptionService) -> Sending {
        Sending(bytes: WAVHeader.plainLength + 2 * clip.samples.count, seconds: clip.seconds, to: service)
    }
}

/// Why a service elsewhere has not recognized speech.
///
/// `host` is a server's bare name, never an address with a path.
package enum RemoteRecognitionError: RecoverableError, Equatable {
    /// The person has forbidden all connections.
    case offline
    /// The person has not allowed it, or not to this server.
    case notAllowed(host: String)
    /// The person has removed the service, or changed its address or key, while it was used.
    case changed(host: String)

    // MARK: These pass

    case unreachable(host: String)
    /// The connection ended before the answer was whole.
    case interrupted(host: String)
    case timedOut(host: String)
    /// `wait` is the time that the server requests, if any.
    case tooManyRequests(host: String, wait: Duration?)
    case serverFailed(host: String, status: Int)

    // MARK: These stay until a person does something

    /// The server's identity cannot be verified.
    case untrusted(host: String)
    case keyRefused(host: String)
    case quotaSpent(host: String)
    /// The server has no such model, or the address is not that of a service.
    case notThere(host: String)
    case soundTooLarge(host: String)
    /// The server takes something that was asked for to be wrong, such as the language.
    case refused(host: String, status: Int)
    /// The response is not a transcription.
    case badAnswer(host: String)

    /// The longest that a service is waited for because it asks for it.
    package static let longestWait = Duration.seconds(3_600)

    package var isWorthRetrying: Bool {
        switch self {
        case .unreachable, .interrupted, .timedOut, .serverFailed: true
        case .tooManyRequests(_, let wait): (wait ?? .zero) <= Self.longestWait
        case .offline, .notAllowed, .changed, .untrusted, .keyRefused, .quotaSpent, .notThere, .soundTooLarge, .refused,
            .badAnswer:
            false
        }
    }

    package var needsNetwork: Bool {
        guard case .unreachable(let host) = self else { return false }
        return !HostName(host).isThisMachine
    }

    package var failure: Failure {
        switch self {
        case .offline:
            Failure(.offline, "service.offline", "EchoText is set to stay offline, so nothing was sent.")
                .suggesting(
                    "Turn “Stay offline” off, or use a recogniser on this machine.",
                    inTerminal: "Turn the setting “outbound.offline” off, or use a recogniser on this machine."
                )
        case .notAllowed(let host):
            Failure(.forbidden, "service.not-allowed", "Sending to “\(host)” was not allowed, so nothing was sent.")
                .suggesting("Start the transcription again and allow it, or use a recogniser on this machine.")
        case .changed(let host):
            Failure(
                .conflict,
                "service.changed",
                "The service at “\(host)” was changed or removed in the settings while it was used, so the sending ended."
            )
            .suggesting(
                "Start the transcription again with the service as it is now, or use another recogniser; what was already sent cannot be taken back."
            )
        case .unreachable(let host):
            Failure(.remoteFailed, "service.unreachable", "The service at “\(host)” cannot be reached.")
                .suggesting("See whether this machine is connected, and whether the service runs.")
        case .interrupted(let host):
            Failure(.remoteFailed, "service.interrupted", "The service at “\(host)” broke off before its answer ended.")
                .suggesting(Self.later)
        case .timedOut(let host):
            Failure(.remoteTimedOut, "service.timed-out", "The service at “\(host)” has stopped answering.")
                .suggesting(Self.later)
        case .tooManyRequests(let host, let wait?) where wait > Self.longestWait:
            Failure(
                .tooManyRequests,
                "service.rests",
                "The service at “\(host)” asks for a pause of \(Int((wait / .seconds(3_600)).rounded(.up))) hours."
            )
            .suggesting("Try again then, or use another recogniser; what was heard is kept.")
            .retrying(after: wait)
        case .tooManyRequests(let host, let wait):
            Failure(.tooManyRequests, "service.too-many-requests", "The service at “\(host)” has been asked too often.")
                .suggesting("It is asked again when it allows it; what was heard is kept.")
                .retrying(after: wait)
        case .serverFailed(let host, let status):
            Failure(
                .remoteFailed,
                "service.failed",
                "The service at “\(host)” reported an internal error (status \(status))."
            )
            .suggesting(Self.later)
        case .untrusted(let host):
            Failure(
                .remoteRefused,
                "service.untrusted",
                "The server “\(host)” cannot prove that it is the one it says it is."
            )
            .suggesting("See that the address and this machine's clock are right; nothing was sent.")
        case .keyRefused(let host):
            Failure(.remoteRefused, "service.key-refused", "The service at “\(host)” does not accept the key.")
                .suggesting("Enter the service's key again, and see that it may transcribe.")
        case .quotaSpent(let host):
            Failure(.remoteRefused, "service.quota-spent", "The quota at “\(host)” is used up.")
                .suggesting("Look at your account there, or use another recogniser.")
        case .notThere(let host):
            Failure(.remoteRefused, "service.not-there", "The service at “\(host)” has no such model or address.")
                .suggesting("See that the service's address and model are right.")
        case .soundTooLarge(let host):
            Failure(
                .remoteRefused,
                "service.sound-too-large",
                "The sound is larger than the service at “\(host)” takes."
            )
            .suggesting("Use another recogniser.")
        case .refused(let host, let status):
            Failure(
                .remoteRefused,
                "service.refused",
                "The service at “\(host)” does not accept the request (status \(status))."
            )
            .suggesting("See that its model knows the language and that its settings are right.")
        case .badAnswer(let host):
            Failure(.remoteRefused, "service.bad-answer", "The answer of “\(host)” is not a transcript.")
                .suggesting("See that the address is that of a transcription service.")
        }
    }

    private static let later = "Try again later; what was heard is kept."
}
