/// Knows a voice by its files: the port to the engine that speaks with it.
///
/// `verifyContract(of:)` in `EchoTextTesting` checks that both methods describe the same voice, and that what cannot speak
/// is not let through.
package protocol VoiceExaminer: Sendable {
    /// Reads the voice from the files in the folder at `path`, without opening the model.
    ///
    /// - Throws: ``VoiceFolderError``.
    func voice(at path: String) throws -> Voice

    /// Opens the voice and has it say a word, where it can harm nobody.
    ///
    /// - Throws: ``VoiceFolderError``, ``VoiceInstallError/silent``, ``VoiceInstallError/inconsistent(file:)``,
    ///   ``SynthesisError``, ``WorkerError``, ``EngineError`` or `CancellationError`.
    func hear(_ path: String) async throws -> HeardVoice
}

/// A voice that has said a word.
package struct HeardVoice: Sendable, Hashable {
    package let voice: Voice
    /// How its model is run.
    package let layout: ModelLayout

    package init(voice: Voice, layout: ModelLayout) {
        self.voice = voice
        self.layout = layout
    }
}
