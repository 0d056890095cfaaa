import EchoText
import Foundation

extension AudioItem {
    /// How standard error refers to it: by name on a terminal, by id where the output may be stored as a log.
    var mention: String { isatty(STDERR_FILENO) == 1 ? "“\(Answer.harmless(name.text))”" : id.rawValue }
}
