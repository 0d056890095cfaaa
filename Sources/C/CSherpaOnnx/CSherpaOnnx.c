// Header only: the library itself is opened when the program runs.
#include "CSherpaOnnx.h"
