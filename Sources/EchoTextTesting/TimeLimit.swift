import Foundation
package import Testing

extension Trait where Self == TimeLimitTrait {
    /// For suites that wait for processes, servers or streams: no test waits forever, and none fails because the
    /// machine is busy.
    ///
    /// It applies to each case. Tests compete for the machine, and on a small one a case takes ten times as long as
    /// alone; with `ECHOTEXT_LONG_TESTS` it also does ten times the work.
    package static var endsInTime: Self {
        let isLong = ProcessInfo.processInfo.environment["ECHOTEXT_LONG_TESTS"] == "1"
        return .timeLimit(.minutes(isLong ? 100 : 10))
    }
}
