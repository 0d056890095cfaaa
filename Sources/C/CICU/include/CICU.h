// The few functions of ICU that EchoText calls, under plain names: ICU's own names contain its version through macros
// that Swift cannot import, and its headers clash with those of the ICU inside Foundation when both are seen by Swift.
#pragma once
#include <stdint.h>

typedef struct CICUBreakIterator CICUBreakIterator;

/// NULL when ICU's data cannot be loaded.
CICUBreakIterator *cicu_open_sentences(const char *locale);
CICUBreakIterator *cicu_open_words(const char *locale);
void cicu_close(CICUBreakIterator *iterator);

/// Sets the iterator's text, which has to stay valid until the next call; returns 0 when ICU rejects it.
int cicu_set_text(CICUBreakIterator *iterator, const uint16_t *text, int32_t length);

int32_t cicu_first(CICUBreakIterator *iterator);
/// Returns the next boundary, or a negative number after the last.
int32_t cicu_next(CICUBreakIterator *iterator);
/// Whether the text before the boundary is a word: it has a letter, a digit or an ideograph.
int cicu_is_word(CICUBreakIterator *iterator);

/// Writes the embedding level of each unit of a paragraph to `levels` (Unicode's bidirectional algorithm, UAX #9);
/// returns 0 when ICU rejects the text.
int cicu_bidi_levels(const uint16_t *text, int32_t length, int is_right_to_left, uint8_t *levels);
