import Foundation
package import Testing

extension Trait where Self == TimeLimitTrait {
    /// For a suite that waits for processes, servers or streams: no test waits for ever, and none is ended because the
    /// machine is busy.
    ///
    /// It is the time of one case. Tests wait for one another's processes, and on a small machine a case takes ten times
    /// what it takes alone; with `ECHOTEXT_LONG_TESTS` it does ten times the work as well.
    package static var endsInTime: Self {
        let isLong = ProcessInfo.processInfo.environment["ECHOTEXT_LONG_TESTS"] != nil
        return .timeLimit(.minutes(isLong ? 100 : 10))
    }
}
