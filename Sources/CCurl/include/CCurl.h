#pragma once

/* Wrappers with fixed types for the functions of libcurl. The wrappers are necessary, because curl_easy_setopt is
 * variadic, and Swift cannot call variadic functions.
 *
 * libcurl is loaded with dlopen at the first request. If gifplay were linked with libcurl, each start would load 30
 * shared libraries, even if gifplay only plays a file. Measured: 5.3 ms per start with linking, 0.4 ms without. dlopen
 * takes the same additional time, but only at the first request. A build needs only libcurl's headers.
 *
 * Call gifplay_curl_load first. Call the other functions of this header only if it has returned NULL. */

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Loads and initialises libcurl. This function can be called from any thread. Only the first call in the process loads
/// libcurl. If `name` is not NULL, loads the library with this name, and does not try the default names. Returns NULL
/// on success, otherwise an error message. The message stays valid.
const char *_Nullable gifplay_curl_load(const char *_Nullable name);

/// Returns the ASCII form of an international host name in UTF-8, or NULL if it has none. Free the result with free().
char *_Nullable gifplay_ascii_host(const char *_Nonnull host);

/// Returns the names and versions of libcurl and its libraries, for example "libcurl/7.88.1 OpenSSL/3.0.11 ...".
const char *_Nonnull gifplay_curl_version(void);

/// Receives `size * count` bytes of header lines or of the body. Must return `size * count`; any other result aborts
/// the transfer.
typedef size_t (*gifplay_curl_sink)(
    char *_Nullable bytes, size_t size, size_t count, void *_Nullable context);
/// Called when a new or reused connection is ready, before the request is sent. Returns 1 to refuse the connection,
/// otherwise 0.
typedef int (*gifplay_curl_connected)(
    void *_Nullable context, char *_Nullable peer, char *_Nullable local, int peer_port, int local_port);
/// Called before a connection to the IP address `peer` is opened. `peer` can be the address of a proxy. Returns 0 to
/// refuse the connection.
typedef int (*gifplay_curl_address_filter)(void *_Nullable context, const char *_Nonnull peer);

/* Functions for one transfer. */

void *_Nullable gifplay_easy_init(void);
void gifplay_easy_cleanup(void *_Nonnull easy);
CURLcode gifplay_easy_set_long(void *_Nonnull easy, CURLoption option, long value);
/// Sets an option that takes a string. libcurl copies the string.
CURLcode gifplay_easy_set_string(void *_Nonnull easy, CURLoption option, const char *_Nullable value);
/// Makes the transfer a POST request with these bytes, which libcurl copies. The transfer uses a new connection,
/// because libcurl would send the bytes a second time if a reused connection turned out to be closed.
CURLcode gifplay_easy_set_post(void *_Nonnull easy, const void *_Nonnull bytes, size_t count);
/// Sets an option that takes a pointer to an object. The object must outlive the transfer.
CURLcode gifplay_easy_set_pointer(void *_Nonnull easy, CURLoption option, void *_Nullable value);
/// Sets the callbacks for header lines, the body, and connections. Each callback gets `context`.
/// libcurl writes its detailed error message into `reason`, which must have CURL_ERROR_SIZE bytes.
CURLcode gifplay_easy_set_callbacks(
    void *_Nonnull easy, gifplay_curl_sink _Nonnull header, gifplay_curl_sink _Nonnull body,
    gifplay_curl_connected _Nonnull connected, gifplay_curl_address_filter _Nonnull filter, void *_Nonnull context,
    char *_Nonnull reason);
/// Allows only http and https, regardless of the protocols that libcurl was built with.
CURLcode gifplay_easy_restrict_protocols(void *_Nonnull easy);
/// Returns a numeric property of the response; 0 if libcurl does not know it.
long gifplay_easy_get_long(void *_Nonnull easy, CURLINFO information);
/// Returns the cookies that the handle knows, in the format of CURLOPT_COOKIELIST. Free the list with
/// gifplay_slist_free.
struct curl_slist *_Nullable gifplay_easy_cookies(void *_Nonnull easy);
/// Returns the header field after `previous`, or the first one if `previous` is NULL. Returns NULL after the last
/// field. Omits trailers and the header fields of redirects. The result is valid until the next call.
struct curl_header *_Nullable gifplay_easy_next_header(
    void *_Nonnull easy, struct curl_header *_Nullable previous);
const char *_Nonnull gifplay_easy_strerror(CURLcode code);

struct curl_slist *_Nullable gifplay_slist_append(
    struct curl_slist *_Nullable list, const char *_Nonnull line);
void gifplay_slist_free(struct curl_slist *_Nullable list);

/* Functions for all transfers together. */

void *_Nullable gifplay_multi_init(void);
void gifplay_multi_cleanup(void *_Nonnull multi);
CURLMcode gifplay_multi_set_long(void *_Nonnull multi, CURLMoption option, long value);
CURLMcode gifplay_multi_add(void *_Nonnull multi, void *_Nonnull easy);
CURLMcode gifplay_multi_remove(void *_Nonnull multi, void *_Nonnull easy);
CURLMcode gifplay_multi_perform(void *_Nonnull multi);
CURLMcode gifplay_multi_poll(void *_Nonnull multi, int milliseconds);
/// Wakes a thread that waits in gifplay_multi_poll. This is the only gifplay_multi function that can be called from
/// another thread.
CURLMcode gifplay_multi_wakeup(void *_Nonnull multi);
/// Returns the next finished transfer, and sets `result` to the result of that transfer. Returns NULL if there is no
/// finished transfer.
void *_Nullable gifplay_multi_next_done(void *_Nonnull multi, CURLcode *_Nonnull result);

/* Functions for URLs. libcurl uses the same URL parser for its connections. */

CURLU *_Nullable gifplay_url_init(void);
void gifplay_url_cleanup(CURLU *_Nonnull url);
/// Sets a part of `url`. A relative URL is resolved against the current URL.
CURLUcode gifplay_url_set(CURLU *_Nonnull url, CURLUPart part, const char *_Nullable text, unsigned flags);
/// Returns a part of `url`, or NULL on failure. Free the result with gifplay_curl_free.
char *_Nullable gifplay_url_get(CURLU *_Nonnull url, CURLUPart part, unsigned flags);
void gifplay_curl_free(void *_Nullable memory);
