import Crypto
package import EchoText
import FileSystem
package import Foundation

/// Authenticates browsers with one-time tickets, which are exchanged for sessions.
///
/// A ticket is 256 random bits in an address that the person opens; its hash is stored in a folder that only the person can look
/// into, or in memory while the disk is full. Sessions are in memory, under hashes too. Both are of one start of the server, and
/// so is the page's name: whoever listens at its port afterwards is asked by a page that knows nothing of the next start, and has
/// nothing it takes.
package actor SessionStore {
    /// How long a session lasts after its last use.
    static let lifetime = Duration.seconds(24 * 3_600)
    /// How long a ticket can be used.
    static let ticketLifetime: TimeInterval = 24 * 3_600

    /// How long the token of a renewed session remains valid, for requests that its browser sent before it got the new
    /// one.
    static let grace = Duration.seconds(10)

    private struct Session {
        /// When it ends, unless it is used before, as ``elapsed`` measures it.
        var until: Duration
        var isReplaced = false
        let end = Latch()
    }

    /// The page's host name for this run: random, so that no other page, of this machine or of an earlier run, has the
    /// same origin or gets its cookie.
    package nonisolated let host = "echotext-\(SessionStore.randomLetters(16)).localhost"

    private let folder: String
    private let clock: any Clock<Duration>
    /// Time since the store was made.
    private let elapsed: @Sendable () -> Duration
    private let now: @Sendable () -> Date
    private let store: @Sendable (Data, _ path: String) throws -> Void
    private nonisolated let key = SymmetricKey(size: .bits256)
    /// Whether this process lets browsers in; for another one, a ticket that is in memory only is none.
    private var hasBegun = false
    /// When the tickets were made that the disk has no room for, by their hashes.
    private var ticketsInMemory: [String: Date] = [:]
    /// The sessions, by the hashes of their tokens.
    private var sessions: [String: Session] = [:]
    /// Ends sessions when their time is over, though nobody asks.
    private var watch: Task<Void, Never>?

    /// - Parameters:
    ///   - folder: Of the person alone; made when it is not there.
    ///   - clock: Measures how long a session is not used; it has to count the time that the machine sleeps.
    ///   - now: The time of day, by which the ages of tickets are known.
    ///   - store: Writes a file, in place of ``AtomicFile``; throws ``SystemError``.
    package init(
        folder: String,
        clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() },
        store: (@Sendable (Data, _ path: String) throws -> Void)? = nil
    ) {
        self.folder = folder
        self.store = store ?? { try AtomicFile.write($0, to: $1) }
        self.clock = clock
        self.now = now
        elapsed = clock.stopwatch()
    }

    deinit { watch?.cancel() }

    private static func randomLetters(_ count: Int) -> String {
        let letters = Array("abcdefghijkmnpqrstuvwxyz23456789")
        return String((0..<count).map { _ in letters.randomElement() ?? "a" })
    }

    /// Takes away what an earlier start has left: its tickets, and files that lead to them; and lets browsers in.
    ///
    /// - Throws: ``WebError/folderUnusable(path:)``.
    package func begin() throws {
        hasBegun = true
        do {
            try prepareFolder()
        } catch {
            guard Self.isOfFullDisk(error) else { throw WebError.folderUnusable(path: folder) }
            return
        }
        for name in names where Self.isOfTicket(name) || Self.formerFiles.contains(name) { unlink(path(name)) }
    }

    /// Files that earlier versions stored here.
    private static let formerFiles = ["host", "sessions.json"]

    // MARK: - Proof

    /// The key with which a page checks proofs, in hexadecimal; disclosed to sessions only.
    nonisolated var proofKey: String { key.withUnsafeBytes { Data($0) }.hexadecimal }

    /// Shows a page that it talks to the server it came from: HMAC-SHA256 of `challenge`, in hexadecimal.
    nonisolated func proof(of challenge: String) -> String {
        Data(HMAC<SHA256>.authenticationCode(for: Data(challenge.utf8), using: key)).hexadecimal
    }

    // MARK: - Tickets

    /// Makes a ticket for one session, and removes expired ones.
    ///
    /// - Throws: ``WebError/folderUnusable(path:)``; ``WebError/diskFull(path:)`` where it is for another process.
    package func makeTicket() throws -> String {
        let ticket = Self.randomToken()
        removeOldTickets()
        do {
            try write(Data(), to: Self.file(of: ticket))
        } catch WebError.diskFull where hasBegun {
            ticketsInMemory[Self.hash(ticket)] = now()
        }
        return ticket
    }

    /// Makes a file with a page that redirects a browser to the address with `ticket`.
    ///
    /// All users of the machine can see the arguments of a program, so a browser is not started with the address but
    /// with this file, which only the person can read and whose name reveals nothing. It is deleted when the ticket is
    /// used.
    ///
    /// - Returns: The file's path.
    /// - Throws: ``WebError/folderUnusable(path:)``, ``WebError/diskFull(path:)``.
    package func makeLauncher(for ticket: String, at address: WebServer.Address) throws -> String {
        let target = address.page(letting: ticket)
        let page = "<!doctype html><meta charset=\"utf-8\"><meta http-equiv=\"refresh\" content=\"0;url=\(target)\">"
        try write(Data(page.utf8), to: Self.launcher(of: ticket))
        return path(Self.launcher(of: ticket))
    }

    /// Turns a ticket into a session.
    ///
    /// - Returns: The session's token; `nil` for a ticket that is unknown, used or too old.
    /// - Throws: ``WebError/folderUnusable(path:)``.
    package func redeem(_ ticket: String) throws -> String? {
        if let made = ticketsInMemory.removeValue(forKey: Self.hash(ticket)) {
            return now().timeIntervalSince(made) < Self.ticketLifetime ? newSession() : nil
        }
        let file = path(Self.file(of: ticket))
        let made = (try? FileManager.default.attributesOfItem(atPath: file))?[.modificationDate] as? Date
        // The request that removes the file gets the session: two at once are never both let in.
        guard unlink(file) == 0 else { return nil }
        unlink(path(Self.launcher(of: ticket)))
        guard let made, now().timeIntervalSince(made) < Self.ticketLifetime else { return nil }
        return newSession()
    }

    private static let ticketPrefix = "ticket-"
    private static let launcherPrefix = "open-"

    private static func file(of ticket: String) -> String { ticketPrefix + hash(ticket) }

    private static func launcher(of ticket: String) -> String { "\(launcherPrefix)\(hash(ticket)).html" }

    private static func isOfTicket(_ name: String) -> Bool {
        name.hasPrefix(ticketPrefix) || name.hasPrefix(launcherPrefix)
    }

    private func removeOldTickets() {
        ticketsInMemory = ticketsInMemory.filter { now().timeIntervalSince($0.value) < Self.ticketLifetime }
        for name in names where Self.isOfTicket(name) {
            let made = (try? FileManager.default.attributesOfItem(atPath: path(name)))?[.modificationDate] as? Date
            if let made, now().timeIntervalSince(made) >= Self.ticketLifetime { unlink(path(name)) }
        }
    }

    // MARK: - Sessions

    /// Finds the session of `token`.
    ///
    /// - Parameters:
    ///   - token: The token that the browser has sent.
    ///   - isVisit: Whether it is an action of the person, which extends the session; an open page also sends requests
    ///     by itself.
    /// - Returns: The session's end; `nil` when there is no such session.
    package func use(_ token: String, isVisit: Bool = true) -> Latch? {
        endUnused()
        let hash = Self.hash(token)
        guard var session = sessions[hash] else { return nil }
        if isVisit, !session.isReplaced { session.until = elapsed() + Self.lifetime }
        sessions[hash] = session
        return session.end
    }

    /// Whether `token` is a session's; using it makes it last.
    package func isValid(_ token: String) -> Bool { use(token) != nil }

    /// Ends all sessions, and removes all tickets.
    package func endAll() {
        for session in sessions.values { session.end.set() }
        sessions = [:]
        ticketsInMemory = [:]
        for name in names where Self.isOfTicket(name) { unlink(path(name)) }
    }

    /// Ends all sessions, and starts a new one for the caller, so that copies of its token become worthless.
    ///
    /// - Parameter token: The caller's token, which remains valid for ``grace``.
    /// - Returns: The new session's token.
    package func renew(_ token: String?) -> String {
        let hash = token.map(Self.hash)
        var asking = hash.flatMap { sessions.removeValue(forKey: $0) }
        endAll()
        asking?.until = elapsed() + Self.grace
        asking?.isReplaced = true
        if let hash { sessions[hash] = asking }
        return newSession()
    }

    private func newSession() -> String {
        let token = Self.randomToken()
        sessions[Self.hash(token)] = Session(until: elapsed() + Self.lifetime)
        restartWatch()
        return token
    }

    /// Ends the expired sessions; a timer may be late after the machine was suspended.
    ///
    /// - Returns: The time until the next one expires; `nil` without sessions.
    @discardableResult
    private func endUnused() -> Duration? {
        let elapsed = elapsed()
        for (hash, session) in sessions where session.until <= elapsed {
            session.end.set()
            sessions[hash] = nil
        }
        return sessions.values.map { $0.until - elapsed }.min()
    }

    /// Starts waiting for the earliest expiry, which may precede the one waited for before.
    private func restartWatch() {
        watch?.cancel()
        watch = Task { [weak self, clock] in
            while let left = await self?.endUnused() {
                guard (try? await clock.sleep(for: left)) != nil else { return }
            }
        }
    }

    // MARK: - Files

    private func path(_ name: String) -> String { "\(folder)/\(name)" }

    /// A folder that cannot be listed counts as empty.
    private var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] }

    private func prepareFolder() throws {
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        let attributes = try FileManager.default.attributesOfItem(atPath: folder)
        guard attributes[.type] as? FileAttributeType == .typeDirectory,
            (attributes[.ownerAccountID] as? NSNumber)?.uint32Value == getuid(),
            ((attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0o777) & 0o077 == 0
        else { throw WebError.folderUnusable(path: folder) }
    }

    private func write(_ data: Data, to name: String) throws {
        do {
            try prepareFolder()
            try store(data, path(name))
        } catch {
            throw Self.isOfFullDisk(error) ? WebError.diskFull(path: folder) : WebError.folderUnusable(path: folder)
        }
    }

    private static func isOfFullDisk(_ error: any Error) -> Bool {
        if let error = error as? SystemError { return [ENOSPC, EDQUOT].contains(error.errno) }
        return (error as? CocoaError)?.code == .fileWriteOutOfSpace
    }

    private static func randomToken() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<4).map { _ in String(format: "%016lx", generator.next() as UInt64) }.joined()
    }

    private static func hash(_ token: String) -> String {
        Data(SHA256.hash(data: Data(token.utf8))).hexadecimal
    }
}

extension Data {
    fileprivate var hexadecimal: String { map { String(format: "%02x", $0) }.joined() }
}
