#include "ctoml.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

// Without exceptions, toml++ returns a parse error as a value.
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
// toml++ assumes that the name of a table begins with a letter or a quote. The table `[:a]` violates this assumption.
// Without the assertion, toml++ checks the name again and reports the error. With NDEBUG, the compiler would use the
// assumption.
#undef NDEBUG
#define TOML_ASSERT(expr) static_cast<void>(0)
#include <toml++/toml.h>

namespace {

struct Document : ctoml_document {
    toml::parse_result result;
    std::vector<ctoml_value> flat;
};

ctoml_text text(std::string_view view) { return {view.data(), view.size()}; }

bool is_before(const toml::source_position &a, const toml::source_position &b) {
    return std::pair(a.line, a.column) < std::pair(b.line, b.column);
}

/// Appends a node and, recursively, all nodes that it contains. The parser limits the depth to 256.
void append(std::vector<ctoml_value> &flat, const toml::node &node, std::string_view key, uint32_t line) {
    const size_t index = flat.size();
    flat.push_back({ctoml_other, line, 0, text(key), {}, 0, 0});
    if (auto string = node.as_string()) {
        flat[index].kind = ctoml_string;
        flat[index].string = text(string->get());
    } else if (auto integer = node.as_integer()) {
        flat[index].kind = ctoml_integer;
        flat[index].integer = integer->get();
        flat[index].number = static_cast<double>(integer->get());
    } else if (auto number = node.as_floating_point()) {
        flat[index].kind = ctoml_number;
        flat[index].number = number->get();
    } else if (auto boolean = node.as_boolean()) {
        flat[index].kind = ctoml_boolean;
        flat[index].integer = boolean->get();
    } else if (auto list = node.as_array()) {
        flat[index].kind = ctoml_list;
        for (const auto &element : *list) append(flat, element, {}, element.source().begin.line);
    } else if (auto table = node.as_table()) {
        flat[index].kind = ctoml_table;
        std::vector<std::pair<const toml::key *, const toml::node *>> members;
        for (auto &&[name, member] : *table) members.emplace_back(&name, &member);
        // toml++ orders the members of a table by name. Sort them in file order, so that gifplay reports the first
        // error of the file.
        std::sort(members.begin(), members.end(), [](const auto &a, const auto &b) {
            return is_before(a.first->source().begin, b.first->source().begin);
        });
        for (auto [name, member] : members) append(flat, *member, name->str(), name->source().begin.line);
    }
    flat[index].end = flat.size();
}

}  // namespace

const ctoml_document *ctoml_parse(const char *bytes, size_t count) try {
    auto result = toml::parse(std::string_view(bytes ? bytes : "", count));
    auto document = std::make_unique<Document>(Document{{}, std::move(result), {}});
    if (document->result) {
        append(document->flat, document->result.table(), {}, 1);
        document->values = document->flat.data();
        document->count = document->flat.size();
    } else {
        document->error = text(document->result.error().description());
        document->error_line = document->result.error().source().begin.line;
    }
    return document.release();
} catch (...) {
    // Only a failed allocation can throw here.
    return nullptr;
}

void ctoml_free(const ctoml_document *document) { delete static_cast<const Document *>(document); }
