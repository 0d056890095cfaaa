import Foundation

/// The numbers of a row that can be reckoned with; what is beyond them is damaged.
enum RowBounds {
    /// The bounds of days and times, in seconds since 1970.
    static let times = -1e11...1e11
    /// In a recording, in seconds from its start; a word may be heard a little early.
    static let places = -1.0...1e10
    /// In words per minute.
    static let paces = 0.0...1e15
    /// The bounds of counts: samples, chunks, failures.
    static let counts = 0...1 << 48
    /// In hertz.
    static let rates = 1...Int(Int32.max)
}

extension Date {
    /// The time of a row, `seconds` since 1970, or the nearest that can be written as a day.
    init(seconds: Double) {
        self.init(timeIntervalSince1970: min(max(seconds, RowBounds.times.lowerBound), RowBounds.times.upperBound))
    }
}
