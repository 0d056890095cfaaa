// A TPM 2.0 as the vault uses it: 32 bytes sealed in it, and a counter of wrong tries that guards them.
//
// No call leaves objects or sessions in the chip except those of the connection, which `ctpm_close` flushes. Secrets
// are encrypted on the bus.
#ifndef CTPM_H
#define CTPM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The result of a call.
enum ctpm_status {
    CTPM_OK,
    /// There is no chip, it does not respond, or it refuses the request.
    CTPM_UNAVAILABLE,
    /// The authorization value is wrong; the try was counted.
    CTPM_WRONG_AUTH,
    /// The counter has reached its limit: even the right value is rejected.
    CTPM_LOCKED_OUT,
    /// The sealed object was not made by this chip since it was last cleared, or it was sealed to another counter.
    CTPM_FOREIGN,
    /// There is nothing at this index.
    CTPM_MISSING,
    /// This index is in use by something other than a counter of `ctpm_define_counter`.
    CTPM_OCCUPIED,
};

/// The bytes of a secret and of an authorization value.
#define CTPM_SECRET_SIZE 32
/// The most bytes of either part of a sealed object.
#define CTPM_PART_LIMIT 512
/// The first and the last index that the chip's owner may use as they like ("Registry of Reserved TPM 2.0 Handles", TCG).
#define CTPM_FIRST_INDEX 0x01800000u
#define CTPM_LAST_INDEX 0x01BFFFFFu

/// A part of a sealed object, as the TPM marshals it.
struct ctpm_part {
    size_t count;
    uint8_t bytes[CTPM_PART_LIMIT];
};

/// A sealed object for storage outside the chip; only the chip can unseal it.
struct ctpm_sealed {
    struct ctpm_part public_part;
    struct ctpm_part private_part;
};

/// A connection to the chip, for one thread at a time.
struct ctpm;

/// Connects.
///
/// `tcti` is the configuration for `Tss2_TctiLdr_Initialize`, such as `device:/dev/tpmrm0`.
enum ctpm_status ctpm_open(const char *tcti, struct ctpm **chip);

/// Flushes the connection's objects in the chip, and ends it; does nothing for `NULL`.
void ctpm_close(struct ctpm *chip);

/// Seals `CTPM_SECRET_SIZE` bytes.
///
/// With a `counter` other than 0, only its authorization value `auth` unseals them.
enum ctpm_status ctpm_seal(
    struct ctpm *chip, const uint8_t *secret, uint32_t counter, const uint8_t *auth, struct ctpm_sealed *sealed);

/// Unseals into `secret`, `CTPM_SECRET_SIZE` bytes; needs the same `counter` as sealing.
enum ctpm_status ctpm_unseal(
    struct ctpm *chip, const struct ctpm_sealed *sealed, uint32_t counter, const uint8_t *auth, uint8_t *secret);

/// Whether the object is one of this chip's, without unsealing it.
enum ctpm_status ctpm_check(struct ctpm *chip, const struct ctpm_sealed *sealed);

/// Defines a counter of wrong tries at a free `index`, which nobody can write to, reset or redefine identically
/// afterwards.
///
/// A try with `auth`, `CTPM_SECRET_SIZE` bytes, resets the count; any other increments it, until all are rejected at
/// `limit`.
enum ctpm_status ctpm_define_counter(struct ctpm *chip, uint32_t index, const uint8_t *auth, uint32_t limit);

/// Reads the number of wrong tries and the limit.
enum ctpm_status ctpm_read_counter(struct ctpm *chip, uint32_t index, uint32_t *count, uint32_t *limit);

/// Deletes a counter; secrets sealed to it can never be unsealed again. A partially defined counter is deleted too.
enum ctpm_status ctpm_delete_counter(struct ctpm *chip, uint32_t index);

/// Counts the objects, the sessions and the counters in `ctpm_define_counter`'s range, without those of this
/// connection.
enum ctpm_status ctpm_count_contents(struct ctpm *chip, uint32_t *objects, uint32_t *sessions, uint32_t *counters);

#endif
