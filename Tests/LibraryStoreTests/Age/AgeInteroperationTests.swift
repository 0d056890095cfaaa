import EchoText
import EchoTextTesting
import Foundation
import LibraryStore
import Testing

@Suite(.endsInTime) struct AgeInteroperation {
    private static let sizes = [
        0, 1, 65_535, 65_536, 65_537, 131_071, 131_072, 131_073, 1_048_576, 1_048_577, 2_200_000,
    ]
    private static let someSizes: [Int] = sizes + (0..<(isLong ? 1_000 : 8)).map { _ in Int.random(in: 0...400_000) }

    private let folder: ScratchFolder
    private let identity: AgeIdentity

    init() throws {
        folder = try ScratchFolder()
        identity = try AgeIdentity()
    }

    private func writeIdentity() throws {
        try folder.write(Array((try identity.exported() + "\n").utf8), to: "key")
    }

    @Test func `the age program reads the recipient from an identity`() throws {
        try writeIdentity()
        let printed = try InstalledProgram.run("/usr/bin/age-keygen", ["-y", folder("key")])
        #expect(String(decoding: printed, as: UTF8.self) == identity.recipient.text + "\n")
        #expect(try AgeIdentity(identity.exported()).recipient == identity.recipient)
        #expect(try AgeRecipient(identity.recipient.text) == identity.recipient)
    }

    @Test(arguments: someSizes) func `the age program opens what is sealed here`(size: Int) throws {
        let bytes = AgeFiles.bytes(size)
        try writeIdentity()
        try folder.write(AgeFiles.seal(bytes, for: identity), to: "sealed")
        let opened = try InstalledProgram.run("/usr/bin/age", ["-d", "-i", folder("key"), folder("sealed")])
        #expect(Array(opened) == bytes)
    }

    @Test(arguments: someSizes) func `what the age program seals is opened here`(size: Int) throws {
        let bytes = AgeFiles.bytes(size)
        try folder.write(bytes, to: "plain")
        try InstalledProgram.run(
            "/usr/bin/age",
            ["-r", identity.recipient.text, "-o", folder("sealed"), folder("plain")]
        )
        let file = try folder.bytes(of: "sealed")
        #expect(try AgeFiles.open(file, identity) == bytes)
    }

    @Test func `pyrage opens what is sealed here, and the reverse`() throws {
        let sizes = Self.someSizes
        for (index, size) in sizes.enumerated() {
            try folder.write(AgeFiles.seal(AgeFiles.bytes(size), for: identity), to: "ours-\(index)")
            try folder.write(AgeFiles.bytes(size), to: "plain-\(index)")
        }
        try writeIdentity()
        let script = """
            import pathlib, pyrage
            identity = pyrage.x25519.Identity.from_str(pathlib.Path("key").read_text().strip())
            for ours in pathlib.Path(".").glob("ours-*"):
                plain = pathlib.Path(ours.name.replace("ours", "plain")).read_bytes()
                assert pyrage.decrypt(ours.read_bytes(), [identity]) == plain, ours
                theirs = pyrage.encrypt(plain, [identity.to_public()])
                pathlib.Path(ours.name.replace("ours", "theirs")).write_bytes(theirs)
            """
        try InstalledProgram.run("/usr/bin/python3", ["-c", script], in: folder.path)
        for (index, size) in sizes.enumerated() {
            #expect(try AgeFiles.open(folder.bytes(of: "theirs-\(index)"), identity) == AgeFiles.bytes(size))
        }
    }

    @Test(.enabled(if: isLong, "1 GB, with ECHOTEXT_LONG_TESTS=1"))
    func `the age program opens one gigabyte`() throws {
        try writeIdentity()
        try folder.write([], to: "sealed")
        let handle = try FileHandle(forWritingTo: URL(filePath: folder("sealed")))
        let writer = try AgeWriter(for: [identity.recipient]) { try handle.write(contentsOf: Data($0)) }
        let piece = AgeFiles.bytes(1 << 20)
        for _ in 0..<1_000 { try writer.write(piece) }
        try writer.finish()
        try handle.close()
        try InstalledProgram.run("/usr/bin/age", ["-d", "-i", folder("key"), "-o", folder("plain"), folder("sealed")])
        let plain = try FileHandle(forReadingFrom: URL(filePath: folder("plain")))
        for _ in 0..<1_000 { #expect(try plain.read(upToCount: 1 << 20) == Data(piece)) }
        #expect(try plain.read(upToCount: 1) == nil)
    }
}
