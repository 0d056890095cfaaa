// ICU's functions carry its version in their names through macros that Swift cannot see, so each one used is named here.
#include <unicode/ubrk.h>
#include <unicode/unorm2.h>
#include <unicode/uloc.h>
