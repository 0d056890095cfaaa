internal import CProcess

/// What the kernel itself has to shut a worker in, with bubblewrap or without.
package struct KernelGuards: OptionSet, Sendable, Hashable {
    package let rawValue: Int32

    package init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// Landlock: no file but those named, no other program, and of the network what its version knows.
    package static let landlock = KernelGuards(rawValue: Int32(guard_landlock.rawValue))
    /// A filter of system calls: no socket, no process, nothing written, no signal to others.
    package static let filter = KernelGuards(rawValue: Int32(guard_filter.rawValue))
    package static let all: KernelGuards = [.landlock, .filter]

    /// Those that this machine has.
    package static var ofThisKernel: KernelGuards { KernelGuards(rawValue: kernel_guards()) }
}
