#include "CICU.h"

#include <stddef.h>
#include <string.h>
#include <unicode/ubidi.h>
#include <unicode/ubrk.h>

static CICUBreakIterator *cicu_open(UBreakIteratorType type, const char *locale) {
    UErrorCode status = U_ZERO_ERROR;
    UBreakIterator *iterator = ubrk_open(type, locale, NULL, 0, &status);
    return U_SUCCESS(status) ? (CICUBreakIterator *)iterator : NULL;
}

CICUBreakIterator *cicu_open_sentences(const char *locale) { return cicu_open(UBRK_SENTENCE, locale); }

CICUBreakIterator *cicu_open_words(const char *locale) { return cicu_open(UBRK_WORD, locale); }

void cicu_close(CICUBreakIterator *iterator) { ubrk_close((UBreakIterator *)iterator); }

int cicu_set_text(CICUBreakIterator *iterator, const uint16_t *text, int32_t length) {
    UErrorCode status = U_ZERO_ERROR;
    ubrk_setText((UBreakIterator *)iterator, (const UChar *)text, length, &status);
    return U_SUCCESS(status);
}

int32_t cicu_first(CICUBreakIterator *iterator) { return ubrk_first((UBreakIterator *)iterator); }

int32_t cicu_next(CICUBreakIterator *iterator) { return ubrk_next((UBreakIterator *)iterator); }

int cicu_is_word(CICUBreakIterator *iterator) {
    return ubrk_getRuleStatus((UBreakIterator *)iterator) >= UBRK_WORD_NONE_LIMIT;
}

int cicu_bidi_levels(const uint16_t *text, int32_t length, int is_right_to_left, uint8_t *levels) {
    UErrorCode status = U_ZERO_ERROR;
    UBiDi *bidi = ubidi_openSized(length, 0, &status);
    ubidi_setPara(bidi, (const UChar *)text, length, is_right_to_left ? 1 : 0, NULL, &status);
    const UBiDiLevel *found = ubidi_getLevels(bidi, &status);
    if (U_SUCCESS(status)) memcpy(levels, found, (size_t)length);
    ubidi_close(bidi);
    return U_SUCCESS(status);
}
