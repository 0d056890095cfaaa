import EchoText
import Foundation
import Testing

@testable import LibraryStore

@Suite struct AgeHeaders {
    private let identity: AgeIdentity
    private let fileKey = SecretBytes(randomBytes: 16)

    init() throws {
        identity = try AgeIdentity()
    }

    /// A validly encrypted file with these stanzas and empty content.
    private func file(_ stanzas: [AgeStanza]) throws -> [UInt8] {
        let nonce = [UInt8](repeating: 7, count: 16)
        let cipher = try AgeChunkCipher(fileKey: fileKey, nonce: nonce)
        let empty = [UInt8]().withUnsafeBytes { cipher.seal($0, from: 0, endsFile: true) }
        return try AgeHeader(stanzas: stanzas, fileKey: fileKey).bytes + nonce + empty
    }

    private func error(of file: [UInt8]) -> AgeError? {
        AgeFiles.opened(file, [identity]).error as? AgeError
    }

    private func own() throws -> AgeStanza { try identity.recipient.stanza(wrapping: fileKey) }

    @Test(arguments: [0, 1, 31, 32, 47, 48, 49, 95, 96, 97, 1_000]) func `stanzas nobody knows are passed over`(
        body: Int
    ) throws {
        let grease = AgeStanza(type: "abc-grease", arguments: ["!~", "x"], body: AgeFiles.bytes(body))
        #expect(try error(of: file([grease, own(), grease])) == nil)
        #expect(try error(of: file([grease])) == .noMatch)
    }

    @Test func `an X25519 stanza of another form is refused`() throws {
        let own = try own()
        let share = own.arguments[0]
        func changed(_ arguments: [String], _ body: [UInt8]? = nil) -> AgeStanza {
            AgeStanza(type: "X25519", arguments: arguments, body: body ?? own.body)
        }
        let forms = [
            changed([]), changed([share, "x"]), changed([String(share.dropLast())]), changed([share + "A"]),
            changed([share + "="]), changed([String(share.dropLast()) + "_"]),
            changed([share], own.body.dropLast()), changed([share], own.body + [0]), changed([share], []),
            changed([CanonicalBase64.encode(AgeFiles.bytes(31))]),
            changed([CanonicalBase64.encode(AgeFiles.bytes(33))]),
        ]
        for form in forms { #expect(try error(of: file([form])) == .header, "\(form)") }
        let lower = AgeStanza(type: "x25519", arguments: own.arguments, body: own.body)
        #expect(try error(of: file([lower])) == .noMatch)
    }

    @Test(arguments: [
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000000",
        "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
        "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    ]) func `a share of low order is refused`(point: String) throws {
        let share = stride(from: 0, to: 64, by: 2).compactMap { place in
            UInt8(point.dropFirst(place).prefix(2), radix: 16)
        }
        let stanza = AgeStanza(type: "X25519", arguments: [CanonicalBase64.encode(share)], body: AgeFiles.bytes(32))
        #expect(try error(of: file([stanza])) == .header)
    }

    @Test func `base64 has one spelling`() throws {
        #expect(CanonicalBase64.decode(Array("AA".utf8)) == [0])
        for text in ["AB", "A", "AA==", "AA=", "A A", "A\nA", "AAB", "-_", "AAAAA"] {
            #expect(CanonicalBase64.decode(Array(text.utf8)) == nil, "\(text)")
        }
    }

    /// Each change is made to the text of a good header.
    @Test(arguments: [
        ("age-encryption.org/v1", "age-encryption.org/v2"), ("age-encryption.org/v1", " age-encryption.org/v1"),
        ("v1\n", "v1 \n"), ("v1\n", "v1\r\n"), ("\n---", "\r\n---"), ("-> X25519", "->  X25519"),
        ("-> X25519", "->X25519"),
        ("-> X25519", "-> "), ("-> X25519", "- X25519"), ("-> X25519", "-> \u{7F}X25519"), ("-> X25519", "-> Ü X25519"),
        ("-> X25519 ", "-> X25519 \t"), ("--- ", "---"), ("--- ", "---  "), ("--- ", "--- A"), ("--- ", "-- "),
        ("\n---", "\n\n---"), ("\n---", "=\n---"), ("--- ", "--- x "),
    ]) func `a header of another form is refused`(old: String, new: String) throws {
        let file = try file([own()])
        let header = String(decoding: file[..<AgeFiles.header], as: UTF8.self)
        let changed = try #require(header.range(of: old).map { header.replacingCharacters(in: $0, with: new) })
        #expect(error(of: Array(changed.utf8) + file[AgeFiles.header...]) == .header)
    }

    @Test func `a header without stanzas, or wrongly wrapped, is refused`() throws {
        #expect(try error(of: file([])) == .header)
        let grease = AgeStanza(type: "g", arguments: [], body: AgeFiles.bytes(48))
        let text = String(decoding: try file([grease, own()]).prefix(400).prefix { $0 < 128 }, as: UTF8.self)
        let line = CanonicalBase64.encode(AgeFiles.bytes(48))
        for wrapped in [line.dropLast() + "\n" + line.suffix(1), line + "AA\n", line + "\n" + line + "\n" + line] {
            let changed = text.replacingOccurrences(of: line + "\n\n", with: wrapped + "\n")
            #expect(changed != text)
            #expect(error(of: Array(changed.utf8)) == .header)
        }
        #expect(error(of: []) == .header)
    }

    @Test func `a passphrase's stanza stands alone, and opens nothing here`() throws {
        let salt = CanonicalBase64.encode(AgeFiles.bytes(16))
        let stanza = AgeStanza(type: "scrypt", arguments: [salt, "4"], body: AgeFiles.bytes(32))
        #expect(try error(of: file([stanza])) == .noMatch)
        #expect(try error(of: file([stanza, stanza])) == .header)
        #expect(try error(of: file([stanza, own()])) == .header)
    }

    @Test func `post-quantum recipients are said to be unsupported`() throws {
        let stanza = AgeStanza(type: "mlkem768x25519", arguments: ["AAAA"], body: AgeFiles.bytes(32))
        #expect(try error(of: file([stanza])) == .unsupported)
    }

    @Test func `an empty last chunk is refused unless it is the only one`() throws {
        let nonce = [UInt8](repeating: 7, count: 16)
        let cipher = try AgeChunkCipher(fileKey: fileKey, nonce: nonce)
        let head = try AgeHeader(stanzas: [own()], fileKey: fileKey).bytes + nonce
        for count in [1, 2, 16, 17] {
            let plain = AgeFiles.bytes(count * AgeFiles.chunk)
            let full = plain.withUnsafeBytes { cipher.seal($0, from: 0, endsFile: false) }
            let end = [UInt8]().withUnsafeBytes { cipher.seal($0, from: count, endsFile: true) }
            #expect(throws: AgeError.payload) { try AgeFiles.reader(of: head + full + end, identity) }
            #expect(throws: AgeError.payload) { try AgeFiles.reader(of: head + full, identity) }
        }
    }

    @Test func `a misspelt identity or recipient is refused`() throws {
        let (identity, recipient) = (try identity.exported(), identity.recipient.text)
        for text in [identity.lowercased(), recipient, "", String(identity.dropLast()), identity + "Q", "a" + identity]
        {
            #expect(throws: AgeError.badIdentity) { try AgeIdentity(text) }
        }
        for place in recipient.indices where recipient[place] != "1" {
            let other = recipient[place] == "q" ? "p" : "q"
            let changed = recipient.replacingCharacters(in: place...place, with: other)
            #expect(throws: AgeError.badIdentity) { try AgeRecipient(changed) }
        }
    }
}
