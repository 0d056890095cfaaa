package import EchoText

/// A setting with everything needed to draw a control for it; values are always text.
package struct SettingResponse: Encodable, Sendable {
    package enum Kind: String, Encodable, Sendable {
        case number
        case integer
        case toggle = "switch"
        case choice
        case text
    }

    /// Dotted, “playback.step”.
    package let name: String
    /// English.
    package let summary: String
    /// English.
    package let allowed: String
    /// The default.
    package let standard: String
    /// Always text: “15”, “on”, “dark”.
    package let value: String
    package let kind: Kind
    @Nullable package var range: [Double]?
    @Nullable package var unit: String?
    @Nullable package var choices: [String]?

    package init(_ setting: any AnySetting, stored: [String: String]) {
        name = setting.name
        summary = setting.summary
        allowed = setting.allowed
        standard = setting.standardText
        value = setting.text(in: stored)
        switch setting.kind {
        case .number(let range, let unit):
            kind = .number
            (self.range, self.unit) = ([range.lowerBound, range.upperBound], unit)
        case .integer(let range, let unit):
            kind = .integer
            (self.range, self.unit) = ([Double(range.lowerBound), Double(range.upperBound)], unit)
        case .toggle: kind = .toggle
        case .choice(let choices):
            kind = .choice
            self.choices = choices
        case .text: kind = .text
        }
        if unit?.isEmpty == true { unit = nil }
    }
}
