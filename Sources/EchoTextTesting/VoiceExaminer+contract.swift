package import EchoText
import Testing

/// Checks every promise ``VoiceExaminer`` makes.
///
/// - Parameters:
///   - examiner: What is checked.
///   - folder: A voice that can speak.
///   - other: A folder without a model.
/// - Throws: What must not be thrown.
package func verifyContract(of examiner: some VoiceExaminer, with folder: String, and other: String) async throws {
    let seen = try examiner.voice(at: folder)
    #expect(try await examiner.hear(folder).voice == seen, "both methods describe the same voice")
    #expect(try examiner.voice(at: folder) == seen, "hearing a voice changes nothing")
    #expect(Voice.Engine(of: seen.id) == seen.engine && seen.speakers >= 1 && seen.sampleRate > 0)
    #expect(throws: VoiceFolderError.self) { try examiner.voice(at: other) }
    await #expect(throws: VoiceFolderError.self) { try await examiner.hear(other) }
}
