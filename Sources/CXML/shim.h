#include <libxml/xmlversion.h>

// Debian's libxml2 brings ICU's types into its headers, where they clash with those that Foundation has of its own.
#undef LIBXML_ICU_ENABLED

#include <libxml/HTMLparser.h>
#include <libxml/parser.h>
#include <libxml/tree.h>
