#include "inside.h"
bool http_loop_idle(const McpClient *client)
{
    (void)client;
    return true;
}
void http_loop_close(McpClient *client)
{
    (void)client;
}
Http *http_new(McpServer *server, Buf *out_why)
{
    (void)server;
    buf_append_string(out_why, "no http yet");
    return NULL;
}
void http_send(Http *http, Pending *pending, const char *text, size_t length)
{
    (void)http;
    (void)pending;
    (void)text;
    (void)length;
}
void http_drop(Exchange *exchange)
{
    (void)exchange;
}
void http_greeted(Http *http)
{
    (void)http;
}
void http_end(Http *http)
{
    (void)http;
}
