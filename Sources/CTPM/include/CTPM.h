// A TPM 2.0 as the vault uses it: 32 bytes sealed in it, and a counter of wrong tries that guards them.
//
// Every call leaves no object and no session behind in the chip but those that the connection itself holds, which
// `ctpm_close` flushes. What goes over the bus as a secret goes encrypted.
#ifndef CTPM_H
#define CTPM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// What a call came to.
enum ctpm_status {
    CTPM_OK,
    /// There is no chip, it does not answer, or it does not do what is asked of it.
    CTPM_UNAVAILABLE,
    /// The authorisation value is not the one the counter was defined with; the try has been counted.
    CTPM_WRONG_AUTH,
    /// The counter has reached its limit: not even the right value is accepted.
    CTPM_LOCKED_OUT,
    /// The sealed object was not made by this chip since it was last cleared, or its counter is not the one it was sealed to.
    CTPM_FOREIGN,
    /// There is nothing at this index.
    CTPM_MISSING,
    /// At this index there is something that `ctpm_define_counter` did not make.
    CTPM_OCCUPIED,
};

/// Bytes of a sealed secret, of an authorisation value.
#define CTPM_SECRET_SIZE 32
/// The most bytes of either part of a sealed object.
#define CTPM_PART_LIMIT 512
/// The first and the last index that the chip's owner may use as they like ("Registry of Reserved TPM 2.0 Handles", TCG).
#define CTPM_FIRST_INDEX 0x01800000u
#define CTPM_LAST_INDEX 0x01BFFFFFu

/// One part of a sealed object, as the TPM marshals it.
struct ctpm_part {
    size_t count;
    uint8_t bytes[CTPM_PART_LIMIT];
};

/// What the chip returns for safe-keeping outside: nothing that opens without it.
struct ctpm_sealed {
    struct ctpm_part public_part;
    struct ctpm_part private_part;
};

/// A connection with the chip; to be used by one thread at a time.
struct ctpm;

/// Connects.
///
/// `tcti` names the way to the chip as `Tss2_TctiLdr_Initialize` takes it, for one `device:/dev/tpmrm0`.
enum ctpm_status ctpm_open(const char *tcti, struct ctpm **chip);

/// Flushes what the connection holds in the chip, and ends it; nothing for `NULL`.
void ctpm_close(struct ctpm *chip);

/// Seals `CTPM_SECRET_SIZE` bytes.
///
/// With a `counter` other than 0, only its value opens them; `auth` is that value.
enum ctpm_status ctpm_seal(
    struct ctpm *chip, const uint8_t *secret, uint32_t counter, const uint8_t *auth, struct ctpm_sealed *sealed);

/// Unseals into `secret`, `CTPM_SECRET_SIZE` bytes; takes the same `counter` as sealing did.
enum ctpm_status ctpm_unseal(
    struct ctpm *chip, const struct ctpm_sealed *sealed, uint32_t counter, const uint8_t *auth, uint8_t *secret);

/// Whether the object is one of this chip's, without unsealing it.
enum ctpm_status ctpm_check(struct ctpm *chip, const struct ctpm_sealed *sealed);

/// Defines a counter of wrong tries at a free `index`, which from then on nobody can write to, set back or define alike.
///
/// A try with `auth`, `CTPM_SECRET_SIZE` bytes, sets the count to 0; any other raises it, until at `limit` none is accepted.
enum ctpm_status ctpm_define_counter(struct ctpm *chip, uint32_t index, const uint8_t *auth, uint32_t limit);

/// Reads how many wrong tries there have been, and the limit.
enum ctpm_status ctpm_read_counter(struct ctpm *chip, uint32_t index, uint32_t *count, uint32_t *limit);

/// Deletes a counter; what was sealed to it opens nevermore. One that is half made is deleted too.
enum ctpm_status ctpm_delete_counter(struct ctpm *chip, uint32_t index);

/// How many objects, sessions and counters of `ctpm_define_counter`'s range are in the chip, without those of this connection.
enum ctpm_status ctpm_count_contents(struct ctpm *chip, uint32_t *objects, uint32_t *sessions, uint32_t *counters);

#endif
