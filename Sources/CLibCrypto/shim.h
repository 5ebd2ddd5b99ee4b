// Functions that OpenSSL 3 has deprecated do not compile.
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
// Swift imports no macros with arguments, and no macros that combine others.
static inline long TieoutBIOBytes(BIO *bio, char **bytes) { return BIO_get_mem_data(bio, bytes); }
static const unsigned long TieoutNameForm = XN_FLAG_RFC2253;
// Parameters hold pointers to their names, which must outlive the call; a Swift string's would not.
static inline int TieoutInitHMAC(EVP_MAC_CTX *context, const unsigned char *key, size_t count) {
  OSSL_PARAM parameters[] = {
      OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, (char *)"SHA256", 0), OSSL_PARAM_construct_end()};
  return EVP_MAC_init(context, key, count, parameters);
}
