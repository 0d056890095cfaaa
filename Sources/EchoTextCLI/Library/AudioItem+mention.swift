import EchoText
import Foundation

extension AudioItem {
    /// How standard error mentions it: by its name at a terminal, by its id where someone may keep what is said as a log.
    var mention: String { isatty(STDERR_FILENO) == 1 ? "“\(Answer.harmless(name.text))”" : id.rawValue }
}
