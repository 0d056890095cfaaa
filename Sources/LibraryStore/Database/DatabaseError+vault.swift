import EchoText
import Foundation
import GRDB

extension DatabaseError {
    /// The same for a person; neither statement nor value is in it.
    var vaultError: VaultError {
        switch resultCode {
        case .SQLITE_NOTADB: .wrongKey
        case .SQLITE_CORRUPT: .databaseDamaged
        case .SQLITE_FULL: .readOnly(.diskFull)
        case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_AUTH: .readOnly(.noPermission)
        case .SQLITE_BUSY, .SQLITE_LOCKED: .inUse
        case .SQLITE_IOERR:
            switch extendedResultCode {
            case .SQLITE_IOERR_SHORT_READ: .databaseDamaged
            // SQLite reports “full” for all its files but this one, the index of the WAL.
            case .SQLITE_IOERR_SHMSIZE: .readOnly(.diskFull)
            default: .readOnly(.deviceFailed)
            }
        case .SQLITE_NOMEM: .system(errno: ENOMEM)
        case .SQLITE_INTERRUPT, .SQLITE_ABORT: .system(errno: EINTR)
        case .SQLITE_TOOBIG: .system(errno: EFBIG)
        case .SQLITE_CONSTRAINT, .SQLITE_MISMATCH, .SQLITE_RANGE: .system(errno: EINVAL)
        default: .system(errno: EIO)
        }
    }
}

/// Runs `body`, and converts SQLite's errors into ``VaultError``.
func mappingDatabaseErrors<Result>(_ body: () throws -> Result) throws -> Result {
    do {
        return try body()
    } catch let error as DatabaseError {
        throw error.vaultError
    }
}
