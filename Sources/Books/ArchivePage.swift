import EchoText
import Foundation

/// The page that links all files of an archive; it is self-contained.
struct ArchivePage {
    private let contents: LibraryArchive.Contents

    init(_ contents: LibraryArchive.Contents) {
        self.contents = contents
    }

    var html: String {
        let tables = contents.files.sorted { $0.key < $1.key }.map { "<li>\(Self.link($0.value, $0.key))</li>" }
        return """
            <!DOCTYPE html>
            <html>
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <title>EchoText library</title>
            <style>body { font: 16px sans-serif; margin: 2em auto; max-width: 60em; padding: 0 1em }
            td, th { padding: .3em .6em; text-align: start; vertical-align: top }</style>
            </head>
            <body>
            <h1>EchoText library</h1>
            <p>\(contents.recordings.count) recordings, written \(Self.day(contents.written)). These files are not protected: \
            whoever has them can read and hear them. They are for other programs: EchoText imports the documents and the sound \
            again one by one, and nothing else; only a backup can be put back as a library.\(missing)\(missingTexts)\(missingFiles)</p>
            <table>
            <tr><th>Name<th>Length<th>Made<th>Voice<th>Files</tr>
            \(contents.recordings.map(Self.row).joined(separator: "\n"))
            </table>
            \(unfinished)
            \(narrations)
            \(documents)
            <h2>More</h2>
            <ul>
            \((tables + ["<li>\(Self.link("index.json", "this list, for programs"))</li>"]).joined(separator: "\n"))
            </ul>
            </body>
            </html>

            """
    }

    private var missing: String {
        switch contents.unreadable {
        case 0: ""
        case 1: " One more recording cannot be read and is not here."
        case let count: " \(count) more recordings cannot be read and are not here."
        }
    }

    private var missingTexts: String {
        switch contents.unreadableTexts {
        case 0: ""
        case 1: " One more text of the history cannot be read and is not here."
        case let count: " \(count) more texts of the history cannot be read and are not here."
        }
    }

    private var missingFiles: String {
        let names = contents.unreadableFiles
        guard !names.isEmpty else { return "" }
        return " What cannot be read and is not here: \(Self.escaped(names.joined(separator: ", ")))."
    }

    private var unfinished: String {
        Self.unfinishedTable("recordings", contents.unfinished)
    }

    private var narrations: String {
        Self.unfinishedTable("narrations", contents.narrations)
    }

    private static func unfinishedTable(_ kind: String, _ all: [LibraryArchive.Contents.Unfinished]) -> String {
        guard !all.isEmpty else { return "" }
        let rows = all.map { kept in
            let file = kept.sound.map { link($0, "sound") } ?? "damaged"
            return "<tr><td dir=\"auto\">\(escaped(kept.name.text))<td>\(length(kept.duration))<td>\(day(kept.created))"
                + "<td>\(file)</tr>"
        }
        return """
            <h2>Unfinished \(kind)</h2>
            <table>
            <tr><th>Name<th>Length<th>Made<th>Files</tr>
            \(rows.joined(separator: "\n"))
            </table>
            """
    }

    private var documents: String {
        guard !contents.documents.isEmpty else { return "" }
        let rows = contents.documents.map { kept in
            let file = kept.file.map { Self.link($0, kept.document.kind.name) } ?? "damaged"
            return "<tr><td dir=\"auto\">\(Self.escaped(kept.document.name.text))<td>\(kept.document.pages)"
                + "<td>\(Self.day(kept.document.added))<td>\(file)</tr>"
        }
        return """
            <h2>Documents</h2>
            <table>
            <tr><th>Name<th>Pages<th>Imported<th>File</tr>
            \(rows.joined(separator: "\n"))
            </table>
            """
    }

    private static func row(_ recording: LibraryArchive.Contents.Recording) -> String {
        let item = recording.item
        let links = [
            (recording.sound, "sound"), (recording.text, "text"), (recording.captions, "captions"),
            (recording.timings, "times"), (recording.transcripts, "transcripts and marks"),
            (recording.file, "the file as it came"),
        ].compactMap { path, words in path.map { link($0, words) } }
        let damage = recording.failure == nil ? [] : ["damaged"]
        return "<tr><td dir=\"auto\">\(escaped(item.name.text))<td>\(length(item.duration))<td>\(day(item.created))"
            + "<td>\(escaped(item.narration?.voiceName ?? ""))<td>\((links + damage).joined(separator: " · "))</tr>"
    }

    private static func link(_ path: String, _ words: String) -> String {
        let allowed = CharacterSet(charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/")
        return "<a href=\"\(path.addingPercentEncoding(withAllowedCharacters: allowed) ?? "")\">\(escaped(words))</a>"
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
    }

    private static func day(_ date: Date) -> String {
        date.formatted(Date.ISO8601FormatStyle(timeZone: .current).year().month().day())
    }

    private static func length(_ seconds: Double) -> String {
        let whole = Int(seconds.rounded())
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
        return "\(whole / 3_600):\(two(whole / 60 % 60)):\(two(whole % 60))"
    }
}
