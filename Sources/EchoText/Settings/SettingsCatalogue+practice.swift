/// How texts are practised where a session does not say otherwise: as the last session did.
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
        "Whether recorded pauses are kept, sealed in the library, after they have been scored.",
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
