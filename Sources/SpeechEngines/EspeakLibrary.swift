import CEspeakNG
import EchoText

/// espeak-ng's library, loaded at run time.
///
/// The program does not link it. The library parses untrusted text in C and can crash: only a worker's process opens
/// it, never the process that holds a person's library. Only the functions used here are looked up, each with its
/// type in the header; call all of them on ``EspeakThread``.
///
/// - SeeAlso: `speak_lib.h` of espeak-ng 1.51, the contract of every call.
struct EspeakLibrary: Sendable {
    /// The version of the interface, which is the suffix of the library's file name.
    private static let wantedVersion = "1"

    let initialize: @Sendable @convention(c) (espeak_AUDIO_OUTPUT, Int32, UnsafePointer<CChar>?, Int32) -> Int32
    let info: @Sendable @convention(c) (UnsafeMutablePointer<UnsafePointer<CChar>?>?) -> UnsafePointer<CChar>?
    let listVoices:
        @Sendable @convention(c) (UnsafeMutablePointer<espeak_VOICE>?) -> UnsafeMutablePointer<
            UnsafePointer<espeak_VOICE>?
        >?
    private let setVoice: @Sendable @convention(c) (UnsafePointer<CChar>?) -> espeak_ERROR
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

    /// Selects the voice that speaks and pronounces from now on.
    ///
    /// The library puts each selection into its queue of 170 commands, which only speech empties. With 26 to 153
    /// selections in it the next text loses the event of its first word, and 170 look like none (tried with 1.51).
    /// A space is spoken to empty it, which takes 2 µs.
    ///
    /// - Parameter identifier: The library's name of the voice.
    /// - Returns: The library's status.
    @EspeakThread
    func select(_ identifier: String) -> espeak_ERROR {
        let status = setVoice(identifier)
        if status == EE_OK { _ = say(" ", to: nil) }
        return status
    }

    /// Speaks `text`, a C string in UTF-8 that contains phonemes between `[[` and `]]`.
    ///
    /// - Parameters:
    ///   - text: The text to speak.
    ///   - destination: Passed to the callback with each event.
    /// - Returns: The library's status.
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
    /// - Parameter rest: The string; advanced past the clause; `nil` after the last clause.
    /// - Returns: Empty for a clause without speech.
    @EspeakThread
    func clause(of rest: inout UnsafeRawPointer?) -> String {
        let internationalAlphabet: Int32 = 0x02
        return phonemes(&rest, Int32(espeakCHARS_UTF8), internationalAlphabet).map { String(cString: $0) } ?? ""
    }
}
