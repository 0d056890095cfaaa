/// The part of an archive that an answer holds.
///
/// - SeeAlso: RFC 9110, section 14.4, `Content-Range`.
struct ContentRange: Equatable {
    /// `nil` where the server says only how much there is.
    let start: Int64?
    let total: Int64?

    init?(_ text: String) {
        let parts = text.split(separator: " ", omittingEmptySubsequences: true)
        guard parts.count == 2, parts[0].lowercased() == "bytes" else { return nil }
        let halves = parts[1].split(separator: "/", omittingEmptySubsequences: false)
        guard halves.count == 2 else { return nil }
        total = halves[1] == "*" ? nil : Int64(halves[1])
        if halves[1] != "*", total.map({ $0 < 0 }) ?? true { return nil }
        if halves[0] == "*" {
            start = nil
            return
        }
        let ends = halves[0].split(separator: "-", omittingEmptySubsequences: false).map { Int64($0) }
        guard ends.count == 2, let first = ends[0], let last = ends[1], first >= 0, last >= first,
            last < total ?? .max
        else { return nil }
        start = first
    }
}
