import EchoText
import EchoTextTesting
import Foundation
import Synchronization
import Testing

@testable import ModelInstallation

@Suite("Voices in a folder", .endsInTime)
struct InstallerTests {
    private let folder: TemporaryFolder
    private let voicesFolder: String
    private let entry: CatalogueEntry
    private let archive = "\(Fixtures.good)/vits-piper-en_US-fixture-low.tar.bz2"
    private let id = Voice.ID(rawValue: "piper/en_US-fixture-low")

    init() throws {
        folder = TemporaryFolder()
        voicesFolder = folder("voices")
        entry = try #require(CatalogueEntry(archive: "vits-piper-en_US-fixture-low.tar.bz2"))
    }

    private func installer(_ examiner: TrustingExaminer = TrustingExaminer()) -> FolderVoiceInstaller {
        FolderVoiceInstaller(in: voicesFolder, unpacker: LibarchiveUnpacker(), examiner: examiner)
    }

    private var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: voicesFolder)) ?? []).sorted()
    }

    @Test func `keep the promises of their installer`() async throws {
        let bad = "\(Fixtures.folder)/bad/no-tokens"
        try await verifyContract(of: TrustingExaminer(), with: Fixtures.voice, and: bad)
        try await verifyContract(of: installer(), in: voicesFolder, with: archive, of: entry)
    }

    @Test(arguments: [
        "vits-piper-en_US-fixture-low.tar.bz2", "gzip.tar.gz", "xz.tar.xz", "plain.tar", "without-folder.tar.bz2",
        "dots-before-names.tar.bz2", "pax.tar.bz2", "hidden-files.tar.bz2",
    ])
    func `come whole from every archive that is well`(name: String) async throws {
        let installed = try await installer().add("\(Fixtures.good)/\(name)", named: nil) { _ in }
        #expect(installed.voice.id == id && installed.folder == "vits-piper-en_US-fixture-low")
        for name in try FileManager.default.contentsOfDirectory(atPath: Fixtures.voice) {
            let isSame = FileManager.default.contentsEqual(
                atPath: "\(Fixtures.voice)/\(name)",
                andPath: "\(voicesFolder)/\(installed.folder)/\(name)"
            )
            #expect(isSame, "\(name)")
        }
        let hidden = names.filter { $0.hasPrefix(".") }
        let inside = try FileManager.default.contentsOfDirectory(atPath: "\(voicesFolder)/\(installed.folder)")
        #expect(hidden.isEmpty && inside.filter { $0.hasPrefix(".") } == [ModelReceipt.fileName])
    }

    @Test func `that are variants of one voice stand beside each other`() async throws {
        let installer = installer()
        _ = try await installer.add(archive, named: nil) { _ in }
        let small = try await installer.add(
            "\(Fixtures.good)/vits-piper-en_US-fixture-low-int8.tar.bz2",
            named: nil
        ) { _ in }
        #expect(small.voice.id.rawValue == "piper/en_US-fixture-low-int8")
        #expect(await installer.installedVoices().voices.count == 2)
    }

    @Test(arguments: UnpackerTests.faults)
    func `take nothing of what is hostile`(fault: UnpackerTests.Fault) async throws {
        let installer = installer()
        await #expect(throws: (any Error).self) {
            try await installer.add("\(Fixtures.bad)/\(fault.name).tar.bz2", named: nil) { _ in }
        }
        #expect(names.isEmpty)
        #expect(await installer.installedVoices().voices.isEmpty)
    }

    @Test func `that cannot be heard are not taken in, and leave nothing`() async throws {
        for verdict in [ModelInstallError.silent, VoiceFolderError.badModel("x.onnx"), CancellationError()]
            as [any Error]
        {
            await #expect(throws: (any Error).self) {
                try await installer(TrustingExaminer(verdict: verdict)).add(archive, named: nil) { _ in }
            }
            #expect(names.isEmpty)
        }
    }

    @Test func `keep an archive that is not to blame`() async throws {
        try FileManager.default.createDirectory(atPath: voicesFolder, withIntermediateDirectories: false)
        let copy = "\(voicesFolder)/\(entry.id).partial"
        try FileManager.default.copyItem(atPath: archive, toPath: copy)
        let fetched = FetchedArchive(path: copy, bytes: 1, sha256: "", url: "")
        for (verdict, stays) in [
            (CancellationError(), true), (WorkerError.cannotStart, true), (ModelInstallError.silent, false),
        ] as [(any Error, Bool)] {
            await #expect(throws: (any Error).self) {
                try await installer(TrustingExaminer(verdict: verdict)).install(fetched, of: entry) { _ in }
            }
            #expect(FileManager.default.fileExists(atPath: copy) == stays, "\(verdict)")
        }
    }

    @Test func `are reported with their phase`() async throws {
        let phases = Mutex<[InstallPhase]>([])
        _ = try await installer().add(archive, named: nil) { phase in phases.withLock { $0.append(phase) } }
        #expect(phases.withLock { $0 } == [.extracting, .validating])
    }

    private func codes(_ installer: FolderVoiceInstaller) async -> [Voice.ID: String] {
        Dictionary(uniqueKeysWithValues: await installer.installedVoices().faults.map { ($0.id, $0.error.code) })
    }

    @Test func `of which files are gone or changed are found out, and can be taken away`() async throws {
        let installer = installer()
        let installed = try await installer.add(archive, named: nil) { _ in }
        let path = "\(voicesFolder)/\(installed.folder)"
        #expect(await codes(installer).isEmpty)

        try Data("x".utf8).write(to: URL(filePath: "\(path)/MODEL_CARD"))
        let altered = try #require(await installer.installedVoices().fault(of: id)?.error as? ModelInstallError)
        #expect(altered == .altered(id, file: "MODEL_CARD"))
        #expect(await installer.installedVoices().voices.map(\.voice.id) == [id], "it can speak")
        // The files are removed one by one, until only the receipt remains.
        for name in ["tokens.txt", "en_US-fixture-low.onnx", "en_US-fixture-low.onnx.json", "MODEL_CARD"] {
            try FileManager.default.removeItem(atPath: "\(path)/\(name)")
            #expect(await codes(installer) == [id: "voice.missing-file"], "\(name)")
            #expect(await installer.installedVoices().voices.isEmpty)
        }
        let missing = try #require(await installer.installedVoices().fault(of: id)?.error as? VoiceFolderError)
        #expect(missing == .missingFile("en_US-fixture-low.onnx"))
        try await installer.remove(id)
        #expect(names.isEmpty, "what is broken can be taken away")
    }

    @Test(arguments: ["en_US-fixture-low.onnx.json", "tokens.txt", ModelReceipt.fileName])
    func `of which hardly anything is left are reported by their ids`(file: String) async throws {
        let path = "\(voicesFolder)/vits-piper-en_US-fixture-low"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try FileManager.default.createDirectory(atPath: "\(voicesFolder)/notes", withIntermediateDirectories: false)
        try Data("x".utf8).write(to: URL(filePath: "\(voicesFolder)/notes/diary.txt"))
        let receipt = ModelReceipt(
            entry: entry.id,
            files: ["en_US-fixture-low.onnx": 5, "espeak-ng-data/a.onnx": 5]
        )
        let bytes = file == ModelReceipt.fileName ? try receipt.encoded : Data("{}".utf8)
        try bytes.write(to: URL(filePath: "\(path)/\(file)"))
        #expect(await codes(installer()) == [id: "voice.missing-file"])
        #expect(await installer().installedVoices().fault(of: id)?.folder.name == "en_US-fixture-low")
        try await installer().remove(id)
        #expect(names == ["notes"])
    }

    @Test func `in folders of other names go by their models' names, broken or not`() async throws {
        let path = "\(voicesFolder)/mine"
        try FileManager.default.createDirectory(atPath: voicesFolder, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: Fixtures.voice, toPath: path)
        #expect(await installer().installedVoices().voices.map(\.voice.id) == [id])
        try FileManager.default.removeItem(atPath: "\(path)/tokens.txt")
        #expect(await codes(installer()) == [id: "voice.missing-file"])
        // The complete one of two voices with the same id counts.
        try FileManager.default.copyItem(atPath: Fixtures.voice, toPath: "\(voicesFolder)/other")
        #expect(await codes(installer()).isEmpty)
        try await installer().remove(id)
        #expect(names == ["mine"])
        try await installer().remove(id)
        #expect(names.isEmpty)
    }

    @Test func `are swept of what nobody works on, and of nothing else`() async throws {
        let installer = installer(
            TrustingExaminer { _ in
                // Another process sweeps while a voice is being tested.
                let other = FolderVoiceInstaller(
                    in: voicesFolder,
                    unpacker: LibarchiveUnpacker(),
                    examiner: TrustingExaminer()
                )
                #expect(await other.sweep() == 0)
            }
        )
        let old = ".incoming-00000000-0000-0000-0000-000000000000"
        try FileManager.default.createDirectory(
            atPath: "\(voicesFolder)/\(old)/contents",
            withIntermediateDirectories: true
        )
        try Data("x".utf8).write(to: URL(filePath: "\(voicesFolder)/\(old)/contents/a"))
        for name in ["\(entry.id).partial", "\(entry.id).partial.json"] {
            try Data("x".utf8).write(to: URL(filePath: "\(voicesFolder)/\(name)"))
        }
        #expect(await installer.sweep() == 1)
        _ = try await installer.add(archive, named: nil) { _ in }
        #expect(names == ["\(entry.id)", "\(entry.id).partial", "\(entry.id).partial.json"])
    }

    @Test func `come from a folder with what a voice consists of, and with links followed`() async throws {
        let source = folder("snapshot")
        try FileManager.default.createDirectory(atPath: source, withIntermediateDirectories: false)
        for name in try FileManager.default.contentsOfDirectory(atPath: Fixtures.voice) {
            try FileManager.default.createSymbolicLink(
                atPath: "\(source)/\(name)",
                withDestinationPath: "\(Fixtures.voice)/\(name)"
            )
        }
        try Data("private".utf8).write(to: URL(filePath: "\(source)/diary.txt"))
        let installed = try await installer().add(source, named: nil) { _ in }
        let inside = try FileManager.default.contentsOfDirectory(atPath: "\(voicesFolder)/\(installed.folder)").sorted()
        #expect(
            inside == [
                ".echotext-receipt.json", "MODEL_CARD", "en_US-fixture-low.onnx", "en_US-fixture-low.onnx.json",
                "tokens.txt",
            ]
        )
        let model = "\(voicesFolder)/\(installed.folder)/en_US-fixture-low.onnx"
        let type = try FileManager.default.attributesOfItem(atPath: model)[.type] as? FileAttributeType
        #expect(type == .typeRegular)
    }

    /// A model with its description, as a person trains and names it.
    ///
    /// - Returns: The model's path.
    private func model(called name: String, in place: String, adding bytes: Data = Data()) throws -> String {
        let fixture = "\(Fixtures.voice)/en_US-fixture-low.onnx"
        let path = "\(folder(place))/\(name).onnx"
        try FileManager.default.createDirectory(atPath: folder(place), withIntermediateDirectories: false)
        try (try Data(contentsOf: URL(filePath: fixture)) + bytes).write(to: URL(filePath: path))
        try FileManager.default.copyItem(atPath: "\(fixture).json", toPath: "\(path).json")
        return path
    }

    @Test func `that are several in one folder are refused, so that none is left out unsaid`() async throws {
        let installer = installer()
        let anna = try model(called: "anna", in: "both")
        let ben = "\(folder("both"))/ben.onnx"
        try FileManager.default.copyItem(atPath: anna, toPath: ben)
        try FileManager.default.copyItem(atPath: "\(anna).json", toPath: "\(ben).json")
        await #expect(throws: ModelInstallError.several(["anna.onnx", "ben.onnx"])) {
            try await installer.add(folder("both"), named: nil) { _ in }
        }
        try FileManager.default.createDirectory(atPath: folder("all"), withIntermediateDirectories: false)
        for name in ["anna", "ben"] { _ = try model(called: name, in: "all/\(name)") }
        await #expect(throws: ModelInstallError.several(["anna", "ben"])) {
            try await installer.add(folder("all"), named: nil) { _ in }
        }
        #expect(names.isEmpty)
        _ = try await installer.add(ben, named: nil) { _ in }
        _ = try await installer.add(folder("all/anna"), named: nil) { _ in }
        #expect(names == ["vits-piper-anna", "vits-piper-ben"])
    }

    @Test func `of a person stay when another one comes that is called the same`() async throws {
        let installer = installer()
        let first = try model(called: "model", in: "anna")
        let second = try model(called: "model", in: "ben", adding: Data([0]))
        let place = "\(voicesFolder)/vits-piper-model"
        _ = try await installer.add(first, named: nil) { _ in }
        let name = ModelInstallError.nameTaken("model")
        await #expect(throws: name) { try await installer.add(second, named: nil) { _ in } }
        #expect(names == ["vits-piper-model"])
        var isFirst = FileManager.default.contentsEqual(atPath: "\(place)/model.onnx", andPath: first)
        #expect(isFirst, "the one that was there speaks")
        _ = try await installer.add(first, named: nil) { _ in }
        isFirst = FileManager.default.contentsEqual(atPath: "\(place)/model.onnx", andPath: first)
        #expect(isFirst, "the same one may be added again")

        try Data("x".utf8).write(to: URL(filePath: "\(place)/tokens.txt"))
        _ = try await installer.add(second, named: nil) { _ in }
        let isSecond = FileManager.default.contentsEqual(atPath: "\(place)/model.onnx", andPath: second)
        #expect(isSecond, "one whose files have changed makes room")
        await #expect(throws: name) { try await installer.add(first, named: nil) { _ in } }
        try await installer.remove(Voice.ID(rawValue: "piper/model"))
        _ = try await installer.add(first, named: nil) { _ in }
        #expect(names == ["vits-piper-model"])
    }

    @Test func `of a person stay when the catalogue's of that name comes, whose archive is kept`() async throws {
        let installer = installer()
        let own = try model(called: "en_US-fixture-low", in: "own", adding: Data([0]))
        _ = try await installer.add(own, named: nil) { _ in }
        let copy = "\(voicesFolder)/\(entry.id).partial"
        try FileManager.default.copyItem(atPath: archive, toPath: copy)
        let fetched = FetchedArchive(path: copy, bytes: 1, sha256: "", url: "")
        await #expect(throws: ModelInstallError.nameTaken("en_US-fixture-low")) {
            try await installer.install(fetched, of: entry) { _ in }
        }
        #expect(FileManager.default.fileExists(atPath: copy))
        try await installer.remove(id)
        _ = try await installer.install(fetched, of: entry) { _ in }
        #expect(await installer.installedVoices().voices.first?.receipt?.entry == entry.id)
    }

    @Test func `that are no voices are refused with words`() async throws {
        try FileManager.default.createDirectory(atPath: folder("empty"), withIntermediateDirectories: false)
        let installer = installer()
        await #expect(throws: VoiceFolderError.notAVoiceFolder) {
            try await installer.add(folder("empty"), named: nil) { _ in }
        }
        try Data().write(to: URL(filePath: folder("alone.onnx")))
        await #expect(throws: VoiceFolderError.missingFile("alone.onnx.json")) {
            try await installer.add(folder("alone.onnx"), named: nil) { _ in }
        }
        await #expect(throws: ModelInstallError.nothingToAdd) {
            try await installer.add("/dev/null", named: nil) { _ in }
        }
    }
}
