#define _GNU_SOURCE

#include "CTPM.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <tss2/tss2_esys.h>
#include <tss2/tss2_mu.h>
#include <tss2/tss2_tctildr.h>

struct ctpm {
    TSS2_TCTI_CONTEXT *tcti;
    ESYS_CONTEXT *esys;
    /// The storage key: the owner's seed and a fixed template make the same one each time, until the chip is cleared.
    ESYS_TR storage_key;
    /// Salted with the storage key, so that nobody on the bus reads what is encrypted with it.
    ESYS_TR session;
};

/// The attributes of a counter's index: it counts failed tries, is written to by its policy only, and is not under the chip's own lockout,
/// which whoever knows the lockout authorization, usually empty, sets back.
static const TPMA_NV counter_attributes = TPMA_NV_POLICYWRITE | TPMA_NV_AUTHREAD | TPMA_NV_OWNERREAD | TPMA_NV_NO_DA
    | (TPM2_NT_PIN_FAIL << TPMA_NV_TPM2_NT_SHIFT);

/// `TPMS_NV_PIN_COUNTER_PARAMETERS`: the count and the limit, 4 bytes each, the most significant first.
enum { counter_size = 8 };

static const TPMT_SYM_DEF session_cipher = {
    .algorithm = TPM2_ALG_AES, .keyBits.aes = 128, .mode.aes = TPM2_ALG_CFB};

static const TPM2B_PUBLIC storage_key_template = {
    .publicArea = {
        .type = TPM2_ALG_ECC,
        .nameAlg = TPM2_ALG_SHA256,
        .objectAttributes = TPMA_OBJECT_RESTRICTED | TPMA_OBJECT_DECRYPT | TPMA_OBJECT_FIXEDTPM
            | TPMA_OBJECT_FIXEDPARENT | TPMA_OBJECT_SENSITIVEDATAORIGIN | TPMA_OBJECT_USERWITHAUTH | TPMA_OBJECT_NODA,
        .parameters.eccDetail = {
            .symmetric = {.algorithm = TPM2_ALG_AES, .keyBits.aes = 128, .mode.aes = TPM2_ALG_CFB},
            .scheme.scheme = TPM2_ALG_NULL,
            .curveID = TPM2_ECC_NIST_P256,
            .kdf.scheme = TPM2_ALG_NULL,
        },
    },
};

// MARK: - Errors

/// The chip's own code without the parameter, session or handle it is about; 0 for what the chip did not say.
static TPM2_RC code_of(TSS2_RC code) {
    TSS2_RC layer = code & TSS2_RC_LAYER_MASK;
    if (layer != TSS2_TPM_RC_LAYER && layer != TSS2_RESMGR_TPM_RC_LAYER) return 0;
    code &= 0xFFFF;
    return code & TPM2_RC_FMT1 ? code & (TPM2_RC_FMT1 | 0x3F) : code;
}

static enum ctpm_status status_of(TSS2_RC code) {
    return code == TSS2_RC_SUCCESS ? CTPM_OK : CTPM_UNAVAILABLE;
}

// MARK: - The connection

/// The libraries write what goes wrong to standard error, a wrong passcode among it, unless the environment says otherwise.
static void silence_libraries(void) {
    setenv("TSS2_LOG", "all+NONE", 0);
}

static TSS2_RC start_session(struct ctpm *chip, TPM2_SE type, ESYS_TR *session) {
    return Esys_StartAuthSession(
        chip->esys, chip->storage_key, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, NULL, type,
        &session_cipher, TPM2_ALG_SHA256, session);
}

/// The connection's session, encrypting what the next command sends and receives as `direction` says.
static ESYS_TR session_with(struct ctpm *chip, TPMA_SESSION direction) {
    Esys_TRSess_SetAttributes(chip->esys, chip->session, TPMA_SESSION_CONTINUESESSION | direction, 0xFF);
    return chip->session;
}

static void flush(struct ctpm *chip, ESYS_TR handle) {
    if (handle != ESYS_TR_NONE) Esys_FlushContext(chip->esys, handle);
}

enum ctpm_status ctpm_open(const char *tcti, struct ctpm **result) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, silence_libraries);

    struct ctpm *chip = calloc(1, sizeof *chip);
    if (chip == NULL) return CTPM_UNAVAILABLE;
    chip->storage_key = chip->session = ESYS_TR_NONE;
    TPM2B_SENSITIVE_CREATE nothing = {0};
    TPM2B_DATA outside = {0};
    TPML_PCR_SELECTION registers = {0};
    TSS2_RC code = Tss2_TctiLdr_Initialize(tcti, &chip->tcti);
    if (code == TSS2_RC_SUCCESS) code = Esys_Initialize(&chip->esys, chip->tcti, NULL);
    if (code == TSS2_RC_SUCCESS) {
        code = Esys_CreatePrimary(
            chip->esys, ESYS_TR_RH_OWNER, ESYS_TR_PASSWORD, ESYS_TR_NONE, ESYS_TR_NONE, &nothing,
            &storage_key_template, &outside, &registers, &chip->storage_key, NULL, NULL, NULL, NULL);
    }
    if (code == TSS2_RC_SUCCESS) code = start_session(chip, TPM2_SE_HMAC, &chip->session);
    if (code != TSS2_RC_SUCCESS) {
        ctpm_close(chip);
        return CTPM_UNAVAILABLE;
    }
    *result = chip;
    return CTPM_OK;
}

void ctpm_close(struct ctpm *chip) {
    if (chip == NULL) return;
    if (chip->esys != NULL) {
        flush(chip, chip->session);
        flush(chip, chip->storage_key);
        Esys_Finalize(&chip->esys);
    }
    if (chip->tcti != NULL) Tss2_TctiLdr_Finalize(&chip->tcti);
    free(chip);
}

// MARK: - Objects

/// Makes a sealed object under the storage key, which opens by `policy` only, or by itself where that is empty.
static TSS2_RC create_object(
    struct ctpm *chip, const uint8_t *secret, const TPM2B_DIGEST *policy, TPM2B_PUBLIC **public_part,
    TPM2B_PRIVATE **private_part) {
    TPM2B_SENSITIVE_CREATE sensitive = {.sensitive.data.size = CTPM_SECRET_SIZE};
    memcpy(sensitive.sensitive.data.buffer, secret, CTPM_SECRET_SIZE);
    TPM2B_PUBLIC template = {
        .publicArea = {
            .type = TPM2_ALG_KEYEDHASH,
            .nameAlg = TPM2_ALG_SHA256,
            .objectAttributes = TPMA_OBJECT_FIXEDTPM | TPMA_OBJECT_FIXEDPARENT | TPMA_OBJECT_NODA,
            .parameters.keyedHashDetail.scheme.scheme = TPM2_ALG_NULL,
        },
    };
    if (policy != NULL) {
        template.publicArea.authPolicy = *policy;
    } else {
        template.publicArea.objectAttributes |= TPMA_OBJECT_USERWITHAUTH;
    }
    TPM2B_DATA outside = {0};
    TPML_PCR_SELECTION registers = {0};
    TSS2_RC code = Esys_Create(
        chip->esys, chip->storage_key, session_with(chip, TPMA_SESSION_DECRYPT | TPMA_SESSION_ENCRYPT), ESYS_TR_NONE,
        ESYS_TR_NONE, &sensitive, &template, &outside, &registers, private_part, public_part, NULL, NULL, NULL);
    explicit_bzero(&sensitive, sizeof sensitive);
    return code;
}

static TSS2_RC load_object(
    struct ctpm *chip, const TPM2B_PUBLIC *public_part, const TPM2B_PRIVATE *private_part, ESYS_TR *object) {
    return Esys_Load(
        chip->esys, chip->storage_key, session_with(chip, TPMA_SESSION_DECRYPT), ESYS_TR_NONE, ESYS_TR_NONE,
        private_part, public_part, object);
}

static TSS2_RC load_sealed(struct ctpm *chip, const struct ctpm_sealed *sealed, ESYS_TR *object) {
    TPM2B_PUBLIC public_part = {0};
    TPM2B_PRIVATE private_part = {0};
    size_t offset = 0;
    TSS2_RC code = Tss2_MU_TPM2B_PUBLIC_Unmarshal(
        sealed->public_part.bytes, sealed->public_part.count, &offset, &public_part);
    offset = 0;
    if (code == TSS2_RC_SUCCESS) {
        code = Tss2_MU_TPM2B_PRIVATE_Unmarshal(
            sealed->private_part.bytes, sealed->private_part.count, &offset, &private_part);
    }
    return code == TSS2_RC_SUCCESS ? load_object(chip, &public_part, &private_part, object) : code;
}

/// The meaning of a failure to load or to open: the chip's refusal of the object, or no chip to refuse it.
static enum ctpm_status status_of_object(TSS2_RC code) {
    if (code == TSS2_RC_SUCCESS) return CTPM_OK;
    if ((code & TSS2_RC_LAYER_MASK) == TSS2_MU_RC_LAYER) return CTPM_FOREIGN;
    switch (code_of(code)) {
        case TPM2_RC_INTEGRITY:
        case TPM2_RC_BINDING:
        case TPM2_RC_POLICY_FAIL:
        case TPM2_RC_SIZE:
        case TPM2_RC_INSUFFICIENT:
        case TPM2_RC_ATTRIBUTES:
        case TPM2_RC_TYPE:
        case TPM2_RC_HASH: return CTPM_FOREIGN;
        default: return CTPM_UNAVAILABLE;
    }
}

// MARK: - Policies

/// Adds to the policy that the authorization value of `object` was given.
static TSS2_RC add_secret(struct ctpm *chip, ESYS_TR policy, ESYS_TR object) {
    TPM2B_NONCE nonce = {0};
    TPM2B_DIGEST digest = {0};
    return Esys_PolicySecret(
        chip->esys, object, policy, session_with(chip, 0), ESYS_TR_NONE, ESYS_TR_NONE, &nonce, &digest, &nonce, 0, NULL,
        NULL);
}

/// The digest of the policy that the authorization value of `object` is given.
static TSS2_RC digest_of_secret(struct ctpm *chip, ESYS_TR object, TPM2B_DIGEST *result) {
    ESYS_TR trial = ESYS_TR_NONE;
    TPM2B_DIGEST *digest = NULL;
    TSS2_RC code = start_session(chip, TPM2_SE_TRIAL, &trial);
    if (code == TSS2_RC_SUCCESS) code = add_secret(chip, trial, object);
    if (code == TSS2_RC_SUCCESS) {
        code = Esys_PolicyGetDigest(chip->esys, trial, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, &digest);
    }
    if (code == TSS2_RC_SUCCESS) *result = *digest;
    Esys_Free(digest);
    flush(chip, trial);
    return code;
}

// MARK: - Counters

/// Finds the counter at `index` and takes it for what `ctpm_define_counter` makes; it may be half made.
static enum ctpm_status find_counter(struct ctpm *chip, uint32_t index, ESYS_TR *counter, bool *is_written) {
    ESYS_TR found = ESYS_TR_NONE;
    TPM2B_NV_PUBLIC *public_part = NULL;
    TSS2_RC code = Esys_TR_FromTPMPublic(chip->esys, index, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, &found);
    if (code_of(code) == TPM2_RC_HANDLE) return CTPM_MISSING;
    if (code == TSS2_RC_SUCCESS) {
        code = Esys_NV_ReadPublic(
            chip->esys, found, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, &public_part, NULL);
    }
    enum ctpm_status status = status_of(code);
    if (status == CTPM_OK) {
        TPMA_NV attributes = public_part->nvPublic.attributes;
        *is_written = attributes & TPMA_NV_WRITTEN;
        bool is_ours = (attributes & ~TPMA_NV_WRITTEN) == counter_attributes
            && public_part->nvPublic.dataSize == counter_size;
        if (!is_ours) status = CTPM_OCCUPIED;
    }
    Esys_Free(public_part);
    if (status == CTPM_OK) {
        *counter = found;
    } else if (found != ESYS_TR_NONE) {
        Esys_TR_Close(chip->esys, &found);
    }
    return status;
}

static enum ctpm_status set_auth(struct ctpm *chip, ESYS_TR counter, const uint8_t *auth) {
    TPM2B_AUTH value = {.size = CTPM_SECRET_SIZE};
    memcpy(value.buffer, auth, CTPM_SECRET_SIZE);
    TSS2_RC code = Esys_TR_SetAuth(chip->esys, counter, &value);
    explicit_bzero(&value, sizeof value);
    return status_of(code);
}

static uint32_t number_at(const uint8_t *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static void put_number(uint32_t number, uint8_t *bytes) {
    for (int i = 0; i < 4; i++) bytes[i] = (uint8_t)(number >> (24 - 8 * i));
}

enum ctpm_status ctpm_read_counter(struct ctpm *chip, uint32_t index, uint32_t *count, uint32_t *limit) {
    ESYS_TR counter = ESYS_TR_NONE;
    bool is_written = false;
    enum ctpm_status status = find_counter(chip, index, &counter, &is_written);
    if (status != CTPM_OK) return status;
    TPM2B_MAX_NV_BUFFER *data = NULL;
    if (is_written) {
        status = status_of(Esys_NV_Read(
            chip->esys, ESYS_TR_RH_OWNER, counter, ESYS_TR_PASSWORD, ESYS_TR_NONE, ESYS_TR_NONE, counter_size, 0,
            &data));
    } else {
        status = CTPM_MISSING;
    }
    if (status == CTPM_OK) {
        *count = number_at(data->buffer);
        *limit = number_at(data->buffer + 4);
    }
    Esys_Free(data);
    Esys_TR_Close(chip->esys, &counter);
    return status;
}

static TSS2_RC undefine(struct ctpm *chip, ESYS_TR counter) {
    return Esys_NV_UndefineSpace(
        chip->esys, ESYS_TR_RH_OWNER, counter, ESYS_TR_PASSWORD, ESYS_TR_NONE, ESYS_TR_NONE);
}

enum ctpm_status ctpm_delete_counter(struct ctpm *chip, uint32_t index) {
    ESYS_TR counter = ESYS_TR_NONE;
    bool is_written = false;
    enum ctpm_status status = find_counter(chip, index, &counter, &is_written);
    return status == CTPM_OK ? status_of(undefine(chip, counter)) : status;
}

/// Writes the limit, which the policy allows while `anchor` is loaded.
static TSS2_RC write_counter(struct ctpm *chip, ESYS_TR counter, ESYS_TR anchor, uint32_t limit) {
    TPM2B_MAX_NV_BUFFER data = {.size = counter_size};
    put_number(0, data.buffer);
    put_number(limit, data.buffer + 4);
    ESYS_TR policy = ESYS_TR_NONE;
    TSS2_RC code = start_session(chip, TPM2_SE_POLICY, &policy);
    if (code == TSS2_RC_SUCCESS) code = add_secret(chip, policy, anchor);
    if (code == TSS2_RC_SUCCESS) {
        code = Esys_NV_Write(chip->esys, counter, counter, policy, ESYS_TR_NONE, ESYS_TR_NONE, &data, 0);
    }
    flush(chip, policy);
    return code;
}

static TSS2_RC define_index(
    struct ctpm *chip, uint32_t index, const uint8_t *auth, const TPM2B_DIGEST *policy, ESYS_TR *counter) {
    TPM2B_AUTH value = {.size = CTPM_SECRET_SIZE};
    memcpy(value.buffer, auth, CTPM_SECRET_SIZE);
    TPM2B_NV_PUBLIC public_part = {
        .nvPublic = {
            .nvIndex = index,
            .nameAlg = TPM2_ALG_SHA256,
            .attributes = counter_attributes,
            .authPolicy = *policy,
            .dataSize = counter_size,
        },
    };
    TSS2_RC code = Esys_NV_DefineSpace(
        chip->esys, ESYS_TR_RH_OWNER, session_with(chip, TPMA_SESSION_DECRYPT), ESYS_TR_NONE, ESYS_TR_NONE, &value,
        &public_part, counter);
    explicit_bzero(&value, sizeof value);
    return code;
}

/// Makes an object that stays nowhere but in the chip, until it is flushed.
static TSS2_RC make_anchor(struct ctpm *chip, ESYS_TR *anchor) {
    TPM2B_DIGEST *random = NULL;
    TPM2B_PUBLIC *public_part = NULL;
    TPM2B_PRIVATE *private_part = NULL;
    TSS2_RC code = Esys_GetRandom(
        chip->esys, session_with(chip, TPMA_SESSION_ENCRYPT), ESYS_TR_NONE, ESYS_TR_NONE, CTPM_SECRET_SIZE, &random);
    if (code == TSS2_RC_SUCCESS) code = create_object(chip, random->buffer, NULL, &public_part, &private_part);
    if (code == TSS2_RC_SUCCESS) code = load_object(chip, public_part, private_part, anchor);
    if (random != NULL) explicit_bzero(random, sizeof *random);
    if (private_part != NULL) explicit_bzero(private_part, sizeof *private_part);
    Esys_Free(random);
    Esys_Free(public_part);
    Esys_Free(private_part);
    return code;
}

// The name of an index, which sealing binds to, covers its attributes (whether it was written to among them) and its policies, but not
// its authorization value: an owner who deletes a counter and defines it alike, with a value of their own, would open what
// was sealed to the first. So the policy for writing asks for an object that is gone once the limit is written. An index
// with that policy is never written to again, and has never again the name of one that was.
enum ctpm_status ctpm_define_counter(struct ctpm *chip, uint32_t index, const uint8_t *auth, uint32_t limit) {
    ESYS_TR anchor = ESYS_TR_NONE;
    ESYS_TR counter = ESYS_TR_NONE;
    TPM2B_DIGEST policy = {0};
    TSS2_RC code = make_anchor(chip, &anchor);
    if (code == TSS2_RC_SUCCESS) code = digest_of_secret(chip, anchor, &policy);
    if (code == TSS2_RC_SUCCESS) code = define_index(chip, index, auth, &policy, &counter);
    if (code_of(code) == TPM2_RC_NV_DEFINED) {
        flush(chip, anchor);
        return CTPM_OCCUPIED;
    }
    if (code == TSS2_RC_SUCCESS) {
        code = write_counter(chip, counter, anchor, limit);
        if (code != TSS2_RC_SUCCESS) undefine(chip, counter);
    }
    flush(chip, anchor);
    return status_of(code);
}

// MARK: - Sealing

/// Gives the authorization value of the counter to `policy`.
static enum ctpm_status authorize(
    struct ctpm *chip, uint32_t index, const uint8_t *auth, ESYS_TR policy, TPM2B_DIGEST *digest) {
    ESYS_TR counter = ESYS_TR_NONE;
    bool is_written = false;
    enum ctpm_status status = find_counter(chip, index, &counter, &is_written);
    if (status == CTPM_OCCUPIED) return CTPM_FOREIGN;
    if (status != CTPM_OK) return status == CTPM_MISSING ? CTPM_FOREIGN : status;
    if (!is_written) status = CTPM_FOREIGN;
    if (status == CTPM_OK) status = set_auth(chip, counter, auth);
    if (status == CTPM_OK) {
        TSS2_RC code = digest != NULL ? digest_of_secret(chip, counter, digest) : add_secret(chip, policy, counter);
        switch (code_of(code)) {
            case TPM2_RC_BAD_AUTH:
            case TPM2_RC_AUTH_FAIL: status = CTPM_WRONG_AUTH; break;
            case TPM2_RC_AUTH_UNAVAILABLE: status = CTPM_LOCKED_OUT; break;
            default: status = status_of(code);
        }
    }
    Esys_TR_Close(chip->esys, &counter);
    return status;
}

static bool put_parts(
    const TPM2B_PUBLIC *public_part, const TPM2B_PRIVATE *private_part, struct ctpm_sealed *sealed) {
    sealed->public_part.count = sealed->private_part.count = 0;
    return Tss2_MU_TPM2B_PUBLIC_Marshal(
               public_part, sealed->public_part.bytes, CTPM_PART_LIMIT, &sealed->public_part.count)
        == TSS2_RC_SUCCESS
        && Tss2_MU_TPM2B_PRIVATE_Marshal(
               private_part, sealed->private_part.bytes, CTPM_PART_LIMIT, &sealed->private_part.count)
        == TSS2_RC_SUCCESS;
}

enum ctpm_status ctpm_seal(
    struct ctpm *chip, const uint8_t *secret, uint32_t counter, const uint8_t *auth, struct ctpm_sealed *sealed) {
    TPM2B_DIGEST policy = {0};
    if (counter != 0) {
        enum ctpm_status status = authorize(chip, counter, auth, ESYS_TR_NONE, &policy);
        if (status != CTPM_OK) return status;
    }
    TPM2B_PUBLIC *public_part = NULL;
    TPM2B_PRIVATE *private_part = NULL;
    TSS2_RC code = create_object(chip, secret, counter != 0 ? &policy : NULL, &public_part, &private_part);
    bool is_put = code == TSS2_RC_SUCCESS && put_parts(public_part, private_part, sealed);
    Esys_Free(public_part);
    Esys_Free(private_part);
    return is_put ? CTPM_OK : CTPM_UNAVAILABLE;
}

/// Unseals an object with what authorizes it, a policy's session or the connection's own.
static enum ctpm_status unseal_object(struct ctpm *chip, ESYS_TR object, ESYS_TR policy, uint8_t *secret) {
    TPM2B_SENSITIVE_DATA *data = NULL;
    ESYS_TR encrypting = session_with(chip, TPMA_SESSION_ENCRYPT);
    TSS2_RC code = policy == ESYS_TR_NONE
        ? Esys_Unseal(chip->esys, object, encrypting, ESYS_TR_NONE, ESYS_TR_NONE, &data)
        : Esys_Unseal(chip->esys, object, policy, encrypting, ESYS_TR_NONE, &data);
    enum ctpm_status status = status_of_object(code);
    if (status == CTPM_OK && data->size != CTPM_SECRET_SIZE) status = CTPM_FOREIGN;
    if (status == CTPM_OK) memcpy(secret, data->buffer, CTPM_SECRET_SIZE);
    if (data != NULL) explicit_bzero(data, sizeof *data);
    Esys_Free(data);
    return status;
}

enum ctpm_status ctpm_unseal(
    struct ctpm *chip, const struct ctpm_sealed *sealed, uint32_t counter, const uint8_t *auth, uint8_t *secret) {
    ESYS_TR object = ESYS_TR_NONE;
    ESYS_TR policy = ESYS_TR_NONE;
    enum ctpm_status status = status_of_object(load_sealed(chip, sealed, &object));
    if (status == CTPM_OK && counter != 0) {
        status = status_of(start_session(chip, TPM2_SE_POLICY, &policy));
        if (status == CTPM_OK) status = authorize(chip, counter, auth, policy, NULL);
    }
    if (status == CTPM_OK) status = unseal_object(chip, object, policy, secret);
    flush(chip, policy);
    flush(chip, object);
    return status;
}

enum ctpm_status ctpm_check(struct ctpm *chip, const struct ctpm_sealed *sealed) {
    ESYS_TR object = ESYS_TR_NONE;
    enum ctpm_status status = status_of_object(load_sealed(chip, sealed, &object));
    flush(chip, object);
    return status;
}

// MARK: - Counting

static enum ctpm_status list_handles(struct ctpm *chip, uint32_t first, TPML_HANDLE *list) {
    TPMS_CAPABILITY_DATA *data = NULL;
    TPMI_YES_NO has_more = 0;
    TSS2_RC code = Esys_GetCapability(
        chip->esys, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, TPM2_CAP_HANDLES, first, TPM2_MAX_CAP_HANDLES, &has_more,
        &data);
    if (code == TSS2_RC_SUCCESS) *list = data->data.handles;
    Esys_Free(data);
    return status_of(code);
}

enum ctpm_status ctpm_count_contents(struct ctpm *chip, uint32_t *objects, uint32_t *sessions, uint32_t *counters) {
    TPML_HANDLE list = {0};
    enum ctpm_status status = list_handles(chip, TPM2_TRANSIENT_FIRST, &list);
    if (status == CTPM_OK) {
        *objects = list.count - 1;
        status = list_handles(chip, TPM2_LOADED_SESSION_FIRST, &list);
    }
    if (status == CTPM_OK) {
        *sessions = list.count - 1;
        status = list_handles(chip, CTPM_FIRST_INDEX, &list);
    }
    *counters = 0;
    for (uint32_t i = 0; status == CTPM_OK && i < list.count; i++) {
        ESYS_TR counter = ESYS_TR_NONE;
        bool is_written = false;
        enum ctpm_status found = find_counter(chip, list.handle[i], &counter, &is_written);
        if (found == CTPM_OK) {
            *counters += 1;
            Esys_TR_Close(chip->esys, &counter);
        }
    }
    return status;
}
