#include <libxml/xmlversion.h>

// Debian's libxml2 includes ICU's types in its headers, where they conflict with Foundation's own.
#undef LIBXML_ICU_ENABLED

#include <libxml/HTMLparser.h>
#include <libxml/parser.h>
#include <libxml/tree.h>
