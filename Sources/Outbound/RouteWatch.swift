import CNetwork
import Dispatch
package import EchoText
import FileSystem
import Foundation
import Synchronization

/// Watches the kernel's routes: there is a network when one of them leads out of this machine.
///
/// A route to neighbors counts, since a service may be one. Whether a server answers is not tried: nothing is sent.
package struct RouteWatch: NetworkWatch {
    private let folder: String
    private let changes: @Sendable () -> Int32

    package init() {
        self.init(folder: "/proc/net") { open_route_changes() }
    }

    /// - Parameters:
    ///   - folder: Has the files `route` and `ipv6_route`.
    ///   - changes: Opens a descriptor that can be read, without blocking, after each change; -1 for none.
    init(folder: String, changes: @escaping @Sendable () -> Int32) {
        (self.folder, self.changes) = (folder, changes)
    }

    package func states() -> AsyncStream<NetworkState> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let descriptor = changes()
            let routeChanges = RouteChanges(folder: folder, descriptor: descriptor, continuation: continuation)
            // Without reports of changes, the first state counts: a try shows the rest.
            guard descriptor >= 0 else { return }
            let source = Mutex(DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .global()))
            source.withLock {
                $0.setEventHandler { routeChanges.take() }
                $0.setCancelHandler { routeChanges.end() }
            }
            continuation.onTermination = { _ in source.withLock { $0.cancel() } }
            source.withLock { $0.activate() }
        }
    }
}

/// Reports each change to one reader.
private final class RouteChanges: Sendable {
    private let folder: String
    private let descriptor: Int32
    private let continuation: AsyncStream<NetworkState>.Continuation
    private let last: Mutex<NetworkState>

    /// Reports the present state.
    init(folder: String, descriptor: Int32, continuation: AsyncStream<NetworkState>.Continuation) {
        (self.folder, self.descriptor, self.continuation) = (folder, descriptor, continuation)
        let state = Routes(in: folder).state
        last = Mutex(state)
        continuation.yield(state)
    }

    /// Reads what says that something has changed; what has is in the files.
    func take() {
        var bytes = [UInt8](repeating: 0, count: 8_192)
        while read(descriptor, &bytes, bytes.count) > 0 {}
        let state = Routes(in: folder).state
        // Within the lock, so that no older state follows a newer one.
        last.withLock { last in
            if state != last { continuation.yield(state) }
            last = state
        }
    }

    func end() { close(descriptor) }
}

/// The routes of this machine, as the kernel writes them.
///
/// - SeeAlso: proc(5), `/proc/net/route` and `/proc/net/ipv6_route`.
struct Routes: Sendable {
    private static let isUp: UInt32 = 0x1  // RTF_UP
    private static let isRefused: UInt32 = 0x200  // RTF_REJECT

    /// Whether one leads out of this machine.
    let state: NetworkState

    init(in folder: String) {
        let read = { (name: String) in
            // Without IPv6 there is no such file.
            (try? String(kernelFile: "\(folder)/\(name)")) ?? ""
        }
        self.init(ipv4: read("route"), ipv6: read("ipv6_route"))
    }

    init(ipv4: String, ipv6: String) {
        let isDefaultRoute =
            ipv4.split(separator: "\n").dropFirst().contains { Self.isDefaultRoute(ipv4: $0) }
            || ipv6.split(separator: "\n").contains { Self.isDefaultRoute(ipv6: $0) }
        state = isDefaultRoute ? .reachable : .unreachable
    }

    /// Interface, destination, gateway, flags.
    private static func isDefaultRoute(ipv4 line: Substring) -> Bool {
        let fields = line.split(whereSeparator: \.isWhitespace)
        guard fields.count > 3, let flags = UInt32(fields[3], radix: 16) else { return false }
        return fields[0] != "lo" && isUsable(flags)
    }

    /// Destination, its prefix, source, its prefix, next hop, metric, uses, references, flags, interface.
    ///
    /// Links have an address of their own (`fe80`) and groups (`ff`) also without a network.
    private static func isDefaultRoute(ipv6 line: Substring) -> Bool {
        let fields = line.split(whereSeparator: \.isWhitespace)
        guard fields.count > 9, let flags = UInt32(fields[8], radix: 16) else { return false }
        return fields[9] != "lo" && isUsable(flags) && !fields[0].hasPrefix("fe80") && !fields[0].hasPrefix("ff")
    }

    private static func isUsable(_ flags: UInt32) -> Bool { flags & isUp != 0 && flags & isRefused == 0 }
}
