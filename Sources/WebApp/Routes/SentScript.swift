/// A script of the page, in the form in which it is sent.
enum SentScript {
    /// The script without the comments that have lines of their own between `/**` and `*/`, every other line where it was.
    ///
    /// They are for those who write it, and a quarter of all that a browser would be sent.
    static func text(of source: String) -> String {
        var isWithin = false
        let lines = source.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            let end = line.firstRange(of: "*/")
            if isWithin {
                isWithin = end == nil
                return end.map { line[$0.upperBound...] } ?? Substring()
            }
            // What follows a comment on its line, such as a cast, is meant to be run.
            let isComment = line.drop(while: \.isWhitespace).hasPrefix("/**")
            guard isComment, end.map({ line[$0.upperBound...].allSatisfy(\.isWhitespace) }) ?? true else { return line }
            isWithin = end == nil
            return Substring()
        }
        return lines.joined(separator: "\n")
    }
}
