import EchoText
import Foundation
import LibraryStore
import Testing

/// A simulated machine made of files in its own folder.
private struct MadeUpMachine {
    let root: String

    init() throws {
        root = NSTemporaryDirectory() + "doctor-\(UUID().uuidString)"
        for folder in [
            "proc/sys/kernel", "sys/block/dm-0/dm", "sys/block/dm-1/dm", "home/library", "home/device",
        ] {
            try FileManager.default.createDirectory(
                atPath: "\(root)/\(folder)",
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        }
        try write("CRYPT-LUKS2-1234", to: "sys/block/dm-0/dm/uuid")
        try write("LVM-1234", to: "sys/block/dm-1/dm/uuid")
        try write("core\n", to: "proc/sys/kernel/core_pattern")
        try write("Filename Type Size Used Priority\n", to: "proc/swaps")
    }

    func write(_ text: String, to file: String) throws {
        try text.write(toFile: "\(root)/\(file)", atomically: false, encoding: .utf8)
    }

    func kinds(
        device: String = "home/device",
        hasSecurityChip: Bool = true,
        confinement: VaultDoctor.Confinement = .whole
    ) -> Set<VaultFinding.Kind> {
        let machine = VaultDoctor.Machine(
            proc: "\(root)/proc",
            sys: "\(root)/sys",
            confinement: confinement,
            hasSecurityChip: hasSecurityChip
        )
        let doctor = VaultDoctor(
            machine,
            libraryFolder: "\(root)/home/library",
            deviceFolder: "\(root)/\(device)",
            home: "\(root)/home"
        )
        return Set(doctor.findings().map(\.kind))
    }

    func remove() { try? FileManager.default.removeItem(atPath: root) }
}

@Suite("Vault doctor")
struct VaultDoctorTests {
    @Test(
        "reports swap that is not encrypted",
        arguments: [
            ("/dev/sda2 partition 100 0 -2", true),
            ("/swapfile file 100 0 -2", true),
            ("/dev/dm-1 partition 100 0 -2", true),
            ("/dev/dm-0 partition 100 0 -2", false),
            ("/dev/zram0 partition 100 0 100", false),
            ("", false),
        ]
    )
    func swap(line: String, isReported: Bool) throws {
        let machine = try MadeUpMachine()
        defer { machine.remove() }
        try machine.write("Filename Type Size Used Priority\n\(line)\n", to: "proc/swaps")
        #expect(machine.kinds().contains(.swapInClear) == isReported)
    }

    @Test("reports a program that takes core dumps")
    func coreDumps() throws {
        let machine = try MadeUpMachine()
        defer { machine.remove() }
        #expect(!machine.kinds().contains(.coreDumpsToProgram))
        try machine.write("|/usr/share/apport/apport %p\n", to: "proc/sys/kernel/core_pattern")
        #expect(machine.kinds().contains(.coreDumpsToProgram))
    }

    @Test("reports a key and data that one backup takes")
    func backup() throws {
        let machine = try MadeUpMachine()
        defer { machine.remove() }
        #expect(machine.kinds().contains(.keyAndDataUnderOneBackup))
        #expect(!machine.kinds(device: "elsewhere").contains(.keyAndDataUnderOneBackup))
    }

    @Test("reports a missing security chip")
    func missing() throws {
        let machine = try MadeUpMachine()
        defer { machine.remove() }
        #expect(machine.kinds(hasSecurityChip: false).contains(.noSecurityChip))
        #expect(!machine.kinds().contains(.noSecurityChip))
    }

    private static let confinements: [(VaultDoctor.Confinement, VaultFinding.Kind, VaultFinding.Severity)] = [
        (.whole, .strangersFilesShutIn, .note), (.sandboxOnly, .noKernelGuards, .note),
        (.kernelOnly(isRefused: false), .noSandbox, .note), (.kernelOnly(isRefused: true), .sandboxRefused, .note),
        (.none(isAllowed: false), .strangersFilesRefused, .warning),
        (.none(isAllowed: true), .strangersFilesUnconfined, .warning),
    ]

    @Test("says what came of the probe, whatever it was", arguments: confinements)
    func confinement(_ confinement: VaultDoctor.Confinement, kind: VaultFinding.Kind, severity: VaultFinding.Severity)
        throws
    {
        let machine = try MadeUpMachine()
        defer { machine.remove() }
        let reported = machine.kinds(confinement: confinement).intersection(Self.confinements.map(\.1))
        #expect(reported == [kind])
        #expect(VaultFinding(kind).severity == severity)
    }

    @Test("reports folders that others can look into")
    func openFolders() throws {
        let machine = try MadeUpMachine()
        defer { machine.remove() }
        #expect(!machine.kinds().contains(.foldersOpenToOthers))
        try FileManager.default.setAttributes([.posixPermissions: 0o750], ofItemAtPath: "\(machine.root)/home/library")
        #expect(machine.kinds().contains(.foldersOpenToOthers))
    }

    @Test("has words for all it may find", arguments: VaultFinding.Kind.allCases)
    func words(kind: VaultFinding.Kind) {
        #expect(VaultFinding(kind).message.hasSuffix("."))
    }
}
