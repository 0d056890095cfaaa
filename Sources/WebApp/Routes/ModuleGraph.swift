/// Which modules of the page import which, as their `import … from "./…"` statements say.
///
/// Modules that are imported dynamically, by `import("./…")`, are not among them.
struct ModuleGraph: Sendable {
    private let imports: [String: [String]]

    /// - Parameter sources: The modules' texts by their addresses, such as `/core/dom.js`.
    init(_ sources: [String: String]) {
        imports = sources.reduce(into: [:]) { imports, module in
            imports[module.key] = Self.imports(of: module.value, at: module.key).filter { sources[$0] != nil }
        }
    }

    /// The modules and all that they import, each once, those first that are named first.
    ///
    /// An address without a module counts for nothing.
    func needed(by modules: [String]) -> [String] {
        var found = modules.filter { imports[$0] != nil }
        var known = Set(found)
        var next = 0
        while next < found.count {
            found += imports[found[next], default: []].filter { known.insert($0).inserted }
            next += 1
        }
        return found
    }

    private static func imports(of source: String, at address: String) -> [String] {
        let folder = address.split(separator: "/").dropLast().map(String.init)
        let statement = /^(?:import|export)\b(?:[^;"()]*?\bfrom)?\s*"(\.[^"]+)";/.anchorsMatchLineEndings()
        return source.matches(of: statement).map { resolve(String($0.1), in: folder) }
    }

    private static func resolve(_ relative: String, in folder: [String]) -> String {
        let parts = relative.split(separator: "/").reduce(into: folder) { parts, part in
            switch part {
            case ".": break
            case "..": _ = parts.popLast()
            default: parts.append(String(part))
            }
        }
        return "/" + parts.joined(separator: "/")
    }
}

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
