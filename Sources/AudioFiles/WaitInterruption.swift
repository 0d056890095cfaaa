import EchoText
import FileSystem
import Glibc
import Synchronization

/// Wakes a thread that waits for a slow pipe, from any other thread.
final class WaitInterruption: Sendable {
    private let wakeUp: WakeUpPipe
    /// True once nothing may clear the interruption any more.
    private let isFinal = Mutex(false)

    init() throws(AudioFileError) {
        do {
            wakeUp = try WakeUpPipe()
        } catch {
            throw .system(errno: error.errno)
        }
    }

    var isSet: Bool { wakeUp.isCalled }

    /// Interrupts the present wait, or the next one.
    ///
    /// - Parameter forGood: Whether every later wait is interrupted too.
    func set(forGood: Bool = false) {
        isFinal.withLock { isFinal in
            isFinal = isFinal || forGood
            wakeUp.call()
        }
    }

    /// Forgets an interruption that came too late for what it was meant for.
    func clear() {
        isFinal.withLock { isFinal in
            guard !isFinal else { return }
            wakeUp.reset()
        }
    }

    /// Waits until `descriptor` takes bytes.
    ///
    /// - Throws: `CancellationError` when interrupted; ``AudioFileError/brokenPipe`` when nobody reads any more.
    func waitUntilWritable(_ descriptor: Int32) throws {
        let events: Int32
        do {
            events = try wakeUp.wait(for: descriptor, events: POLLOUT)
        } catch let error as SystemError {
            throw AudioFileError.system(errno: error.errno)
        }
        guard events & (POLLERR | POLLHUP) == 0 else { throw AudioFileError.brokenPipe }
    }

    /// Waits for `milliseconds`, or less when interrupted.
    ///
    /// - Throws: `CancellationError` when interrupted.
    func pause(milliseconds: Int32) throws { try wakeUp.pause(milliseconds: milliseconds) }
}
