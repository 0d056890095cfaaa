import EchoText
import EchoTextTesting
import Foundation
import Glibc
import Logging
import Synchronization
import Testing

@testable import Workers

/// A folder that exists for one test, with the files of a voice that only a fixture can read.
final class TemporaryVoice: Sendable {
    let folder: VoiceFolder

    init(named name: String = "voice") throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "echotext-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
        folder = VoiceFolder(path: path.path, name: name)
        for file in [folder.model, folder.description, folder.tokens] {
            try Data("fixture".utf8).write(to: URL(filePath: file))
        }
    }

    deinit {
        // If removal fails, the system cleans up the folder.
        try? FileManager.default.removeItem(atPath: folder.path)
    }
}

extension WorkerLaunch {
    /// The fixture beside the tests, as a worker.
    static var fixture: WorkerLaunch { fixture("worker", "engine") }

    static func fixture(_ arguments: String...) -> WorkerLaunch {
        var launch = WorkerLaunch(executable: BuiltPackage.program("WorkerFixture"))
        launch.arguments = arguments
        return launch
    }
}

extension WorkerIsolation {
    static let bubblewrap = WorkerIsolation.bubblewrap(path: Bubblewrap.path)
    static let kernel = WorkerIsolation.kernelOnly(.switchedOff)
    static let none = WorkerIsolation.limitsOnly(.switchedOff)

    /// The isolations that can be tested on this machine.
    static let available: [WorkerIsolation] = [none, kernel] + (Bubblewrap.canSandbox ? [bubblewrap] : [])
}

extension Logger {
    /// Logs nothing.
    static let quiet = Logger(label: "workers") { _ in SwiftLogNoOpLogHandler() }
}

extension PhonemeRequest {
    /// The symbols that make the fixture do what `words` spell.
    init(_ words: String, speaker: Int = 0) {
        self.init(phonemes: Array(words.unicodeScalars), speaker: speaker, speed: 1)
    }
}

extension EngineWorker {
    /// Loads a voice whose layout is unknown.
    func open(_ folder: VoiceFolder, lanes: Int) async throws -> OpenedVoice {
        try await open(folder, lanes: lanes, layout: nil)
    }

    /// The whole sound of `request`.
    func speak(_ request: PhonemeRequest) async throws -> [Float] {
        let sound = Mutex<[Float]>([])
        try await speak(request) { piece in
            if case .samples(let samples) = piece { sound.withLock { $0 += samples } }
        }
        return sound.withLock(\.self)
    }
}

/// A port of this machine that a socket listens on.
final class LoopbackSocket: Sendable {
    let port: UInt16
    private let socket: Int32

    /// - Parameter kind: `SOCK_STREAM` for connections, `SOCK_DGRAM` for datagrams.
    /// - Throws: When no port is available.
    init(_ kind: __socket_type) throws {
        socket = Glibc.socket(AF_INET, Int32(kind.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let socket = socket
        let isListening = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(socket, address, length) == 0 && (kind != SOCK_STREAM || listen(socket, 8) == 0)
                    && getsockname(socket, address, &length) == 0
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        try #require(isListening)
    }

    deinit { close(socket) }
}
