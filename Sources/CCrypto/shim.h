#pragma once
/* OpenSSL's newer interface to SHA-256 looks up the algorithm by name at run time, which links all of its providers. */
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>
