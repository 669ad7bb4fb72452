#pragma once

/* libcurl, loaded when it is first asked for, behind functions of fixed types.
 *
 * Two reasons. curl_easy_setopt is variadic, which Swift cannot call. And
 * linking libcurl costs each start 5 ms for its 30 shared libraries (measured: 5.3 ms against
 * 0.4 ms), which a player that plays a file must not pay; dlopen costs the same, once, at the first
 * request. Only the headers are needed to build.
 *
 * No function here but gifplay_curl_load may be called before that one has returned NULL. */

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Loads and initialises libcurl; may be called from any thread. Only the process's first call counts.
/// `name` stands in for the names that are tried, where it is not NULL.
/// Gives NULL, or a sentence that says why it is not to be had, which stays valid.
const char *_Nullable gifplay_curl_load(const char *_Nullable name);

/// Names and versions of libcurl and its libraries: "libcurl/7.88.1 OpenSSL/3.0.11 ...".
const char *_Nonnull gifplay_curl_version(void);

typedef size_t (*gifplay_curl_sink)(
    char *_Nullable bytes, size_t size, size_t count, void *_Nullable context);
/// Called when a connection is made, or found for reuse, before the request goes out; 1 refuses it.
typedef int (*gifplay_curl_connected)(
    void *_Nullable context, char *_Nullable peer, char *_Nullable local, int peer_port, int local_port);
/// Asked before a connection is begun to this IP address, or to a proxy's; 0 lets none be.
typedef int (*gifplay_curl_opening)(void *_Nullable context, const char *_Nonnull peer);

/* One transfer. */

void *_Nullable gifplay_easy_init(void);
void gifplay_easy_cleanup(void *_Nonnull easy);
CURLcode gifplay_easy_set_long(void *_Nonnull easy, CURLoption option, long value);
/// libcurl copies the string.
CURLcode gifplay_easy_set_string(void *_Nonnull easy, CURLoption option, const char *_Nullable value);
/// Makes it a POST of these bytes, which libcurl copies, on a connection of its own: on a used one
/// that turns out to be closed libcurl would send them again by itself.
CURLcode gifplay_easy_set_post(void *_Nonnull easy, const void *_Nonnull bytes, size_t count);
/// For options that take an object's address; it must outlive the transfer.
CURLcode gifplay_easy_set_pointer(void *_Nonnull easy, CURLoption option, void *_Nullable value);
/// Where header lines and the body go, and who is told of the connection, each with `context`.
/// What libcurl prints nowhere else goes into `reason`, CURL_ERROR_SIZE bytes.
CURLcode gifplay_easy_set_callbacks(
    void *_Nonnull easy, gifplay_curl_sink _Nonnull header, gifplay_curl_sink _Nonnull body,
    gifplay_curl_connected _Nonnull connected, gifplay_curl_opening _Nonnull opening, void *_Nonnull context,
    char *_Nonnull reason);
/// Lets nothing but http and https be spoken, whatever libcurl was built with.
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
/// Ends a poll that waits; the one function here that may be called from another thread.
CURLMcode gifplay_multi_wakeup(void *_Nonnull multi);
/// The next transfer that ended and how, or NULL.
void *_Nullable gifplay_multi_next_done(void *_Nonnull multi, CURLcode *_Nonnull result);

/* Addresses, taken apart by the parser that will be used to connect. */

CURLU *_Nullable gifplay_url_init(void);
void gifplay_url_cleanup(CURLU *_Nonnull url);
/// A relative text is resolved against what `url` holds.
CURLUcode gifplay_url_set(CURLU *_Nonnull url, CURLUPart part, const char *_Nullable text, unsigned flags);
/// The part, to be freed with gifplay_curl_free, or NULL.
char *_Nullable gifplay_url_get(CURLU *_Nonnull url, CURLUPart part, unsigned flags);
void gifplay_curl_free(void *_Nullable memory);
