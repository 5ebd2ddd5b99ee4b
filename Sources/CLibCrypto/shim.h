// With these settings, functions that OpenSSL 3 has deprecated do not compile.
#define OPENSSL_API_COMPAT 30000
#define OPENSSL_NO_DEPRECATED 1
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/provider.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
// Swift does not import macros with arguments or macros that combine others.
static inline long TieoutBIOBytes(BIO *bio, char **bytes) { return BIO_get_mem_data(bio, bytes); }
static const unsigned long TieoutNameForm = XN_FLAG_RFC2253;
// The parameters hold pointers to their names. The names must stay valid during the call, and a Swift string's pointer
// would not.
static inline int TieoutInitHMAC(EVP_MAC_CTX *context, const unsigned char *key, size_t count) {
  OSSL_PARAM parameters[] = {
      OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, (char *)"SHA256", 0), OSSL_PARAM_construct_end()};
  return EVP_MAC_init(context, key, count, parameters);
}
