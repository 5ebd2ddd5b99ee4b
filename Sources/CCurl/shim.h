#include <curl/curl.h>

// curl_easy_setopt and curl_easy_getinfo are variadic, and Swift does not import variadic functions. Each of these
// functions sets or reads options of one type. It returns 0 or libcurl's error code.
static inline CURLcode tieoutCurlSetNumber(CURL *curl, CURLoption option, long value) {
  return (curl_easy_setopt)(curl, option, value);
}

static inline CURLcode tieoutCurlSetSize(CURL *curl, CURLoption option, curl_off_t value) {
  return (curl_easy_setopt)(curl, option, value);
}

static inline CURLcode tieoutCurlSetPointer(CURL *curl, CURLoption option, const void *value) {
  return (curl_easy_setopt)(curl, option, value);
}

typedef size_t (*TieoutCurlReceiver)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode tieoutCurlSetReceiver(
    CURL *curl, CURLoption option, TieoutCurlReceiver receiver) {
  return (curl_easy_setopt)(curl, option, receiver);
}

static inline CURLcode tieoutCurlSetProgress(CURL *curl, curl_xferinfo_callback progress) {
  return (curl_easy_setopt)(curl, CURLOPT_XFERINFOFUNCTION, progress);
}

static inline CURLcode tieoutCurlStatus(CURL *curl, long *status) {
  return (curl_easy_getinfo)(curl, CURLINFO_RESPONSE_CODE, status);
}

static inline CURLcode tieoutCurlRetryAfter(CURL *curl, curl_off_t *seconds) {
  return (curl_easy_getinfo)(curl, CURLINFO_RETRY_AFTER, seconds);
}
