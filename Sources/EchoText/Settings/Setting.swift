/// One thing a person can set: its name, what it takes, and what it is when it has not been set.
package struct Setting<Value: Sendable & Equatable>: Sendable {
    /// Dotted and in lower case, such as `playback.step`.
    package let name: String
    package let summary: String
    package let standard: Value
    /// What it takes, in words: “a number from 0 to 60, in seconds”.
    package let allowed: String
    private let read: @Sendable (String) -> Value?
    private let write: @Sendable (Value) -> String

    fileprivate init(
        _ name: String,
        _ summary: String,
        standard: Value,
        allowed: String,
        read: @escaping @Sendable (String) -> Value?,
        write: @escaping @Sendable (Value) -> String
    ) {
        self.name = name
        self.summary = summary
        self.standard = standard
        self.allowed = allowed
        self.read = read
        self.write = write
    }

    /// The value that `text` says.
    ///
    /// - Throws: ``LibraryError/invalidSetting(name:allowed:)``.
    package func value(of text: String) throws(LibraryError) -> Value {
        guard let value = read(text) else { throw .invalidSetting(name: name, allowed: allowed) }
        return value
    }

    package func text(of value: Value) -> String { write(value) }
}

extension Setting where Value == Double {
    /// A number with a unit.
    package init(_ name: String, _ summary: String, in range: ClosedRange<Double>, unit: String, standard: Double) {
        let bounds = "\(range.lowerBound.formattedShortly) to \(range.upperBound.formattedShortly)"
        self.init(
            name,
            summary,
            standard: standard,
            allowed: "a number from \(bounds)" + (unit.isEmpty ? "" : ", in \(unit)"),
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
                + (unit.isEmpty ? "" : ", in \(unit)"),
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
            read: {
                ["on": true, "true": true, "yes": true, "off": false, "false": false, "no": false][$0.lowercased()]
            },
            write: { $0 ? "on" : "off" }
        )
    }
}

extension Double {
    /// Without a fraction where there is none.
    fileprivate var formattedShortly: String {
        self == rounded() && abs(self) < 1e15 ? String(Int(self)) : String(self)
    }
}
