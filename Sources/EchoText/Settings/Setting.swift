/// The values that a setting takes, for the control that shows it.
package enum SettingKind: Sendable, Equatable {
    case number(ClosedRange<Double>, unit: String)
    case integer(ClosedRange<Int>, unit: String)
    case toggle
    case choice([String])
    case text
}

/// A setting: its name, allowed values and default.
package struct Setting<Value: Sendable & Equatable>: Sendable {
    /// Dotted and in lower case, such as `playback.step`.
    package let name: String
    package let summary: String
    package let standard: Value
    /// Its values, in words: “a number from 0 to 60, in seconds”.
    package let allowed: String
    package let kind: SettingKind
    private let read: @Sendable (String) -> Value?
    private let write: @Sendable (Value) -> String

    fileprivate init(
        _ name: String,
        _ summary: String,
        standard: Value,
        allowed: String,
        kind: SettingKind,
        read: @escaping @Sendable (String) -> Value?,
        write: @escaping @Sendable (Value) -> String
    ) {
        self.name = name
        self.summary = summary
        self.standard = standard
        self.allowed = allowed
        self.kind = kind
        self.read = read
        self.write = write
    }

    /// The value that `text` says; none has a NUL, at which a stored text would end.
    ///
    /// - Throws: ``LibraryError/invalidSetting(name:allowed:)``.
    package func value(of text: String) throws(LibraryError) -> Value {
        guard !text.utf8.contains(0), let value = read(text) else {
            throw .invalidSetting(name: name, allowed: allowed)
        }
        return value
    }

    package func text(of value: Value) -> String { write(value) }
}

extension Setting {
    /// The end of a number's allowed values; a factor or a count needs no unit.
    fileprivate static func inUnit(_ unit: String) -> String { ["", "times"].contains(unit) ? "" : ", in \(unit)" }
}

extension Setting where Value == Double {
    /// A number with a unit.
    package init(_ name: String, _ summary: String, in range: ClosedRange<Double>, unit: String, standard: Double) {
        let bounds = "\(range.lowerBound.formattedShortly) to \(range.upperBound.formattedShortly)"
        self.init(
            name,
            summary,
            standard: standard,
            allowed: "a number from \(bounds)" + Self.inUnit(unit),
            kind: .number(range, unit: unit),
            read: { Double($0).flatMap { range.contains($0) ? $0 : nil } },
            write: { $0.formattedShortly }
        )
    }
}

extension Setting where Value == Int {
    /// A whole number with a unit.
    package init(_ name: String, _ summary: String, in range: ClosedRange<Int>, unit: String, standard: Int) {
        self.init(
            name,
            summary,
            standard: standard,
            allowed: "a whole number from \(range.lowerBound) to \(range.upperBound)"
                + Self.inUnit(unit),
            kind: .integer(range, unit: unit),
            read: { Int($0).flatMap { range.contains($0) ? $0 : nil } },
            write: { String($0) }
        )
    }
}

extension Setting where Value == Bool {
    /// A switch.
    package init(_ name: String, _ summary: String, standard: Bool) {
        self.init(
            name,
            summary,
            standard: standard,
            allowed: "on or off",
            kind: .toggle,
            read: {
                ["on": true, "true": true, "yes": true, "off": false, "false": false, "no": false][$0.lowercased()]
            },
            write: { $0 ? "on" : "off" }
        )
    }
}

extension Setting where Value == String {
    /// A setting with one of a few words; the first is the default.
    package init(_ name: String, _ summary: String, of choices: [String]) {
        self.init(
            name,
            summary,
            standard: choices[0],
            allowed: choices.joined(separator: ", "),
            kind: .choice(choices),
            read: { text in choices.first { $0 == text.lowercased() } },
            write: \.self
        )
    }

    /// A text that `isAllowed` accepts; empty when it has not been set.
    package init(_ name: String, _ summary: String, allowed: String, _ isAllowed: @escaping @Sendable (String) -> Bool)
    {
        self.init(
            name,
            summary,
            standard: "",
            allowed: allowed,
            kind: .text,
            read: { isAllowed($0) ? $0 : nil },
            write: \.self
        )
    }
}

extension Double {
    /// Without a fraction if that is zero.
    fileprivate var formattedShortly: String {
        self == rounded() && abs(self) < 1e15 ? String(Int(self)) : String(self)
    }
}

/// The store of settings: text by name, checked by ``Setting`` when read and written.
package protocol SettingsStore: Sendable {
    /// The settings that were set, by name.
    func stored() async throws -> [String: String]

    /// Stores a value, or resets the setting with `nil`.
    ///
    /// - Throws: ``LibraryError/unknownSetting(name:nearest:)``, ``LibraryError/invalidSetting(name:allowed:)``.
    func store(_ value: String?, for name: String) async throws

    /// Stores a value as ``store(_:for:)`` does, unless another one than `seen` is stored.
    ///
    /// - Returns: Whether it is stored.
    func store(_ value: String?, for name: String, insteadOf seen: String?) async throws -> Bool

    /// Sets all back to their defaults, or none; the dictionary stays, since a person has written it.
    func reset() async throws
}
