import EchoTextTesting
import Foundation
import Logging
import Workers

/// The voices and archives that `make fixtures` makes, and the program that unpacks them.
enum Fixtures {
    /// `.build/fixtures`, unless `ECHOTEXT_FIXTURES` names another folder.
    static let folder = BuiltPackage.fixtures
    static let voice = "\(folder)/vits-piper-en_US-fixture-low"
    static let good = "\(folder)/archives/good"
    static let bad = "\(folder)/archives/bad"
    static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    /// The program that this package builds, as an unpacker.
    static var unpacker: WorkerLaunch {
        var launch = WorkerLaunch.unpacker
        launch.executable = BuiltPackage.program("echotext")
        return launch
    }

    private static let open: [WorkerIsolation] = [.limitsOnly(.switchedOff), .kernelOnly(.switchedOff)]

    /// The isolations that can be tested on this machine.
    static let isolations: [WorkerIsolation] =
        open + (Bubblewrap.canSandbox ? [.bubblewrap(path: Bubblewrap.path)] : [])
}
