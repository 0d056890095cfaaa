/// All settings: the single list that `echotext settings`, the page and Documentation/Settings.md use.
package enum SettingsCatalogue {
    package static let sentencePause = Setting(
        "speech.sentence-pause",
        "Silence between sentences at speed 1.",
        in: 0...60,
        unit: "seconds",
        standard: NarrationSettings.Pauses().sentence
    )
    package static let paragraphPause = Setting(
        "speech.paragraph-pause",
        "Silence between paragraphs at speed 1.",
        in: 0...60,
        unit: "seconds",
        standard: NarrationSettings.Pauses().paragraph
    )
    package static let headingPause = Setting(
        "speech.heading-pause",
        "Silence after a heading at speed 1.",
        in: 0...60,
        unit: "seconds",
        standard: NarrationSettings.Pauses().heading
    )
    package static let lanes = Setting(
        "speech.lanes",
        "How many sentences are spoken at once; 0 for as many as there are cores.",
        in: 0...64,
        unit: "",
        standard: 0
    )
    package static let cache = Setting(
        "speech.cache",
        "How much speech of documents is remembered, so that only changed sentences are spoken again; 0 for none.",
        in: 0...100_000,
        unit: "MB",
        standard: 500
    )
    package static let dictionary = Setting(
        "speech.dictionary",
        "How words are pronounced, in the form of a dictionary file.",
        allowed: "lines such as “word = replacement” or “word = /ipa/”"
    ) { (try? PronunciationDictionary(parsing: $0)) != nil }
    package static let step = Setting(
        "playback.step",
        "How far “back” and “forward” go.",
        in: 1...600,
        unit: "seconds",
        standard: 15.0
    )
    package static let playbackSpeed = Setting(
        "playback.speed",
        "How fast recordings are played; their pitch stays.",
        in: 0.5...3,
        unit: "times",
        standard: 1.0
    )
    package static let loops = Setting(
        "playback.loop",
        "Whether the queue begins again after its last recording.",
        standard: false
    )
    package static let keepsHistory = Setting(
        "history.keep",
        "Whether spoken texts are kept in the history.",
        standard: true
    )
    package static let catalogue = Setting(
        "voices.catalogue",
        "Where voices are downloaded from; the releases of sherpa-onnx on GitHub when it is empty.",
        allowed: "an https address of a mirror, or a folder such as /media/stick/voices"
    ) { (try? CatalogueAddress($0)) != nil }
    package static let offline = Setting(
        "outbound.offline",
        "Whether EchoText connects to nothing, whatever it is asked for.",
        standard: false
    )
    package static let consent = Setting(
        "transcription.consent",
        "How often you are asked before sound is sent to a transcription service: each time, once a session, or never.",
        of: ConsentRule.allCases.map(\.rawValue)
    )
    package static let recognizers = Setting(
        "transcription.recognizers",
        "Which recognisers are asked first, in their order; when one fails, the next is asked.",
        allowed: "their IDs, with spaces between them"
    ) { RecognizerOrder(text: $0) != nil }
    package static let transcribesLive = Setting(
        "transcription.live",
        "Whether a recording is transcribed while it is made, by a recogniser on this machine.",
        standard: true
    )
    package static let transcribesAfter = Setting(
        "transcription.after-recording",
        "Whether a recording is transcribed when it is done; what was written while it was made is a draft until then.",
        standard: true
    )
    package static let transcribesImports = Setting(
        "transcription.after-import",
        "Whether a sound or video file is transcribed once it is imported on the page.",
        standard: false
    )
    package static let lockAfter = Setting(
        "vault.lock-after",
        "How long an unlocked library may be idle before it locks itself; 0 for no limit.",
        in: 0...1_440,
        unit: "minutes",
        standard: 15
    )
    package static let remindsOfRecoveryCode = Setting(
        "vault.recovery-reminder",
        "Whether you are reminded, once, that a library of ten recordings has no recovery code.",
        standard: true
    )

    package static let recordingInput = Setting(
        "recording.input",
        "Which microphone the page records, by its name; the browser's usual one when it is empty.",
        allowed: "a name of at most 200 characters"
    ) { $0.count <= 200 }
    package static let recordingLanguage = Setting(
        "recording.language",
        "The language that is spoken in new recordings; not known when it is empty.",
        allowed: "a BCP 47 tag such as et or en-GB"
    ) { $0.isEmpty || LanguageTag.canonical($0) == $0 }
    package static let echoCancellation = Setting(
        "recording.echo-cancellation",
        "Whether the browser takes out of a recording what the loudspeakers play.",
        standard: false
    )
    package static let noiseSuppression = Setting(
        "recording.noise-suppression",
        "Whether the browser suppresses noise in a recording.",
        standard: false
    )
    package static let gainControl = Setting(
        "recording.gain",
        "Whether the browser adjusts how loud a recording is.",
        standard: true
    )

    /// A ZIP file holds less than 4 GiB of one file.
    package static let keptFiles = Setting(
        "recording.keep-files",
        "How large an imported sound or video file may be to be kept as it came, beside its sound; 0 for none.",
        in: 0...4_000,
        unit: "MB",
        standard: 2_000
    )

    package static let theme = Setting(
        "page.theme",
        "Whether the page is light or dark.",
        of: ["system", "light", "dark"]
    )
    package static let language = Setting(
        "page.language",
        "The language of the page.",
        of: ["system", "en", "et"]
    )
    package static let textSize = Setting(
        "page.text-size",
        "How large the page's text is.",
        in: 100...200,
        unit: "per cent",
        standard: 100
    )
    package static let readingFont = Setting(
        "page.reading-font",
        "The letters of texts that are read along.",
        of: ["serif", "sans", "readable"]
    )
    package static let readingSize = Setting(
        "page.reading-size",
        "How large the letters of texts that are read along are.",
        in: 18...32,
        unit: "pixels",
        standard: 20
    )
    package static let spacing = Setting(
        "page.spacing",
        "How far letters, words and lines of texts that are read along stand apart.",
        of: ["normal", "wide"]
    )
    package static let highlight = Setting(
        "page.highlight",
        "What is marked while it is heard.",
        of: ["both", "word", "sentence", "none"]
    )
    package static let characterKeys = Setting(
        "page.character-keys",
        "Whether letters, digits and signs are shortcuts alone, only together with Ctrl and Alt, or not at all.",
        of: ["alone", "ctrl-alt", "off"]
    )

    /// Orders of a list that has dates, lengths and names.
    private static let orders = ["date.down", "date.up", "length.down", "length.up", "name.up", "name.down"]

    package static let libraryOrder = Setting("page.library-order", "How the library was last sorted.", of: orders)
    package static let documentsOrder = Setting(
        "page.documents-order",
        "How the documents were last sorted.",
        of: orders
    )
    package static let recordingsOrder = Setting(
        "page.recordings-order",
        "How the recordings were last sorted.",
        of: orders + ["size.down", "size.up"]
    )
    package static let voicesOrder = Setting(
        "page.voices-order",
        "How the voices were last sorted.",
        of: ["name", "small", "large", "quality"]
    )
    package static let voicesKind = Setting(
        "page.voices",
        "Which voices were last looked at.",
        of: ["natural", "built-in"]
    )
    package static let documentView = Setting(
        "page.document-view",
        "Whether PDFs were last read as pages or as text.",
        of: ["pages", "text"]
    )

    private static let textFormats = ["txt", "md", "docx", "srt", "vtt", "csv", "json"]
    private static let soundFormats = ["mp3", "m4a", "flac", "wav", "opus", "ogg"]

    package static let exportWay = Setting(
        "page.export-way",
        "Whether several were last exported as a file for each or as one audiobook.",
        of: ["each", "joined"]
    )
    package static let exportContent = Setting(
        "page.export-content",
        "What was last exported of a recording: its transcript, its sound or both.",
        of: ["transcript", "sound", "both"]
    )
    package static let exportText = Setting(
        "page.export-text",
        "The format in which a transcript was last exported.",
        of: textFormats
    )
    package static let exportSound = Setting(
        "page.export-sound",
        "The format of the sound that was last exported of a recording.",
        of: soundFormats + ["m4b", "epub", "chapters", "file"]
    )
    package static let exportTimes = Setting(
        "page.export-times",
        "Whether a transcript was last exported with times.",
        standard: false
    )
    package static let exportWords = Setting(
        "page.export-words",
        "Whether a table of a transcript was last exported with a row for each word.",
        standard: false
    )
    package static let exportFile = Setting(
        "page.export-file",
        "The format in which narrations were last exported as a file for each.",
        of: soundFormats + ["m4b", "epub", "chapters"] + textFormats
    )
    package static let exportJoined = Setting(
        "page.export-joined",
        "The format in which several were last exported as one audiobook.",
        of: ["m4b"] + soundFormats
    )
    package static let exportChapters = Setting(
        "page.export-chapters",
        "The format of the sound that was last exported as one file for each chapter.",
        of: soundFormats
    )
    package static let exportBeside = Setting(
        "page.export-beside",
        "Which texts were last put beside sound that was exported.",
        allowed: "some of \(textFormats.joined(separator: ", ")), each once, with spaces between them"
    ) { text in
        let formats = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        return text.isEmpty
            || Set(formats).count == formats.count && Set(formats).isSubset(of: SettingsCatalogue.textFormats)
    }

    /// All of them, in the order they are listed.
    package static let all: [any AnySetting] = [
        sentencePause, paragraphPause, headingPause, lanes, cache, dictionary, step, playbackSpeed, loops, keepsHistory,
        catalogue, offline, recognizers, consent, transcribesLive, transcribesAfter, transcribesImports,
        lockAfter, remindsOfRecoveryCode, recordingInput, recordingLanguage, echoCancellation,
        noiseSuppression, gainControl, keptFiles, practiceRate, practiceGranularity, practiceEcho, practiceFactor,
        practiceRepeats,
        practiceOrder, practiceHidesText, practiceFaster, practiceRecords, practiceKeepsTakes, practiceEarcon,
        practiceVibration, practicePulse,
        theme, language, textSize, readingFont, readingSize, spacing, highlight, characterKeys,
        libraryOrder, documentsOrder, recordingsOrder, voicesOrder,
        voicesKind, documentView, exportWay, exportContent, exportText, exportSound, exportTimes, exportWords,
        exportFile, exportJoined, exportChapters, exportBeside,
    ]

    /// The setting called `name`.
    ///
    /// - Throws: ``LibraryError/unknownSetting(name:nearest:)``.
    package static func setting(called name: String) throws(LibraryError) -> any AnySetting {
        if let setting = all.first(where: { $0.name == name }) { return setting }
        let nearest = all.map(\.name).first { $0.hasSuffix(name) || $0.hasPrefix(name) }
        throw .unknownSetting(name: name, nearest: nearest)
    }

    /// Returns the stored form of `text` for the setting called `name`; `nil` stays `nil`.
    ///
    /// - Throws: ``LibraryError/unknownSetting(name:nearest:)``, ``LibraryError/invalidSetting(name:allowed:)``.
    package static func checked(_ text: String?, for name: String) throws(LibraryError) -> String? {
        let setting = try setting(called: name)
        guard let text else { return nil }
        return try setting.checked(text)
    }

    /// The settings for a reader of Documentation/Settings.md, which is this text.
    package static var markdown: String {
        """
        # Settings

        Every setting there is, in the order of `echotext settings list`. Written from the program's own list of them.

        | setting | what it is for | what it takes | default |
        | --- | --- | --- | --- |

        """ + all.map { "| `\($0.name)` | \($0.summary) | \($0.allowed) | \($0.standardInMarkdown) |\n" }.joined()
            + noSettings
    }

    /// The end of ``markdown``: values that nobody can set, and why.
    private static let noSettings = """

        ## What is no setting

        - **How text is cut.** The first sentence is made alone, so that it is heard at once; then up to 100 words together,
          then up to 300. Every sentence is spoken by itself, so other sizes would sound the same.
        - **The folders.** Settings lie in the library, so that its place cannot be one of them. To move the library, the voices
          or the recognisers, end EchoText, move the folder, and name its new place by `ECHOTEXT_LIBRARY`, `ECHOTEXT_VOICES` or
          `ECHOTEXT_RECOGNIZERS` ([Reference.md](Reference.md)). Exports go where your browser keeps downloads, or where the
          command writes.

        """
}

/// A setting whatever its type.
package protocol AnySetting: Sendable {
    var name: String { get }
    var summary: String { get }
    var allowed: String { get }
    var kind: SettingKind { get }
    /// The default, as it is written.
    var standardText: String { get }

    /// Returns the stored form of `text`.
    ///
    /// - Throws: ``LibraryError/invalidSetting(name:allowed:)``.
    func checked(_ text: String) throws(LibraryError) -> String

    /// The value among `stored`, as it is written: the default when it has not been set, or is no longer valid.
    func text(in stored: [String: String]) -> String
}

extension AnySetting {
    fileprivate var standardInMarkdown: String { standardText.isEmpty ? "nothing" : "`\(standardText)`" }
}

extension Setting: AnySetting {
    package var standardText: String { text(of: standard) }

    package func checked(_ text: String) throws(LibraryError) -> String { self.text(of: try value(of: text)) }

    package func text(in stored: [String: String]) -> String { text(of: value(in: stored)) }

    /// The value among `stored`: the default when it has not been set, or is no longer valid.
    package func value(in stored: [String: String]) -> Value {
        // A value that only an older version allowed counts as unset.
        stored[name].flatMap { try? value(of: $0) } ?? standard
    }
}

extension SettingsStore {
    /// The most bytes of an imported file that is stored unchanged.
    package func largestStoredFile() async throws -> Int {
        try await value(of: SettingsCatalogue.keptFiles) * 1_000_000
    }

    /// The person's rules for connections.
    ///
    /// - Throws: ``ModelDownloadError/badAddress``, and what the store throws.
    package func outboundRules() async throws -> OutboundRules {
        OutboundRules(
            isOffline: try await value(of: SettingsCatalogue.offline),
            catalogue: try CatalogueAddress(try await value(of: SettingsCatalogue.catalogue))
        )
    }

    /// The value of `setting`: its default when it has not been set, or when the stored value is no longer valid.
    package func value<Value>(of setting: Setting<Value>) async throws -> Value {
        setting.value(in: try await stored())
    }

    /// Sets the setting called `name`.
    ///
    /// - Throws: ``LibraryError/unknownSetting(name:nearest:)``, ``LibraryError/invalidSetting(name:allowed:)``.
    package func set(_ name: String, to text: String) async throws {
        try await store(text, for: name)
    }
}

/// How texts are practiced where a session does not say otherwise: as the last session did.
extension SettingsCatalogue {
    package static let practiceRate = Setting(
        "practice.rate",
        "How fast texts are read for practice; 0.5 is the voice's own pace.",
        in: PracticeSettings.rates,
        unit: "",
        standard: PracticeSettings().rate
    )
    package static let practiceGranularity = Setting(
        "practice.granularity",
        "What is read at once for practice.",
        of: PracticeSettings.Granularity.allCases.map(\.rawValue)
    )
    package static let practiceEcho = Setting(
        "practice.echo",
        "What follows a segment: a pause as long as it, a pause until you fall silent, or none.",
        of: PracticeSettings.Echo.allCases.map(\.rawValue)
    )
    package static let practiceFactor = Setting(
        "practice.factor",
        "How long the pause after a segment is, in lengths of the segment.",
        in: PracticeSettings.factors,
        unit: "times",
        standard: PracticeSettings().factor
    )
    package static let practiceRepeats = Setting(
        "practice.repeats",
        "How often each segment is practised before the next.",
        in: PracticeSettings.repetitions,
        unit: "times",
        standard: PracticeSettings().repeats
    )
    package static let practiceOrder = Setting(
        "practice.order",
        "Whether you repeat each segment, read along, or first hear everything once.",
        of: PracticeSettings.Order.allCases.map(\.settingText)
    )
    package static let practiceHidesText = Setting(
        "practice.hide-text",
        "Whether the text is hidden while it is practised.",
        standard: PracticeSettings().hidesText
    )
    package static let practiceFaster = Setting(
        "practice.faster",
        "Whether each repetition is a little faster than the one before it.",
        standard: PracticeSettings().faster
    )
    package static let practiceRecords = Setting(
        "practice.record",
        "Whether the microphone records you in the pauses.",
        standard: PracticeSettings().records
    )
    package static let practiceKeepsTakes = Setting(
        "practice.keep-takes",
        "Whether recorded pauses are kept, encrypted in the library, after they have been scored.",
        standard: PracticeSettings().keepsTakes
    )
    package static let practiceEarcon = Setting(
        "practice.earcon",
        "Whether a sound marks the end of a segment.",
        standard: PracticeSettings().earcon
    )
    package static let practiceVibration = Setting(
        "practice.vibration",
        "Whether a vibration marks the end of a segment, where the device can.",
        standard: PracticeSettings().vibration
    )
    package static let practicePulse = Setting(
        "practice.pulse",
        "Whether the page marks the end of a segment by a pulse.",
        standard: PracticeSettings().pulse
    )
}

extension SettingsStore {
    /// The settings of the last session, without those of a particular text, such as its loop.
    package func practice() async throws -> PracticeSettings {
        var settings = PracticeSettings()
        settings.rate = try await value(of: SettingsCatalogue.practiceRate)
        settings.granularity = .init(rawValue: try await value(of: SettingsCatalogue.practiceGranularity)) ?? .sentence
        settings.echo = .init(rawValue: try await value(of: SettingsCatalogue.practiceEcho)) ?? .timed
        settings.factor = try await value(of: SettingsCatalogue.practiceFactor)
        settings.repeats = try await value(of: SettingsCatalogue.practiceRepeats)
        let order = try await value(of: SettingsCatalogue.practiceOrder)
        settings.order = PracticeSettings.Order.allCases.first { $0.settingText == order } ?? .listenAndRepeat
        settings.hidesText = try await value(of: SettingsCatalogue.practiceHidesText)
        settings.faster = try await value(of: SettingsCatalogue.practiceFaster)
        settings.records = try await value(of: SettingsCatalogue.practiceRecords)
        settings.keepsTakes = try await value(of: SettingsCatalogue.practiceKeepsTakes)
        settings.earcon = try await value(of: SettingsCatalogue.practiceEarcon)
        settings.vibration = try await value(of: SettingsCatalogue.practiceVibration)
        settings.pulse = try await value(of: SettingsCatalogue.practicePulse)
        return settings
    }

    /// Keeps settings for the next session; those that are as they were are not written.
    ///
    /// - Returns: Whether any has changed.
    @discardableResult
    package func keep(_ settings: PracticeSettings) async throws -> Bool {
        let old = try await practice()
        var hasChanged = false
        func keep<Value>(_ setting: Setting<Value>, _ before: Value, _ now: Value) async throws
        where Value: Equatable & Sendable {
            guard before != now else { return }
            try await store(setting.text(of: now), for: setting.name)
            hasChanged = true
        }
        try await keep(SettingsCatalogue.practiceRate, old.rate, settings.rate)
        try await keep(
            SettingsCatalogue.practiceGranularity,
            old.granularity.rawValue,
            settings.granularity.rawValue
        )
        try await keep(SettingsCatalogue.practiceEcho, old.echo.rawValue, settings.echo.rawValue)
        try await keep(SettingsCatalogue.practiceFactor, old.factor, settings.factor)
        try await keep(SettingsCatalogue.practiceRepeats, old.repeats, settings.repeats)
        try await keep(SettingsCatalogue.practiceOrder, old.order.settingText, settings.order.settingText)
        try await keep(SettingsCatalogue.practiceHidesText, old.hidesText, settings.hidesText)
        try await keep(SettingsCatalogue.practiceFaster, old.faster, settings.faster)
        try await keep(SettingsCatalogue.practiceRecords, old.records, settings.records)
        try await keep(SettingsCatalogue.practiceKeepsTakes, old.keepsTakes, settings.keepsTakes)
        try await keep(SettingsCatalogue.practiceEarcon, old.earcon, settings.earcon)
        try await keep(SettingsCatalogue.practiceVibration, old.vibration, settings.vibration)
        try await keep(SettingsCatalogue.practicePulse, old.pulse, settings.pulse)
        return hasChanged
    }
}

extension PracticeSettings.Order {
    /// As the setting has it, in lower case.
    fileprivate var settingText: String {
        switch self {
        case .listenAndRepeat: "listen-and-repeat"
        case .together: "together"
        case .listenFirst: "listen-first"
        }
    }
}
