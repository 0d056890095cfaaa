import ArgumentParser
import EchoText
import Foundation

/// A report that helps to find a fault and contains nothing from the library.
struct Diagnostics: Sendable {
    let settings: Settings
    let voices: [Voice]
    /// Those of this machine, without services.
    let recognizers: [Recognizer]
    let librarySession: LibrarySession

    var text: String {
        get async {
            let engines = Dictionary(grouping: voices, by: \.engine)
            let basic = recognizers.count { $0.engine == .pocketSphinx }
            let others = recognizers.count { $0.engine == .sherpaOnnx }
            let status = try? await librarySession.status()
            let lines =
                [
                    "EchoText \(EchoTextCommand.configuration.version)",
                    "system: \(Self.system), \(ProcessInfo.processInfo.activeProcessorCount) cores, \(ProcessInfo.processInfo.physicalMemory / 1_048_576) MiB",
                ] + Voice.Engine.allCases.map { "\($0.rawValue): \(engines[$0]?.count ?? 0) voices" } + [
                    "recognisers: \(others), basic ones: \(basic)",
                    "sherpa-onnx: \(settings.sherpaFolder == nil ? "missing" : "present")",
                    "library: \(status.map { "\($0.state)" } ?? "unreadable"), protected by \(status?.protection?.rawValue ?? "nothing yet")",
                    "security chip: \(status?.usesSecurityChip == true ? "used" : "not used")",
                ]
            return lines.joined(separator: "\n") + "\n"
        }
    }

    private static var system: String {
        let release = try? String(contentsOfFile: "/etc/os-release", encoding: .utf8)
        let name = release?.split(separator: "\n").first { $0.hasPrefix("PRETTY_NAME=") }
        return name.map { String($0.dropFirst(12)).replacing("\"", with: "") }
            ?? ProcessInfo.processInfo.operatingSystemVersionString
    }
}
