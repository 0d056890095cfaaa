import Crypto
package import Foundation

/// Who may use the page: tickets that are used once, and the sessions they turn into.
///
/// A ticket is 256 random bits in an address that the person opens. What lies on the disk, in a folder that only the person
/// can look into, are hashes of tickets and sessions: nothing of it opens anything. Sessions outlive the server, so that a page goes on after
/// a restart.
package actor SessionStore {
    /// How long a session lasts after its last use.
    static let lifetime: TimeInterval = 30 * 24 * 3_600
    /// How long a ticket can be used.
    static let ticketLifetime: TimeInterval = 24 * 3_600
    /// How far a session's last use may lie back before it is written down again.
    private static let grain: TimeInterval = 3_600

    private let folder: String
    private let now: @Sendable () -> Date
    private var sessions: [String: Date]?

    /// - Parameters:
    ///   - folder: Of the person alone; made when it is not there.
    ///   - now: The time of day.
    package init(folder: String, now: @escaping @Sendable () -> Date = { Date() }) {
        self.folder = folder
        self.now = now
    }

    // MARK: - Host

    /// The name that this person's page has: random, so that no other page on the machine shares its cookies, and the same
    /// from start to start, so that a browser knows the page again.
    ///
    /// - Throws: ``WebError/folderUnusable``.
    package func host() throws -> String {
        if let kept = try? String(contentsOfFile: path("host"), encoding: .utf8),
            kept.count == Self.hostLetters, kept.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) })
        {
            return "\(kept).localhost"
        }
        let letters = Array("abcdefghijkmnpqrstuvwxyz23456789")
        let name = String((0..<Self.hostLetters).map { _ in letters.randomElement() ?? "a" })
        try write(Data(name.utf8), to: "host")
        return "\(name).localhost"
    }

    private static let hostLetters = 10

    // MARK: - Tickets

    /// A ticket for one session; those that are too old to be used are taken away.
    ///
    /// - Throws: ``WebError/folderUnusable``.
    package func makeTicket() throws -> String {
        let ticket = Self.randomToken()
        removeOldTickets()
        try write(Data(), to: Self.file(of: ticket))
        return ticket
    }

    /// A page in a file that leads a browser to where `ticket` lets it in.
    ///
    /// The arguments of a program can be seen by everybody on the machine, so a browser is not started with the address but
    /// with this file, which only the person can read and whose name tells nothing. It is gone as soon as the ticket is used.
    ///
    /// - Returns: The file's path.
    /// - Throws: ``WebError/folderUnusable``.
    package func makeLauncher(for ticket: String, at address: WebServer.Address) throws -> String {
        let target = address.page(letting: ticket)
        let page = "<!doctype html><meta charset=\"utf-8\"><meta http-equiv=\"refresh\" content=\"0;url=\(target)\">"
        try write(Data(page.utf8), to: Self.launcher(of: ticket))
        return path(Self.launcher(of: ticket))
    }

    /// Turns a ticket into a session.
    ///
    /// - Returns: The session's token; `nil` for a ticket that is unknown, used or too old.
    /// - Throws: ``WebError/folderUnusable``.
    package func redeem(_ ticket: String) throws -> String? {
        let file = path(Self.file(of: ticket))
        let made = (try? FileManager.default.attributesOfItem(atPath: file))?[.modificationDate] as? Date
        // Whoever takes the file away has the session: two who try at once are never both let in.
        guard unlink(file) == 0 else { return nil }
        unlink(path(Self.launcher(of: ticket)))
        guard let made, now().timeIntervalSince(made) < Self.ticketLifetime else { return nil }
        let token = Self.randomToken()
        var known = load()
        known[Self.hash(token)] = now()
        try save(known)
        return token
    }

    private static let ticketPrefix = "ticket-"
    private static let launcherPrefix = "open-"

    private static func file(of ticket: String) -> String { ticketPrefix + hash(ticket) }

    private static func launcher(of ticket: String) -> String { "\(launcherPrefix)\(hash(ticket)).html" }

    private func removeOldTickets() {
        // A folder that cannot be listed has none that could be used.
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        where name.hasPrefix(Self.ticketPrefix) || name.hasPrefix(Self.launcherPrefix) {
            let made = (try? FileManager.default.attributesOfItem(atPath: path(name)))?[.modificationDate] as? Date
            if let made, now().timeIntervalSince(made) >= Self.ticketLifetime { unlink(path(name)) }
        }
    }

    // MARK: - Sessions

    /// Whether `token` is a session's; using it makes it last.
    package func isValid(_ token: String) -> Bool {
        let hash = Self.hash(token)
        var known = load()
        guard let used = known[hash], now().timeIntervalSince(used) < Self.lifetime else { return false }
        if now().timeIntervalSince(used) > Self.grain {
            known[hash] = now()
            // A use that is not written down shortens the session by at most as much as it lies back.
            try? save(known)
        }
        return true
    }

    private func load() -> [String: Date] {
        if let sessions { return sessions }
        let data = FileManager.default.contents(atPath: path("sessions.json")) ?? Data()
        // One that cannot be read lets nobody in; the next ticket writes it anew.
        let read = (try? JSONDecoder().decode([String: Date].self, from: data)) ?? [:]
        sessions = read
        return read
    }

    private func save(_ known: [String: Date]) throws {
        let live = known.filter { now().timeIntervalSince($0.value) < Self.lifetime }
        sessions = live
        try write(JSONEncoder().encode(live), to: "sessions.json")
    }

    // MARK: - Files

    private func path(_ name: String) -> String { "\(folder)/\(name)" }

    private func write(_ data: Data, to name: String) throws {
        do {
            try FileManager.default.createDirectory(
                atPath: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
            let attributes = try FileManager.default.attributesOfItem(atPath: folder)
            guard attributes[.type] as? FileAttributeType == .typeDirectory,
                (attributes[.ownerAccountID] as? NSNumber)?.uint32Value == getuid(),
                ((attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0o777) & 0o077 == 0
            else { throw WebError.folderUnusable }
            let fresh = path(".\(name)-\(UUID().uuidString)")
            guard FileManager.default.createFile(atPath: fresh, contents: data, attributes: [.posixPermissions: 0o600]),
                rename(fresh, path(name)) == 0
            else { throw WebError.folderUnusable }
        } catch {
            throw WebError.folderUnusable
        }
    }

    private static func randomToken() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<4).map { _ in String(format: "%016lx", generator.next() as UInt64) }.joined()
    }

    private static func hash(_ token: String) -> String {
        SHA256.hash(data: Data(token.utf8)).map { String(format: "%02x", $0) }.joined()
    }
}
