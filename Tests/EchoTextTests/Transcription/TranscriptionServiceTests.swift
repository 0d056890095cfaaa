import EchoText
import EchoTextTesting
import Foundation
import Testing

@Suite("Transcription services")
struct TranscriptionServiceTests {
    @Test("keep the contract of their store in memory")
    func contract() async throws { try await verifyContract(of: MemoryServices()) }

    @Test(
        "are asked at the address that a person means",
        arguments: [
            ("https://api.example.org", "https://api.example.org/v1/audio/transcriptions", "api.example.org"),
            (" https://api.example.org/v1/ ", "https://api.example.org/v1/audio/transcriptions", "api.example.org"),
            (
                "https://api.example.org/v1/audio/transcriptions",
                "https://api.example.org/v1/audio/transcriptions", "api.example.org"
            ),
            (
                "HTTPS://API.example.org:8443/x", "HTTPS://API.example.org:8443/x/v1/audio/transcriptions",
                "api.example.org:8443"
            ),
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080/v1/audio/transcriptions", "127.0.0.1:8080"),
            ("http://localhost", "http://localhost/v1/audio/transcriptions", "localhost"),
            ("https://a_b.example.org", "https://a_b.example.org/v1/audio/transcriptions", "a_b.example.org"),
            ("http://[::1]:9000", "http://[::1]:9000/v1/audio/transcriptions", "[::1]:9000"),
        ]
    )
    func addresses(text: String, url: String, host: String) throws {
        let address = try ServiceAddress(text)
        #expect(address.transcriptions.absoluteString == url && address.host == host)
        #expect(address.isOnThisMachine == text.contains("http://"))
    }

    @Test(
        "are not at what is no address",
        arguments: [
            "", "api.example.org", "ftp://a.example.org", "https://", "https://a:b@c.org", "https://c.org?key=1",
            "file:///etc", "https://api.openai.com%2f.evil.test", "https://ex%0aample.org", "https://ex%1bample.org",
            "https://a%20b.org", "https://[fe80::1%25eth0]",
            "https://a%3a80.org", "http://127.0.0.1:65536", "https://localhost:99999", "https://api.example.org:0",
        ]
    )
    func badAddresses(text: String) {
        #expect(throws: TranscriptionServiceError.badAddress) { try ServiceAddress(text, allowsPlain: true) }
    }

    @Test("keep all words of the text that precedes speech")
    func prompt() throws {
        let service = try TranscriptionService(
            name: try ServiceName("office"),
            address: try ServiceAddress("https://api.example.org"),
            model: "whisper-1",
            prompt: "Tartu,\0Tallinn"
        )
        #expect(service.prompt == "Tartu, Tallinn")
    }

    @Test("go unencrypted to another machine only where a person allows it")
    func plain() throws {
        for text in ["http://api.example.org", "http://10.0.0.2:8000", "http://127.0.0.1.example.org"] {
            #expect(throws: TranscriptionServiceError.plainAddress) { try ServiceAddress(text) }
            #expect(try ServiceAddress(text, allowsPlain: true).allowsPlain)
        }
    }

    @Test(
        "are on this machine where their address says so, and are connected to by its address",
        arguments: [
            ("localhost", ["127.0.0.1", "::1"]), ("LocalHost.", ["127.0.0.1", "::1"]),
            ("api.localhost", ["127.0.0.1", "::1"]), ("127.0.0.1", ["127.0.0.1"]), ("127.1.2.3.", ["127.1.2.3"]),
            ("[::1]", ["::1"]), ("localhost.example.org", []), ("127.0.0.1.example.org", []), ("127.1", []),
            ("127.0.0.01", []), ("127.0.0.08", []), ("127.0.0.+1", []), ("127.0.0.256", []), ("0.0.0.0", []),
            ("::ffff:127.0.0.1", []), ("mylocalhost", []), ("", []),
        ] as [(String, [String])]
    )
    func ownAddresses(host: String, addresses: [String]) {
        #expect(HostName(host).ownAddresses == addresses && HostName(host).isThisMachine == !addresses.isEmpty)
    }

    @Test(
        "have names that an address can have",
        arguments: ["", "A", "a b", "ä", "-a", "a/b", String(repeating: "a", count: 41)]
    )
    func badNames(text: String) {
        #expect(throws: TranscriptionServiceError.badName) { try ServiceName(text) }
    }

    @Test("have ids among the recognizers")
    func ids() throws {
        let name = try ServiceName("office-2")
        #expect(Recognizer.ID(service: name).rawValue == "remote/office-2")
        #expect(Recognizer.ID(rawValue: "remote/office-2").service == name)
        #expect(Recognizer.ID(rawValue: "sherpa/office-2").service == nil)
        #expect(Recognizer.ID(rawValue: "remote/A").service == nil)
    }

    @Test("have keys that nothing shows", arguments: ["", "a b", "a\nb", "ä", String(repeating: "a", count: 4_097)])
    func keys(bad: String) throws {
        #expect(throws: TranscriptionServiceError.badKey) { try ServiceKey(bad) }
        let key = try ServiceKey(" sk-secret\n")
        #expect(key.revealed() == "sk-secret")
        let service = try TranscriptionService(
            name: try ServiceName("a"),
            address: try ServiceAddress("https://a.example.org"),
            model: "m",
            key: key
        )
        var dumped = ""
        dump(service, to: &dumped)
        for text in ["\(service)", String(reflecting: service), dumped, "\(key)"] { #expect(!text.contains("secret")) }
    }

    @Test("know languages by the codes and names that services use")
    func languages() {
        let codes = [
            "et-EE": "et", "EN": "en", "deu": "de", "und": nil, "mul": nil, "": nil, "english": nil, "yue": "yue",
        ]
        for (tag, code) in codes { #expect(SpokenLanguage(tag).code == code, "\(tag)") }
        let heard = [
            "English": "en", "estonian": "et", "de": "de", "cantonese": "yue", "haitian creole": "ht", "klingon?": nil,
        ]
        for (answer, code) in heard { #expect(SpokenLanguage(reported: answer).code == code, "\(answer)") }
    }

    @Test("are tried with a second of sound that can be heard and is not too loud")
    func trial() {
        let clip = ServiceTrial.clip
        #expect(clip.seconds == 1 && clip.sampleRate == RecognitionClip.sampleRate)
        #expect(clip.samples.allSatisfy { abs($0) <= 0.3 } && (clip.level ?? -100) > -20)
    }

    @Test("are recognizers that fail for good or for now")
    func errors() {
        #expect(RecognitionError.recognizerDied.isWorthRetrying && !RecognitionError.noRecognizer.isWorthRetrying)
        #expect(!RecognitionError.recognizerDied.needsNetwork)
    }
}
