import EchoText
import EchoTextTesting
import Foundation
import Synchronization
import Testing

@testable import Outbound

@Suite("Routes", .endsInTime)
struct RouteTests {
    private static let heading = "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n"
    private static let out = "eth0\t00000000\t0102A8C0\t0003\t0\t0\t100\t00000000\t0\t0\t0\n"
    private static let link =
        "fe800000000000000000000000000000 40 \(zeros) 00 \(zeros) 00000100 00000001 00000000 00000001 eth0\n"
    private static let zeros = String(repeating: "0", count: 32)

    private static func line(_ destination: String, flags: String, _ interface: String) -> String {
        "\(destination) 00 \(zeros) 00 \(zeros) 00000400 00000001 00000000 \(flags) \(interface)\n"
    }

    @Test("lead out of this machine, or do not")
    func leadingOut() {
        #expect(Routes(ipv4: "", ipv6: "").state == .unreachable)
        #expect(Routes(ipv4: Self.heading, ipv6: "").state == .unreachable)
        #expect(Routes(ipv4: Self.heading + Self.out, ipv6: "").state == .reachable)
        let refused = Self.out.replacing("0003", with: "0200")
        #expect(Routes(ipv4: Self.heading + refused, ipv6: "").state == .unreachable)
        let own = Self.out.replacing("eth0", with: "lo")
        #expect(Routes(ipv4: Self.heading + own, ipv6: "garbage\n").state == .unreachable)
        #expect(Routes(ipv4: "", ipv6: Self.link).state == .unreachable, "each link has such an address")
        #expect(Routes(ipv4: "", ipv6: Self.line(Self.zeros, flags: "00000003", "eth0")).state == .reachable)
        #expect(Routes(ipv4: "", ipv6: Self.line(Self.zeros, flags: "00200200", "lo")).state == .unreachable)
        #expect(
            Routes(ipv4: "", ipv6: Self.line("ff" + Self.zeros.dropFirst(2), flags: "00000001", "eth0")).state
                == .unreachable
        )
    }

    @Test("are watched as the contract says", .endsInTime)
    func contract() async throws {
        let folder = TemporaryFolder()
        try folder.write(Self.heading, to: "route")
        // In place of the kernel's sockets, one for each reader.
        let pipes = Mutex<[Pipe]>([])
        let watch = RouteWatch(folder: folder.path) {
            let pipe = Pipe()
            pipes.withLock { $0.append(pipe) }
            let descriptor = dup(pipe.fileHandleForReading.fileDescriptor)
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
            return descriptor
        }
        try await verifyContract(of: watch) { state in
            try folder.write(Self.heading + (state == .reachable ? Self.out : ""), to: "route")
            for pipe in pipes.withLock(\.self) { try pipe.fileHandleForWriting.write(contentsOf: Data("x".utf8)) }
        }
    }

    @Test("of a script are watched so too")
    func script() async throws {
        let network = ScriptedNetwork(.unreachable)
        try await verifyContract(of: network) { network.change(to: $0) }
    }

    @Test("of this machine are read, and the kernel is listened to", .endsInTime)
    func real() async throws {
        var states = RouteWatch().states().makeAsyncIterator()
        #expect(await states.next() == Routes(in: "/proc/net").state)
    }
}
