import CEspeakNG
import EchoText

/// espeak-ng's library, found when the process runs.
///
/// The program does not link it. It reads what strangers wrote, in C, and can be crashed by it: only a worker's process opens it, never the
/// one that holds a person's library. Only the functions used here are looked up, each with the type its header gives it; all are to be
/// called on ``EspeakThread``.
///
/// - SeeAlso: `speak_lib.h` of espeak-ng 1.51, the contract of every call.
struct EspeakLibrary: Sendable {
    /// The version of the interface, which the name of the library's file ends with.
    private static let wantedVersion = "1"

    let initialize: @Sendable @convention(c) (espeak_AUDIO_OUTPUT, Int32, UnsafePointer<CChar>?, Int32) -> Int32
    let info: @Sendable @convention(c) (UnsafeMutablePointer<UnsafePointer<CChar>?>?) -> UnsafePointer<CChar>?
    let listVoices:
        @Sendable @convention(c) (UnsafeMutablePointer<espeak_VOICE>?) -> UnsafeMutablePointer<
            UnsafePointer<espeak_VOICE>?
        >?
    let setVoice: @Sendable @convention(c) (UnsafePointer<CChar>?) -> espeak_ERROR
    let setParameter: @Sendable @convention(c) (espeak_PARAMETER, Int32, Int32) -> espeak_ERROR
    let setCallback:
        @Sendable @convention(c) (
            (@convention(c) (UnsafeMutablePointer<Int16>?, Int32, UnsafeMutablePointer<espeak_EVENT>?) -> Int32)?
        ) -> Void
    let synthesize:
        @Sendable @convention(c) (
            UnsafeRawPointer?, Int, UInt32, espeak_POSITION_TYPE, UInt32, UInt32, UnsafeMutablePointer<UInt32>?,
            UnsafeMutableRawPointer?
        ) -> espeak_ERROR
    let phonemes:
        @Sendable @convention(c) (
            UnsafeMutablePointer<UnsafeRawPointer?>?, Int32, Int32
        ) -> UnsafePointer<CChar>?

    /// Loads the library for the rest of the process's life.
    ///
    /// - Throws: ``EngineError/missing(_:)`` or ``EngineError/wrongVersion(_:found:wanted:)``.
    init() throws(EngineError) {
        let image = try LoadedImage("libespeak-ng.so.\(Self.wantedVersion)", of: .espeakNG, wanted: Self.wantedVersion)
        initialize = try image.function("espeak_Initialize")
        info = try image.function("espeak_Info")
        listVoices = try image.function("espeak_ListVoices")
        setVoice = try image.function("espeak_SetVoiceByName")
        setParameter = try image.function("espeak_SetParameter")
        setCallback = try image.function("espeak_SetSynthCallback")
        synthesize = try image.function("espeak_Synth")
        phonemes = try image.function("espeak_TextToPhonemes")
    }

    /// Says `text`, a C string in UTF-8 whose `[[…]]` are phonemes.
    ///
    /// - Parameters:
    ///   - text: What to say.
    ///   - destination: Handed to the callback with each event.
    /// - Returns: How it went.
    @EspeakThread
    func say(_ text: String, to destination: UnsafeMutableRawPointer?) -> espeak_ERROR {
        text.withCString { start in
            synthesize(
                start,
                text.utf8.count + 1,
                0,
                POS_CHARACTER,
                0,
                UInt32(espeakCHARS_UTF8 | espeakPHONEMES),
                nil,
                destination
            )
        }
    }

    /// The phonemes of the next clause of a C string, in the International Phonetic Alphabet.
    ///
    /// - Parameter rest: The string; moved past the clause, `nil` when that was the last.
    /// - Returns: Empty for a clause without speech.
    @EspeakThread
    func clause(of rest: inout UnsafeRawPointer?) -> String {
        let internationalAlphabet: Int32 = 0x02
        return phonemes(&rest, Int32(espeakCHARS_UTF8), internationalAlphabet).map { String(cString: $0) } ?? ""
    }
}
