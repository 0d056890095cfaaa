package import EchoText
import Foundation

/// The neural voices that can be spoken with.
package protocol PiperVoiceList: Sendable {
    /// Those there are at the moment, by id.
    func voices() async -> [PiperVoice]

    /// The voice as it is at the moment; `nil` when there is none of that id.
    ///
    /// - Throws: ``VoiceFolderError`` or ``VoiceInstallError/altered(_:file:)`` for one whose files are not what they should be.
    func voice(_ id: Voice.ID) async throws -> PiperVoice?

    /// Takes note of how a voice's model is run, so that it need not be found out again.
    func keep(_ layout: ModelLayout, of voice: PiperVoice) async
}

/// Voices that stay the same; of two with one id the first counts.
package struct FixedPiperVoices: PiperVoiceList {
    private let byID: [Voice.ID: PiperVoice]

    package init(_ voices: [PiperVoice]) {
        byID = Dictionary(voices.map { ($0.voice.id, $0) }) { first, _ in first }
    }

    package func voices() -> [PiperVoice] { byID.values.sorted { $0.voice.id.rawValue < $1.voice.id.rawValue } }

    package func voice(_ id: Voice.ID) -> PiperVoice? { byID[id] }

    package func keep(_ layout: ModelLayout, of voice: PiperVoice) {}
}

/// The voices in the folders of a folder, looked at anew whenever they are asked for.
///
/// So one that was installed a moment ago can speak, and one whose files are missing or were changed is noticed before it does. What
/// has not changed is not read again.
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
    ///   - path: The folder of the voices; it need not be there.
    ///   - own: Voices elsewhere, which come before those of the folder.
    ///   - note: Writes down how the model of a voice in the folder is run.
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
        // ``faults()`` reports what is wrong with the others, as does an attempt to speak with them.
        let installed = VoiceFolder.all(in: path).compactMap { try? read($0).get() }
        return FixedPiperVoices(own + installed).voices()
    }

    package func voice(_ id: Voice.ID) throws -> PiperVoice? {
        if let named = own.first(where: { $0.voice.id == id }) { return named }
        // Nearly always it is where its id says, and no other folder has to be read.
        if let usual = id.usualFolder, let folder = try? VoiceFolder.find(at: "\(path)/\(usual)"),
            let voice = try? read(folder).get()
        {
            return voice
        }
        let same = VoiceFolder.all(in: path).filter { $0.id == id }
        let whole = same.lazy.compactMap { try? self.read($0).get() }.first
        return try whole ?? same.first.map { try read($0).get() }
    }

    /// Folders whose voice cannot speak, by their names.
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
                throw VoiceInstallError.altered(voice.voice.id, file: file)
            }
            return voice
        }
        known[folder] = Known(stamp: stamp, outcome: outcome)
        return outcome
    }

    /// A file a voice speaks with that is not of the size it was installed with.
    private static func difference(in folder: VoiceFolder) -> String? {
        guard var receipt = VoiceReceipt(at: folder.path) else { return nil }
        let spokenWith = [folder.model, folder.description, folder.tokens].map { ($0 as NSString).lastPathComponent }
        receipt.files = receipt.files.filter { spokenWith.contains($0.key) }
        return receipt.difference(at: folder.path)
    }
}
