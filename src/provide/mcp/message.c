#include "inside.h"

#include "plain_json.h"

const char mcp_modern[] = "2026-07-28";
const char *const mcp_handshakes[] = {"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", NULL};

void message_int(Buf *out, int64_t value)
{
    if (value < 0)
        buf_append_byte(out, '-');
    buf_append_uint(out, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

void message_json_string(Buf *out, const char *text, size_t length)
{
    plain_json_string(out, text, length);
}

void message_request(Buf *out, int64_t id, const char *method)
{
    buf_append_string(out, "{\"jsonrpc\":\"2.0\",\"id\":");
    message_int(out, id);
    buf_append_string(out, ",\"method\":\"");
    buf_append_string(out, method);
    buf_append_string(out, "\",\"params\":{");
}

void message_notification(Buf *out, const char *method)
{
    buf_append_string(out, "{\"jsonrpc\":\"2.0\",\"method\":\"");
    buf_append_string(out, method);
    buf_append_string(out, "\",\"params\":{");
}

/* Nothing is offered but what the host can do: be asked. */
void message_capabilities(Buf *out, const McpServer *server)
{
    buf_append_string(
        out, server->client->host.elicit ? "{\"elicitation\":{\"form\":{},\"url\":{}}}" : "{}");
}

#define TEXT_OF(number)  #number
#define DIGITS_OF(macro) TEXT_OF(macro)

void message_client_info(Buf *out)
{
    buf_append_string(
        out, "{\"name\":\"tenon\",\"version\":\"" DIGITS_OF(TN_VERSION_MAJOR) "." DIGITS_OF(
                 TN_VERSION_MINOR) "." DIGITS_OF(TN_VERSION_PATCH) "\"}");
}

static void put_modern_meta(Buf *out, const McpServer *server)
{
    buf_append_string(out, "\"io.modelcontextprotocol/protocolVersion\":\"");
    buf_append_string(out, mcp_modern);
    buf_append_string(out, "\",\"io.modelcontextprotocol/clientInfo\":");
    message_client_info(out);
    buf_append_string(out, ",\"io.modelcontextprotocol/clientCapabilities\":");
    message_capabilities(out, server);
    if (server->client->host.log)
        buf_append_string(out, ",\"io.modelcontextprotocol/logLevel\":\"info\"");
}

void message_end(Buf *out, const McpServer *server, Era era, int64_t progress_token, bool first)
{
    if (era == ERA_MODERN || progress_token != 0) {
        buf_append_string(out, first ? "\"_meta\":{" : ",\"_meta\":{");
        if (era == ERA_MODERN)
            put_modern_meta(out, server);
        if (progress_token != 0) {
            buf_append_string(out,
                              era == ERA_MODERN ? ",\"progressToken\":" : "\"progressToken\":");
            message_int(out, progress_token);
        }
        buf_append_byte(out, '}');
    }
    buf_append_string(out, "}}");
}

void message_answer_begin(Buf *out, const char *id, size_t length)
{
    buf_append_string(out, "{\"jsonrpc\":\"2.0\",\"id\":");
    buf_append(out, id, length);
    buf_append_byte(out, ',');
}
