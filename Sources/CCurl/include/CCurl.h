#pragma once

/* Wrappers with fixed types for libcurl, which is loaded with dlopen at the first request.
 *
 * The wrappers exist because curl_easy_setopt is variadic, and Swift cannot call variadic functions. libcurl is not
 * linked, because its 30 shared libraries would cost 5 ms at each start (measured: 5.3 ms against 0.4 ms), even when
 * gifplay only plays a file. dlopen costs the same, but only once, at the first request. Only the headers are needed to
 * build.
 *
 * Call no other function of this header before gifplay_curl_load has returned NULL. */

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Loads and initialises libcurl. May be called from any thread; only the first call in the process has an effect.
/// If `name` is not NULL, it replaces the default names of the library.
/// Returns NULL on success, otherwise an error message that stays valid.
const char *_Nullable gifplay_curl_load(const char *_Nullable name);

/// The names and versions of libcurl and its libraries, for example "libcurl/7.88.1 OpenSSL/3.0.11 ...".
const char *_Nonnull gifplay_curl_version(void);

/// Receives `size * count` bytes of header lines or of the body. Return that number; any other ends the transfer.
typedef size_t (*gifplay_curl_sink)(
    char *_Nullable bytes, size_t size, size_t count, void *_Nullable context);
/// Called when a new or reused connection is ready, before the request is sent. Return 1 to refuse the connection.
typedef int (*gifplay_curl_connected)(
    void *_Nullable context, char *_Nullable peer, char *_Nullable local, int peer_port, int local_port);
/// Called before a connection to the IP address `peer` is opened; it can be that of a proxy. Return 0 to refuse it.
typedef int (*gifplay_curl_address_filter)(void *_Nullable context, const char *_Nonnull peer);

/* One transfer. */

void *_Nullable gifplay_easy_init(void);
void gifplay_easy_cleanup(void *_Nonnull easy);
CURLcode gifplay_easy_set_long(void *_Nonnull easy, CURLoption option, long value);
/// libcurl copies the string.
CURLcode gifplay_easy_set_string(void *_Nonnull easy, CURLoption option, const char *_Nullable value);
/// Makes the transfer a POST of these bytes, which libcurl copies. It gets a new connection: if a reused connection
/// turned out to be closed, libcurl would send the bytes again by itself.
CURLcode gifplay_easy_set_post(void *_Nonnull easy, const void *_Nonnull bytes, size_t count);
/// Sets an option that takes the address of an object. The object must outlive the transfer.
CURLcode gifplay_easy_set_pointer(void *_Nonnull easy, CURLoption option, void *_Nullable value);
/// Sets the callbacks for header lines, the body, and connections. Each gets `context`.
/// libcurl writes its detailed error message into `reason`, which has CURL_ERROR_SIZE bytes.
CURLcode gifplay_easy_set_callbacks(
    void *_Nonnull easy, gifplay_curl_sink _Nonnull header, gifplay_curl_sink _Nonnull body,
    gifplay_curl_connected _Nonnull connected, gifplay_curl_address_filter _Nonnull filter, void *_Nonnull context,
    char *_Nonnull reason);
/// Allows only http and https, regardless of the protocols that libcurl was built with.
CURLcode gifplay_easy_restrict_protocols(void *_Nonnull easy);
const char *_Nonnull gifplay_easy_strerror(CURLcode code);

struct curl_slist *_Nullable gifplay_slist_append(
    struct curl_slist *_Nullable list, const char *_Nonnull line);
void gifplay_slist_free(struct curl_slist *_Nullable list);

/* All transfers. */

void *_Nullable gifplay_multi_init(void);
void gifplay_multi_cleanup(void *_Nonnull multi);
CURLMcode gifplay_multi_set_long(void *_Nonnull multi, CURLMoption option, long value);
CURLMcode gifplay_multi_add(void *_Nonnull multi, void *_Nonnull easy);
CURLMcode gifplay_multi_remove(void *_Nonnull multi, void *_Nonnull easy);
CURLMcode gifplay_multi_perform(void *_Nonnull multi);
CURLMcode gifplay_multi_poll(void *_Nonnull multi, int milliseconds);
/// Wakes a waiting poll. It is the only function in this group that may be called from another thread.
CURLMcode gifplay_multi_wakeup(void *_Nonnull multi);
/// Returns the next transfer that ended and stores its result in `result`; NULL if there is none.
void *_Nullable gifplay_multi_next_done(void *_Nonnull multi, CURLcode *_Nonnull result);

/* URLs, parsed by the same parser that libcurl uses to connect. */

CURLU *_Nullable gifplay_url_init(void);
void gifplay_url_cleanup(CURLU *_Nonnull url);
/// Sets a part. A relative URL is resolved against the current URL.
CURLUcode gifplay_url_set(CURLU *_Nonnull url, CURLUPart part, const char *_Nullable text, unsigned flags);
/// Returns a part, or NULL. Free it with gifplay_curl_free.
char *_Nullable gifplay_url_get(CURLU *_Nonnull url, CURLUPart part, unsigned flags);
void gifplay_curl_free(void *_Nullable memory);
