import EchoTextTesting
import Foundation
import Testing

/// A certificate for `localhost` and `mirror.example` that nobody has signed but itself.
final class Certificate: Sendable {
    private let folder = TemporaryFolder()

    var path: String { folder("certificate.pem") }
    var key: String { folder("key.pem") }

    init() throws {
        let openssl = Process()
        openssl.executableURL = URL(filePath: "/usr/bin/openssl")
        openssl.arguments = [
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
            "-subj", "/CN=EchoText tests", "-addext", "subjectAltName=DNS:localhost,DNS:mirror.example",
            "-keyout", key, "-out", path,
        ]
        (openssl.standardOutput, openssl.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        try openssl.run()
        openssl.waitUntilExit()
        try #require(openssl.terminationStatus == 0)
    }

    static let isPossible = FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl")
}
