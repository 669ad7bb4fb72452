#define _GNU_SOURCE
#include "CCurl.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/socket.h>

/* The libcurl functions that gifplay uses. Their types come from libcurl's header. */
#define FUNCTIONS(X) \
    X(curl_global_init) \
    X(curl_free) \
    X(curl_version) \
    X(curl_easy_init) \
    X(curl_easy_cleanup) \
    X(curl_easy_setopt) \
    X(curl_easy_getinfo) \
    X(curl_easy_nextheader) \
    X(curl_easy_strerror) \
    X(curl_slist_append) \
    X(curl_slist_free_all) \
    X(curl_multi_init) \
    X(curl_multi_cleanup) \
    X(curl_multi_setopt) \
    X(curl_multi_add_handle) \
    X(curl_multi_remove_handle) \
    X(curl_multi_perform) \
    X(curl_multi_poll) \
    X(curl_multi_wakeup) \
    X(curl_multi_info_read) \
    X(curl_url) \
    X(curl_url_cleanup) \
    X(curl_url_set) \
    X(curl_url_get)

/* In libcurl's header, these functions are also macros that check types. The macros are not used here. */
#undef curl_easy_setopt
#undef curl_easy_getinfo
#undef curl_multi_setopt

#define MEMBER(name) __typeof__(&name) name;
static struct { FUNCTIONS(MEMBER) } api;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool has_attempted_load;
static char failure[512];

/* RTLD_LOCAL keeps the symbols of libcurl's libraries separate from gifplay's symbols. libcurl is never unloaded,
 * because OpenSSL does not support being unloaded. */
static void *open_library(const char *name) {
    void *library = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
    if (!library && !failure[0]) {
        const char *reason = dlerror();
        snprintf(failure, sizeof failure, "libcurl cannot be loaded: %s", reason ? reason : "no reason given");
    }
    return library;
}

/* Disables OpenSSL's exit handler, which frees OpenSSL's data when the process exits. With the handler, a transfer
 * thread that is still running would use freed memory, and the memory of that thread would leak. The handler is not
 * needed, because the system frees all memory of the process. 0x80000 is OPENSSL_INIT_NO_ATEXIT of openssl/crypto.h. */
static void disable_openssl_exit_handler(void *library) {
    int (*initialize)(uint64_t, const void *) =
        (int (*)(uint64_t, const void *))dlsym(library, "OPENSSL_init_crypto");
    if (initialize) initialize(0x80000, NULL);
}

static void resolve(void *library) {
    const char *missing = NULL;
#define RESOLVE(name) \
    api.name = (__typeof__(&name))dlsym(library, #name); \
    if (!api.name) missing = #name;
    FUNCTIONS(RESOLVE)
    if (missing) {
        snprintf(failure, sizeof failure, "the installed libcurl is too old: it has no %s", missing);
        return;
    }
    disable_openssl_exit_handler(library);
    CURLcode code = api.curl_global_init(CURL_GLOBAL_DEFAULT);
    if (code != CURLE_OK) {
        snprintf(failure, sizeof failure, "libcurl cannot be initialized: %s", api.curl_easy_strerror(code));
        return;
    }
    failure[0] = 0;
}

static void load(const char *name) {
    void *library = open_library(name ? name : "libcurl.so.4");
    /* Under this name, Debian provides a build of libcurl that uses GnuTLS. */
    if (!library && !name) library = open_library("libcurl-gnutls.so.4");
    if (library) resolve(library);
}

const char *gifplay_curl_load(const char *name) {
    pthread_mutex_lock(&lock);
    if (!has_attempted_load) load(name);
    has_attempted_load = true;
    pthread_mutex_unlock(&lock);
    return failure[0] ? failure : NULL;
}

/* libcurl converts international host names from the encoding of the locale, which can be ASCII. libidn2, on which
 * libcurl depends, converts from UTF-8. Its flags 1 and 8 mean normalization and the rules of IDNA 2008. */
char *gifplay_ascii_host(const char *host) {
    static int (*convert)(const char *, char **, int);
    pthread_mutex_lock(&lock);
    if (!convert) {
        void *library = dlopen("libidn2.so.0", RTLD_LAZY | RTLD_LOCAL);
        if (library) convert = (int (*)(const char *, char **, int))dlsym(library, "idn2_to_ascii_8z");
    }
    pthread_mutex_unlock(&lock);
    char *ascii = NULL;
    return convert && convert(host, &ascii, 1 | 8) == 0 ? ascii : NULL;
}

const char *gifplay_curl_version(void) { return api.curl_version(); }

void *gifplay_easy_init(void) { return api.curl_easy_init(); }
void gifplay_easy_cleanup(void *easy) { api.curl_easy_cleanup(easy); }

CURLcode gifplay_easy_set_long(void *easy, CURLoption option, long value) {
    return api.curl_easy_setopt(easy, option, value);
}

CURLcode gifplay_easy_set_string(void *easy, CURLoption option, const char *value) {
    return api.curl_easy_setopt(easy, option, value);
}

CURLcode gifplay_easy_set_post(void *easy, const void *bytes, size_t count) {
    CURLcode code = api.curl_easy_setopt(easy, CURLOPT_FRESH_CONNECT, 1L);
    if (code == CURLE_OK) code = api.curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE, (long)count);
    if (code == CURLE_OK) code = api.curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, bytes);
    return code;
}

CURLcode gifplay_easy_set_pointer(void *easy, CURLoption option, void *value) {
    return api.curl_easy_setopt(easy, option, value);
}

/* The filter function, which is the same for all transfers. The variable is atomic, because several threads can set up
 * transfers simultaneously. */
static _Atomic(gifplay_curl_address_filter) is_address_allowed;

/* Creates a socket only if the filter allows the address. A check after the connection is open would be too late,
 * because even a TLS handshake sends text that an attacker can choose. */
static curl_socket_t open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *peer) {
    char text[INET6_ADDRSTRLEN];
    const void *address = NULL;
    if (purpose != CURLSOCKTYPE_IPCXN) return CURL_SOCKET_BAD;
    if (peer->family == AF_INET) address = &((const struct sockaddr_in *)(const void *)&peer->addr)->sin_addr;
    if (peer->family == AF_INET6) address = &((const struct sockaddr_in6 *)(const void *)&peer->addr)->sin6_addr;
    if (!address || !inet_ntop(peer->family, address, text, sizeof text) || !is_address_allowed(context, text))
        return CURL_SOCKET_BAD;
    return socket(peer->family, peer->socktype | SOCK_CLOEXEC, peer->protocol);
}

CURLcode gifplay_easy_set_callbacks(
    void *easy, gifplay_curl_sink header, gifplay_curl_sink body, gifplay_curl_connected connected,
    gifplay_curl_address_filter filter, void *context, char *reason) {
    api.curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, reason);
    api.curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, header);
    api.curl_easy_setopt(easy, CURLOPT_HEADERDATA, context);
    api.curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, body);
    api.curl_easy_setopt(easy, CURLOPT_WRITEDATA, context);
    api.curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, context);
    is_address_allowed = filter;
    CURLcode code = api.curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open_socket);
    if (code != CURLE_OK) return CURLE_FAILED_INIT;
    api.curl_easy_setopt(easy, CURLOPT_PREREQDATA, context);
    return api.curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, connected);
}

CURLcode gifplay_easy_restrict_protocols(void *easy) {
#if LIBCURL_VERSION_NUM >= 0x075500
    CURLcode code = api.curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    if (code != CURLE_UNKNOWN_OPTION) return code;
#endif
    /* libcurl before 7.85 has only this older option. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
    return api.curl_easy_setopt(easy, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#pragma GCC diagnostic pop
}

long gifplay_easy_get_long(void *easy, CURLINFO information) {
    long value = 0;
    return api.curl_easy_getinfo(easy, information, &value) == CURLE_OK ? value : 0;
}

struct curl_slist *gifplay_easy_cookies(void *easy) {
    struct curl_slist *cookies = NULL;
    return api.curl_easy_getinfo(easy, CURLINFO_COOKIELIST, &cookies) == CURLE_OK ? cookies : NULL;
}

struct curl_header *gifplay_easy_next_header(void *easy, struct curl_header *previous) {
    return api.curl_easy_nextheader(easy, CURLH_HEADER, -1, previous);
}

const char *gifplay_easy_strerror(CURLcode code) { return api.curl_easy_strerror(code); }

struct curl_slist *gifplay_slist_append(struct curl_slist *list, const char *line) {
    return api.curl_slist_append(list, line);
}

void gifplay_slist_free(struct curl_slist *list) { api.curl_slist_free_all(list); }

void *gifplay_multi_init(void) { return api.curl_multi_init(); }
void gifplay_multi_cleanup(void *multi) { api.curl_multi_cleanup(multi); }

CURLMcode gifplay_multi_set_long(void *multi, CURLMoption option, long value) {
    return api.curl_multi_setopt(multi, option, value);
}

CURLMcode gifplay_multi_add(void *multi, void *easy) { return api.curl_multi_add_handle(multi, easy); }
CURLMcode gifplay_multi_remove(void *multi, void *easy) { return api.curl_multi_remove_handle(multi, easy); }

CURLMcode gifplay_multi_perform(void *multi) {
    int running = 0;
    return api.curl_multi_perform(multi, &running);
}

CURLMcode gifplay_multi_poll(void *multi, int milliseconds) {
    return api.curl_multi_poll(multi, NULL, 0, milliseconds, NULL);
}

CURLMcode gifplay_multi_wakeup(void *multi) { return api.curl_multi_wakeup(multi); }

void *gifplay_multi_next_done(void *multi, CURLcode *result) {
    int left = 0;
    CURLMsg *message;
    while ((message = api.curl_multi_info_read(multi, &left))) {
        if (message->msg == CURLMSG_DONE) {
            *result = message->data.result;
            return message->easy_handle;
        }
    }
    return NULL;
}

CURLU *gifplay_url_init(void) { return api.curl_url(); }
void gifplay_url_cleanup(CURLU *url) { api.curl_url_cleanup(url); }

CURLUcode gifplay_url_set(CURLU *url, CURLUPart part, const char *text, unsigned flags) {
    return api.curl_url_set(url, part, text, flags);
}

char *gifplay_url_get(CURLU *url, CURLUPart part, unsigned flags) {
    char *text = NULL;
    return api.curl_url_get(url, part, &text, flags) == CURLUE_OK ? text : NULL;
}

void gifplay_curl_free(void *memory) { api.curl_free(memory); }
