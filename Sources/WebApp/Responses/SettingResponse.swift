import EchoText
import Hummingbird

/// A setting with everything needed to draw a control for it; values are always text.
struct SettingResponse: ResponseEncodable {
    let name: String
    let summary: String
    let allowed: String
    let standard: String
    let value: String
    let kind: String
    @Nullable var range: [Double]?
    @Nullable var unit: String?
    @Nullable var choices: [String]?

    init(_ setting: any AnySetting, stored: [String: String]) {
        name = setting.name
        summary = setting.summary
        allowed = setting.allowed
        standard = setting.standardText
        // A value that only an older version allowed counts as unset.
        value = stored[setting.name].flatMap { try? setting.checked($0) } ?? setting.standardText
        switch setting.kind {
        case .number(let range, let unit):
            kind = "number"
            (self.range, self.unit) = ([range.lowerBound, range.upperBound], unit)
        case .integer(let range, let unit):
            kind = "integer"
            (self.range, self.unit) = ([Double(range.lowerBound), Double(range.upperBound)], unit)
        case .toggle: kind = "switch"
        case .choice(let choices):
            kind = "choice"
            self.choices = choices
        case .text: kind = "text"
        }
        if unit?.isEmpty == true { unit = nil }
    }
}
