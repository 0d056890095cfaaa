package import EchoText
import Foundation

/// The available neural voices.
package protocol PiperVoiceList: Sendable {
    /// The voices that are available now, sorted by id.
    func voices() async -> [PiperVoice]

    /// The voice in its present state; `nil` when none has that id.
    ///
    /// - Throws: ``VoiceFolderError`` or ``ModelInstallError/altered(_:file:)`` for a voice whose files are missing
    ///   or changed.
    func voice(_ id: Voice.ID) async throws -> PiperVoice?

    /// Stores the layout of a voice's model, so that it need not be determined again.
    func keep(_ layout: ModelLayout, of voice: PiperVoice) async
}

/// A fixed list of voices; the first of several with the same id counts.
package struct FixedPiperVoices: PiperVoiceList {
    private let byID: [Voice.ID: PiperVoice]

    package init(_ voices: [PiperVoice]) {
        byID = Dictionary(voices.map { ($0.voice.id, $0) }) { first, _ in first }
    }

    package func voices() -> [PiperVoice] { byID.values.sorted { $0.voice.id.rawValue < $1.voice.id.rawValue } }

    package func voice(_ id: Voice.ID) -> PiperVoice? { byID[id] }

    package func keep(_ layout: ModelLayout, of voice: PiperVoice) {}
}

/// The voices in the subfolders of a folder, checked again at each call.
///
/// A newly installed voice is available at once, and missing or changed files are noticed before the voice speaks.
/// Unchanged voices are not read again.
package actor PiperVoiceFolders: PiperVoiceList {
    private struct Known {
        let stamp: VoiceStamp
        let outcome: Result<PiperVoice, any Error>
    }

    private let path: String
    private let own: [PiperVoice]
    private let note: @Sendable (ModelLayout, VoiceFolder) async -> Void
    private var known: [VoiceFolder: Known] = [:]
    private let executor = BlockingExecutor(label: "echotext.folders")

    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Parameters:
    ///   - path: The folder of the voices; it need not exist.
    ///   - own: Voices elsewhere, which take precedence over those of the folder.
    ///   - note: Stores the layout of the model of a voice in the folder.
    package init(
        in path: String,
        and own: [PiperVoice] = [],
        note: @escaping @Sendable (ModelLayout, VoiceFolder) async -> Void = { _, _ in }
    ) {
        self.path = path
        self.own = own
        self.note = note
    }

    package func keep(_ layout: ModelLayout, of voice: PiperVoice) async {
        guard !own.contains(where: { $0.isSame(as: voice) }) else { return }
        await note(layout, voice.folder)
        known[voice.folder] = nil
    }

    package func voices() -> [PiperVoice] {
        // ``faults()`` reports the faults of the others, as does an attempt to speak with them.
        let installed = VoiceFolder.all(in: path).compactMap { try? read($0).get() }
        return FixedPiperVoices(own + installed).voices()
    }

    package func voice(_ id: Voice.ID) throws -> PiperVoice? {
        if let named = own.first(where: { $0.voice.id == id }) { return named }
        // The voice is nearly always in the folder that its id names, so no other folder must be read.
        if let usual = id.usualFolder, let folder = try? VoiceFolder.find(at: "\(path)/\(usual)"),
            let voice = try? read(folder).get()
        {
            return voice
        }
        let same = VoiceFolder.all(in: path).filter { $0.id == id }
        let whole = same.lazy.compactMap { try? self.read($0).get() }.first
        return try whole ?? same.first.map { try read($0).get() }
    }

    /// The folders whose voice cannot speak, sorted by name.
    package func faults() -> [VoiceFault] {
        let able = Set(voices().map(\.voice.id))
        return VoiceFolder.all(in: path).filter { !able.contains($0.id) }.compactMap { folder in
            guard case .failure(let error as any UserFacingError) = read(folder) else { return nil }
            return VoiceFault(in: folder, error: error)
        }
    }

    private func read(_ folder: VoiceFolder) -> Result<PiperVoice, any Error> {
        let stamp = VoiceStamp(of: folder)
        if let known = known[folder], known.stamp == stamp { return known.outcome }
        let outcome = Result<PiperVoice, any Error> {
            let voice = try PiperVoice(in: folder)
            if let file = Self.difference(in: folder) {
                throw ModelInstallError.altered(voice.voice.id, file: file)
            }
            return voice
        }
        known[folder] = Known(stamp: stamp, outcome: outcome)
        return outcome
    }

    /// The first file of the voice whose size differs from its size at installation.
    private static func difference(in folder: VoiceFolder) -> String? {
        guard var receipt = ModelReceipt(at: folder.path) else { return nil }
        let spokenWith = [folder.model, folder.description, folder.tokens].map { ($0 as NSString).lastPathComponent }
        receipt.files = receipt.files.filter { spokenWith.contains($0.key) }
        return receipt.difference(at: folder.path)
    }
}
