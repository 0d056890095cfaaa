/// One way to come by the file key: the lines of an age header from one `->` to the next.
struct AgeStanza: Hashable {
    /// The kind of key it is for; one or more visible ASCII characters.
    let type: String
    /// Each has one or more visible ASCII characters.
    let arguments: [String]
    let body: [UInt8]

    /// As it stands in a header, the last line's end included.
    var text: String {
        let base64 = CanonicalBase64.encode(body)
        var lines = [(["->", type] + arguments).joined(separator: " ")]
        var rest = base64[...]
        while rest.count >= AgeHeader.columns {
            lines.append(String(rest.prefix(AgeHeader.columns)))
            rest = rest.dropFirst(AgeHeader.columns)
        }
        lines.append(String(rest))
        return lines.joined(separator: "\n") + "\n"
    }
}
