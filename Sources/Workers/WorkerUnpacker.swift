package import EchoText
internal import Foundation
package import Logging

/// Unpacks each archive in its own process, which can read only that archive and write nothing.
///
/// This side checks the output against the rules again. The process has no network and no access to other files; if the
/// machine cannot ensure this, archives are rejected unless the launch allows it.
package actor WorkerUnpacker: ArchiveUnpacker {
    private let setup: WorkerSetup
    private let idleTimeout: Duration
    private let longest: Duration

    /// - Parameters:
    ///   - launch: The program to start; the archive is added to its readable paths.
    ///   - isolation: The isolation to start it in, or `nil` to probe for it with the first worker.
    ///   - idleTimeout: The timeout between two pieces of output.
    ///   - longest: The timeout for the whole archive.
    ///   - clock: Measures the timeouts.
    ///   - logger: Logs how workers ended and how much they printed.
    package init(
        _ launch: WorkerLaunch = .unpacker,
        isolation: WorkerIsolation? = nil,
        idleTimeout: Duration = .seconds(60),
        longest: Duration = .seconds(1_800),
        clock: any Clock<Duration> = .continuous,
        logger: Logger
    ) {
        setup = WorkerSetup(launch, isolation: isolation, clock: clock, logger: logger)
        self.idleTimeout = idleTimeout
        self.longest = longest
    }

    package func unpack(
        _ path: String,
        by rules: ArchiveRules,
        take: @escaping @Sendable (ArchivePiece) throws -> Void
    ) async throws {
        try Task.checkCancellation()
        let path = URL(filePath: path).resolvingSymlinksInPath().path
        // A file without readable attributes cannot be opened either.
        let facts = try? FileManager.default.attributesOfItem(atPath: path)
        guard let facts, facts[.type] as? FileAttributeType == .typeRegular, let size = facts[.size] as? Int,
            FileManager.default.isReadableFile(atPath: path)
        else { throw ModelInstallError.notAnArchive }
        var setup = setup
        setup.launch.readablePaths.append(path)
        let worker = OneShotWorker(
            UnpackerRequest(path: path, rules: rules),
            reply: ArchiveIntake(rules, archiveSize: size, piece: take),
            longest: longest,
            idleTimeout: idleTimeout
        )
        do {
            try await worker.run(
                in: setup,
                notConfined: ModelInstallError.notConfined,
                tooLong: ModelInstallError.notAnArchive
            )
            .outcome.get()
        } catch let fault as ConnectionFault {
            throw ModelInstallError(fault)
        }
    }
}

extension WorkerLimits {
    /// The limits of an unpacker: ten minutes of processor time.
    package static var unpacker: WorkerLimits { .forOneFile(processorSeconds: 600) }
}

extension WorkerLaunch {
    /// This program, as an unpacker of archives.
    package static var unpacker: WorkerLaunch { .confined("unpacker", .unpacker) }
}

/// A request to an unpacker's worker.
struct UnpackerRequest: Codable, Hashable {
    /// Absolute path of the archive.
    var path: String
    var rules: ArchiveRules
}

extension ArchivePiece {
    private static let folderMark: UInt8 = 0
    private static let fileMark: UInt8 = 1

    /// The piece as an encoded frame; its bytes must fit into one frame of 1 MiB.
    ///
    /// - Precondition: A name has at most ``ArchiveRules/longestName`` bytes.
    var frame: [UInt8] {
        switch self {
        case .folder(let name): Frame(.entry, request: 1, payload: [Self.folderMark] + Array(name.utf8)).encoded
        case .file(let name): Frame(.entry, request: 1, payload: [Self.fileMark] + Array(name.utf8)).encoded
        case .bytes(let bytes): Frame(.content, request: 1, payload: bytes).encoded
        }
    }

    /// - Throws: ``WorkerError/protocolViolation`` when the frame is not a valid piece.
    init(_ frame: Frame) throws(WorkerError) {
        switch frame.kind {
        case .content:
            guard !frame.payload.isEmpty else { throw .protocolViolation }
            self = .bytes(frame.payload)
        case .entry:
            guard let name = String(validating: frame.payload.dropFirst(), as: UTF8.self) else {
                throw .protocolViolation
            }
            switch frame.payload.first {
            case Self.folderMark: self = .folder(name)
            case Self.fileMark: self = .file(name)
            default: throw .protocolViolation
            }
        default: throw .protocolViolation
        }
    }
}

/// An unpacker's reply, checked against the rules again: a hostile file may have taken over the process.
struct ArchiveIntake: WorkerReply {
    static var kinds: Set<Frame.Kind> { Frame.Kind.ofUnpacker }

    private var count: ArchiveCount
    /// Whether a file has begun; bytes are invalid before.
    private var isInFile = false
    private let piece: @Sendable (ArchivePiece) throws -> Void

    /// - Parameters:
    ///   - rules: What an archive may contain.
    ///   - archiveSize: The size of the archive, in bytes.
    ///   - piece: Called with each piece that follows the rules.
    init(_ rules: ArchiveRules, archiveSize: Int, piece: @escaping @Sendable (ArchivePiece) throws -> Void) {
        count = ArchiveCount(rules, archiveSize: archiveSize)
        self.piece = piece
    }

    /// - Throws: ``WorkerError``, ``ModelInstallError`` for a violation of the rules, and the errors of `piece`.
    mutating func take(_ frame: Frame) throws {
        let next = try ArchivePiece(frame)
        switch next {
        case .folder(let name):
            try count.begin(name, size: nil, isFolder: true)
            isInFile = false
        case .file(let name):
            try count.begin(name, size: nil, isFolder: false)
            isInFile = true
        case .bytes(let bytes):
            guard isInFile else { throw WorkerError.protocolViolation }
            try count.add(bytes.count)
        }
        try piece(next)
    }

    static func refusal(_ payload: [UInt8]) throws -> any Error {
        switch try JSONDecoder().decode(ModelInstallError.self, from: Data(payload)) {
        case .forbidden(let what, let name):
            ModelInstallError.forbidden(what, name: ArchiveRules.shown(name))
        case let error: error.isOfArchive ? error : .unpackerDied
        }
    }
}

extension ModelInstallError {
    /// Whether an unpacker may send this error; its message then contains no text of the worker's.
    fileprivate var isOfArchive: Bool {
        switch self {
        case .damagedArchive, .notAnArchive, .bomb, .tooManyFiles, .tooMuchInside: true
        default: false
        }
    }
}

extension ModelInstallError: ExpressibleByConnectionFault {
    static var cannotStart: ModelInstallError { .cannotStartUnpacker }
    static var died: ModelInstallError { .unpackerDied }
}

/// The worker's side: unpacks one archive for the program.
package struct UnpackerWorkerServer: Sendable {
    private let unpacker: any ArchiveUnpacker
    private let confinement: WorkerConfinement?

    /// - Parameters:
    ///   - unpacker: Reads the archive.
    ///   - confinement: Limits the processor time; `nil` for no limit.
    package init(unpacker: any ArchiveUnpacker, confinement: WorkerConfinement? = nil) {
        self.unpacker = unpacker
        self.confinement = confinement
    }

    /// Answers the program's one request.
    ///
    /// Takes over both descriptors: from then on, libraries that print to standard output write to standard error.
    package func run(input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO) async {
        await OneShotServer(accepted: Frame.Kind.toUnpacker, confinement: confinement).run(
            input: input,
            output: output,
            refusing: ModelInstallError.unpackerDied
        ) { (request: UnpackerRequest, _, output) in
            // A program that writes slowly delays the unpacking, so that no frames queue up in between.
            try await unpacker.unpack(request.path, by: request.rules) { output.sendNow($0.frame) }
        }
    }
}
