"""Operations called: where each part of an argument goes, and what each kind of answer becomes.

  openapi_requests.py TENON"""
from openapi_common import *

server = Server()
folder = Folder()


def call(operations, code, *args, version="3.1.0", answers=None, **more):
    """Run a program on a document of these operations; its value, and what the server got."""
    server.answers = answers or {}
    path = folder.write("openapi.json", document(operations, version,
                                                 **{"servers": [{"url": server.url}], **more}))
    value = program(code, "--openapi", "api=" + path, *args)
    return value, server.take()


OK = {"200": {"description": "", "content": {"application/json": {}}}}
NONE = {"204": {"description": ""}}


def operation(name, parameters=(), **more):
    return {"operationId": name, "parameters": list(parameters), "responses": NONE, **more}


# ---- styles of parameters ----

def parameter(name, place, style=None, explode=None, schema=True, **more):
    made = {"name": name, "in": place, "schema": schema, "required": place == "path", **more}
    if style:
        made["style"] = style
    if explode is not None:
        made["explode"] = explode
    return made


EMPTY, TEXT, LIST, OBJECT = '""', '"a b"', '["x", "y,z", "ü"]', '{R: 100, G: "a/b"}'


def test_path_styles():
    """The table of the specification, with characters that must be escaped."""
    cases = [("simple", False, TEXT, "a%20b"), ("simple", False, LIST, "x,y%2Cz,%C3%BC"),
             ("simple", False, OBJECT, "R,100,G,a%2Fb"), ("simple", True, LIST, "x,y%2Cz,%C3%BC"),
             ("simple", True, OBJECT, "R=100,G=a%2Fb"),
             ("label", False, TEXT, ".a%20b"), ("label", False, LIST, ".x,y%2Cz,%C3%BC"),
             ("label", True, LIST, ".x.y%2Cz.%C3%BC"), ("label", False, OBJECT, ".R,100,G,a%2Fb"),
             ("label", True, OBJECT, ".R=100.G=a%2Fb"),
             ("matrix", False, TEXT, ";v=a%20b"), ("matrix", False, LIST, ";v=x,y%2Cz,%C3%BC"),
             ("matrix", True, LIST, ";v=x;v=y%2Cz;v=%C3%BC"),
             ("matrix", False, OBJECT, ";v=R,100,G,a%2Fb"), ("matrix", True, OBJECT, ";R=100;G=a%2Fb")]
    paths = {"/p%d/{v}/end" % i: {"get": operation("f%d" % i, [parameter("v", "path", style, explode)])}
             for i, (style, explode, _, _) in enumerate(cases)}
    code = "".join("await api.f%d({v: %s});" % (i, case[2]) for i, case in enumerate(cases))
    value, got = call(paths, code)
    for i, case in enumerate(cases):
        wanted = "/p%d/%s/end" % (i, case[3])
        check("path style %s" % (case,), len(got) > i and got[i]["path"] == wanted, got[i:i + 1], value)


def test_query_styles():
    cases = [("form", True, TEXT, "v=a%20b"), ("form", True, EMPTY, "v="), ("form", True, "null", "v="),
             ("form", True, "true", "v=true"), ("form", True, "1.5e21", "v=1.5e%2B21"),
             ("form", True, "12345678901234567890n", "v=12345678901234567890"),
             ("form", True, LIST, "v=x&v=y%2Cz&v=%C3%BC"), ("form", False, LIST, "v=x,y%2Cz,%C3%BC"),
             ("form", True, OBJECT, "R=100&G=a%2Fb"), ("form", False, OBJECT, "v=R,100,G,a%2Fb"),
             ("form", True, "[]", ""), ("form", False, "[]", ""),
             ("spaceDelimited", False, LIST, "v=x%20y%2Cz%20%C3%BC"),
             ("spaceDelimited", True, LIST, "v=x&v=y%2Cz&v=%C3%BC"),
             ("pipeDelimited", False, LIST, "v=x%7Cy%2Cz%7C%C3%BC"),
             ("deepObject", True, OBJECT, "v[R]=100&v[G]=a%2Fb"),
             ("deepObject", True, '{a: {b: [1, {c: "&"}]}, d: undefined}', "v[a][b][0]=1&v[a][b][1][c]=%26"),
             (None, None, '"a&b=c#d?e+f"', "v=a%26b%3Dc%23d%3Fe%2Bf")]
    paths = {"/q%d" % i: {"get": operation("f%d" % i, [parameter("v", "query", style, explode)])}
             for i, (style, explode, _, _) in enumerate(cases)}
    code = "".join("await api.f%d({v: %s});" % (i, case[2]) for i, case in enumerate(cases))
    value, got = call(paths, code)
    for i, case in enumerate(cases):
        wanted = "/q%d%s" % (i, "?" + case[3] if case[3] else "")
        found = got[i]["path"].replace("%5B", "[").replace("%5D", "]") if len(got) > i else None
        check("query style %s" % (case,), found == wanted, found, value)


def test_other_places():
    paths = {"/o": {"get": operation("f", [
        parameter("X-List", "header"), parameter("X-Map", "header", explode=True),
        parameter("c", "cookie"), parameter("d", "cookie"),
        parameter("reserved", "query", allowReserved=True),
        {"name": "filter", "in": "query", "content": {"application/json": {"schema": True}}},
        {"name": "X-Json", "in": "header", "content": {"application/json": {"schema": True}}},
        parameter("Authorization", "header"), parameter("Host", "header")])}}
    value, got = call(paths, """await api.f({"X-List": ["a", "b c"], "X-Map": {a: 1, b: "ü"}, c: "1;x=2",
        d: "e", reserved: "a/b:c&d=e#f", filter: {a: ["&"]}, "X-Json": [1, {"b": "c"}]})""")
    if not check("all places", len(got) == 1, value, got):
        return
    headers = got[0]["headers"]
    check("a list in a header", headers.get("x-list") == "a,b c", headers)
    check("an object in a header", headers.get("x-map") == "a=1,b=ü", headers)
    check("cookies cannot make others", headers.get("cookie") == "c=1%3Bx%3D2; d=e", headers)
    check("JSON in a header", headers.get("x-json") == '[1,{"b":"c"}]', headers)
    check("allowReserved keeps what cannot end the value; content is JSON",
          got[0]["path"] == "/o?reserved=a/b:c%26d%3De%23f&filter=%7B%22a%22%3A%5B%22%26%22%5D%7D", got[0]["path"])
    refused = []
    for argument in ('Authorization: "x"', 'Host: "x"', 'X: 1'):
        value, got = call(paths, "try { await api.f({%s}) } catch (e) { return [e.code, e.message] }" % argument)
        refused.append((value[0] if isinstance(value, list) else value, got))
    check("headers that belong to others are no parameters", refused == [("arguments", [])] * 3, refused)


def test_places_of_one_name():
    paths = {"/n/{id}": {
        "parameters": [parameter("id", "path"), parameter("id", "query"), parameter("id", "cookie")],
        "post": operation("f", [parameter("body", "query"), parameter("id", "header"),
                                parameter("id", "cookie", description="the operation's stands")],
                          requestBody={"content": {"application/json": {"schema": {}}}})}}
    path = folder.write("n.json", document(paths, servers=[{"url": server.url}]))
    text = described(path)
    check("each has a name", all(name in text for name in
                                 ("id: unknown", "id_query?:", "id_header?:", "id_cookie?:", "body?:", "body_query?:")), text)
    value, got = call(paths, "await api.f({id: 1, id_query: 2, id_header: 3, id_cookie: 4, body_query: 5, body: 6})")
    check("and goes to its place", got and (got[0]["path"], got[0]["headers"].get("id"), got[0]["headers"].get("cookie"),
                                            got[0]["body"]) == ("/n/1?id=2&body=5", "3", "id=4", b"6"), got, value)


def test_values_stay_in_their_place():
    """Whatever a value holds, it makes no other segment, parameter, header or line."""
    paths = {"/a/{v}/c": {"get": operation("f", [parameter("v", "path")])},
             "/h": {"get": operation("h", [parameter("X-A", "header")])}}
    bad = ['"."', '".."', '""', '[]', '{}']
    code = "const r = [];" + "".join(
        "try { r.push(await api.f({v: %s})) } catch (e) { r.push(e.code) }" % v for v in bad) + "return r"
    value, got = call(paths, code)
    check("dots and nothing are refused", value == ["arguments"] * len(bad) and not got, value, got)
    odd = ["../x", "a/../b", "..%2f", "x?y#z", "%2e%2e", "\\r\\n", "a\\u0000b", "…"]
    code = "".join('await api.f({v: "%s"});' % v for v in odd)
    value, got = call(paths, code)
    check("others are escaped", [one["path"] for one in got] == [
        "/a/..%2Fx/c", "/a/a%2F..%2Fb/c", "/a/..%252f/c", "/a/x%3Fy%23z/c", "/a/%252e%252e/c",
        "/a/%0D%0A/c", "/a/a%00b/c", "/a/%E2%80%A6/c"], got, value)
    code = "const r = [];" + "".join(
        "try { r.push(await api.h({'X-A': %s})) } catch (e) { r.push(e.code) }" % v
        for v in ('"a\\r\\nX-B: 1"', '"a\\nb"', '"a\\u0000b"', '["a", "b\\r"]')) + "return r"
    value, got = call(paths, code)
    check("no value makes a header", value == ["arguments"] * 4 and not got, value, got)


# ---- bodies ----

def body_of(media, schema=None, required=True, **more):
    return {"required": required, "content": {media: {"schema": schema if schema is not None else {}, **more}}}


def test_bodies():
    paths = {
        "/json": {"post": operation("json", requestBody=body_of("application/json"))},
        "/vendor": {"post": operation("vendor", requestBody=body_of("application/vnd.x+json; v=1"))},
        "/many": {"post": operation("many", requestBody={"content": {
            "text/plain": {}, "application/x-www-form-urlencoded": {}, "application/hal+json": {}, "application/json": {}}})},
        "/form": {"post": operation("form", requestBody=body_of(
            "application/x-www-form-urlencoded", {"type": "object"}, encoding={
                "list": {"style": "form", "explode": False}, "deep": {"style": "deepObject", "explode": True}}))},
        "/text": {"post": operation("text", requestBody=body_of("text/csv"))},
        "/xml": {"post": operation("xml", requestBody=body_of("application/xml", {"type": "object"}))},
        "/bytes": {"post": operation("bytes", requestBody=body_of("application/octet-stream"))},
        "/image": {"put": operation("image", requestBody=body_of("image/png", {"type": "string", "format": "binary"}, False))},
    }
    value, got = call(paths, """
        await api.json({body: {a: [1, null, "ü"], big: 12345678901234567890n, gone: undefined}});
        await api.vendor({body: []});
        await api.many({body: true});
        await api.form({body: {a: "x y&=", b: [1, 2], list: [3, 4], deep: {k: {l: 5}}, o: {z: 1}, gone: undefined, n: null}});
        await api.text({body: "a,b\\r\\n"});
        await api.xml({body: "<a/>"});
        await api.bytes({body: new Uint8Array([0, 255, 10])});
        await api.image({body: "text is fine too"});
        await api.image({});""")
    found = [(one["path"][1:], one["headers"].get("content-type"), one["body"]) for one in got]
    wanted = [
        ("json", "application/json", '{"a":[1,null,"ü"],"big":12345678901234567890}'.encode()),
        ("vendor", "application/vnd.x+json; v=1", b"[]"),
        ("many", "application/json", b"true"),
        ("form", "application/x-www-form-urlencoded",
         b"a=x+y%26%3D&b=1&b=2&list=3,4&deep[k][l]=5&o=%7B%22z%22%3A1%7D&n="),
        ("text", "text/csv", b"a,b\r\n"), ("xml", "application/xml", b"<a/>"),
        ("bytes", "application/octet-stream", b"\0\xff\n"), ("image", "image/png", b"text is fine too")]
    for i, one in enumerate(wanted):
        check("body " + one[0], len(found) > i and
              (found[i][0], found[i][1], found[i][2].replace(b"%5B", b"[").replace(b"%5D", b"]")) == one, found[i:i + 1], value)
    check("no body at all", len(found) == 9 and found[8][2] == b"", found[8:])


def parts_of(request):
    """{name: (filename, type, bytes)}; a list for names that come more than once."""
    boundary = request["headers"]["content-type"].split("boundary=")[1].encode()
    parts = []
    for piece in request["body"].split(b"--" + boundary)[1:-1]:
        head, content = piece[2:-2].split(b"\r\n\r\n", 1)
        lines = head.decode().split("\r\n")
        said = dict(part.split("=", 1) for part in lines[0].split("; ")[1:])
        kind = [line[14:] for line in lines[1:] if line.startswith("Content-Type: ")]
        parts.append((said["name"], said.get("filename"), kind[0] if kind else None, content))
    return parts


def test_multipart():
    schema = {"type": "object", "properties": {
        "file": {"type": "string", "format": "binary"}, "more": {"type": "array", "items": {"type": "string", "format": "binary"}},
        "note": {"type": "string"}, "meta": {"type": "object"}, "n": {"type": "integer"}}, "required": ["file"]}
    new = {"type": "object", "properties": {"file": {"contentMediaType": "application/octet-stream"}}}
    paths = {"/m": {"post": operation("f", requestBody=body_of("multipart/form-data", schema, encoding={"note": {"contentType": "text/html"}}))},
             "/n": {"post": operation("g", requestBody=body_of("multipart/form-data", new))}}
    value, got = call(paths, """
        await api.f({body: {file: new Uint8Array([1, 13, 10, 2]), note: "--x", meta: {a: 1}, n: 3, gone: undefined,
            more: [{data: new Uint8Array([7]), name: 'a"b\\r\\n.png', type: "image/png"}, "plain"]}});
        await api.f({body: {file: {data: "a,b", name: "t.csv"}}});
        await api.g({body: {file: new Uint8Array([9])}});""")
    if check("three multipart bodies", len(got) == 3, value, got):
        check("its parts", parts_of(got[0]) == [
            ('"file"', '"file"', "application/octet-stream", b"\x01\r\n\x02"), ('"note"', None, "text/html", b"--x"),
            ('"meta"', None, "application/json", b'{"a":1}'), ('"n"', None, None, b"3"),
            ('"more"', '"a%22b%0D%0A.png"', "image/png", b"\x07"), ('"more"', None, None, b"plain")], parts_of(got[0]))
        check("text with a name", parts_of(got[1]) == [('"file"', '"t.csv"', None, b"a,b")], parts_of(got[1]))
        check("bytes as 3.1 has them", parts_of(got[2]) == [('"file"', '"file"', "application/octet-stream", b"\x09")], parts_of(got[2]))
    value, got = call(paths, "try { await api.f({body: {note: 'x'}}) } catch (e) { return [e.code, e.message] }")
    check("what is required is", isinstance(value, list) and value[0] == "arguments" and "file" in value[1] and not got, value)
    value, got = call(paths, "try { await api.f({body: {file: {data: 'x', name: 'n', type: 'a\\r\\nb: c'}}}) } catch (e) { return e.code }")
    check("a type makes no header", value == "arguments" and not got, value, got)


# ---- answers ----

def test_answers():
    answers = {
        "/json": (200, {}, {"a": [1, None], "id": 12345678901234567890}),
        "/vendor": (201, {"Content-Type": "application/problem+json; charset=utf-8"}, b'\xef\xbb\xbf{"x": 1}'),
        "/none": (204, {}, b""), "/empty": (200, {"Content-Type": "application/json"}, b""),
        "/text": (200, {"Content-Type": "text/plain"}, "ü".encode()),
        "/xml": (200, {"Content-Type": "application/xml"}, b"<a/>"),
        "/bytes": (200, {"Content-Type": "image/png"}, b"\x89PNG"),
        "/latin": (200, {"Content-Type": "text/plain; charset=latin1"}, b"\xfc"),
        "/untyped": (200, {}, b' [1]'), "/lie": (200, {"Content-Type": "application/json"}, b"{no"),
    }
    paths = {path: {"get": {"operationId": path[1:], "responses": OK}} for path in answers}
    code = "const r = [];" + "".join("try { r.push(await api.%s()) } catch (e) { r.push([e.code, e.message]) }" % path[1:]
                                     for path in answers) + "return r"
    value, got = call(paths, code, answers=answers)
    wanted = [{"a": [1, None], "id": {"$type": "bigint", "value": "12345678901234567890"}}, {"x": 1},
              {"$type": "undefined"}, {"$type": "undefined"}, "ü", "<a/>", {"$type": "bytes", "base64": "iVBORw=="},
              {"$type": "bytes", "base64": "/A=="}, " [1]", ["protocol", "GET /lie answered with what it calls JSON and is none"]]
    for i, path in enumerate(answers):
        check("answer " + path, isinstance(value, list) and value[i] == wanted[i], value[i] if isinstance(value, list) else value)
    check("Accept is what the document says", got and got[0]["headers"]["accept"] == "application/json", got[:1])
    value, got = call({"/h": {"head": operation("h")}}, "return await api.h()",
                      answers={"/h": (200, {"X-A": "1", "Set-Cookie": "s=1"}, b"")})
    check("HEAD gives status and headers", isinstance(value, dict) and value["status"] == 200 and
          value["headers"]["x-a"] == "1" and "set-cookie" not in value["headers"], value)


def test_failures():
    answers = {
        "/a": (404, {}, {"message": "no such thing"}), "/b": (429, {"Retry-After": "7"}, {"error": {"message": "slow down"}}),
        "/c": (500, {"Content-Type": "text/html"}, b"<h1>oops</h1>"), "/d": (503, {}, b""), "/e": (504, {}, {"errors": ["x"]}),
        "/f": (400, {"Content-Type": "application/json"}, b"{not json"), "/g": (304, {}, b""),
        "/h": (422, {}, {"detail": "d" * 5000}), "/j": (500, {}, {"detail": "e" * 7000000}), "/i": (401, {}, {"title": "who are you"}),
    }
    paths = {path: {"post": {"operationId": path[1:], "responses": NONE}} for path in answers}
    code = ("const r = [];" + "".join("try { r.push(await api.%s()) } catch (e) { r.push([e.code, e.retryable, e.message,"
                                      " e instanceof Error]) }" % path[1:] for path in answers) + "return r")
    value, got = call(paths, code, answers=answers)
    if not check("each failure is an error", isinstance(value, list) and all(isinstance(v, list) for v in value), value):
        return
    check("codes", [v[0] for v in value] == ["HTTP_404", "HTTP_429", "HTTP_500", "HTTP_503", "HTTP_504", "HTTP_400",
                                            "HTTP_304", "HTTP_422", "HTTP_500", "HTTP_401"], [v[0] for v in value])
    check("which may be tried again", [v[1] for v in value] == [False, True, False, True, True] + [False] * 5, value)
    check("what the service said", [("no such thing" in value[0][2]), ("slow down" in value[1][2]), ("oops" in value[2][2]),
                                    ("who are you" in value[9][2])] == [True] * 4, value)
    check("at some length only", len(value[7][2]) < 700, len(value[7][2]))
    check("an error knows the request", value[0][2].startswith("POST /a answered 404 "), value[0][2])


def test_effects():
    paths = {"/a": {m: operation(m) for m in ("get", "head", "options", "post", "put", "patch", "delete")}}
    path = folder.write("e.json", document(paths, servers=[{"url": server.url}]))
    server.answers = {}
    status, out, err = run("run", "--no-check", "--json", "-e", "for (const n of Object.keys(api)) await api[n]()",
                           "--openapi", "api=" + path)
    server.take()
    effects = [one["name"] for one in json.loads(out)["effects"]]
    check("reading is no effect", sorted(one.split(".")[1].strip("_") for one in effects) ==
          ["delete", "patch", "post", "put"], effects, err)


# ---- where a service is, and who asks ----

def test_servers():
    def at(servers, where="root", **config):
        paths = {"/x": {"get": operation("f")}}
        more = {}
        if where == "root":
            more["servers"] = servers
        elif where == "path":
            paths["/x"]["servers"] = servers
            more["servers"] = [{"url": "https://nowhere.invalid"}]
        else:
            paths["/x"]["get"]["servers"] = servers
        path = folder.write("s.json", document(paths, **more))
        file = folder.write("c.json", {"openapi": {"api": {"document": path, **config}}})
        value = program("await api.f(); return 'ok'", "--mcp", file)
        return [one["path"] for one in server.take()], value

    server.answers = {}
    port = server.url.rsplit(":", 1)[1]
    check("with a path", at([{"url": server.url + "/v1/"}])[0] == ["/v1/x"])
    check("variables by their defaults", at([{"url": "{scheme}://127.0.0.1:{port}/{base}", "variables": {
        "scheme": {"default": "http"}, "port": {"default": port}, "base": {"default": "v2"}}}])[0] == ["/v2/x"])
    check("of the path", at([{"url": server.url + "/p"}], "path")[0] == ["/p/x"])
    check("of the operation", at([{"url": server.url + "/o"}], "operation")[0] == ["/o/x"])
    check("the host's comes first", at([{"url": "https://nowhere.invalid"}], server=server.url + "/h")[0] == ["/h/x"])
    for servers, why in (([{"url": "/v1"}], "does not say where"), ([], "does not say where"), ([{"url": "ftp://x/"}], "does not say where"),
                         ([{"url": "https://{a}/"}], "variable without a default"), ([{"url": "https://u:p@h/"}], "does not say where")):
        got, value = at(servers)
        check("no server: %s" % servers, got == [] and why in str(value), got, value)


def test_security():
    schemes = {"bearer": {"type": "http", "scheme": "bearer"}, "basic": {"type": "http", "scheme": "Basic"},
               "key": {"type": "apiKey", "in": "header", "name": "X-Key"}, "query": {"type": "apiKey", "in": "query", "name": "k"},
               "cookie": {"type": "apiKey", "in": "cookie", "name": "sid"}, "oauth": {"type": "oauth2", "flows": {}},
               "oidc": {"type": "openIdConnect", "openIdConnectUrl": "https://x.invalid"}, "odd": {"type": "mutualTLS"},
               "other": {"type": "http", "scheme": "DPoP"}}
    wants = {"bearer": [{"bearer": []}], "basic": [{"basic": []}], "key": [{"key": []}], "query": [{"query": []}],
             "cookie": [{"cookie": []}], "oauth": [{"oauth": ["r"]}], "oidc": [{"oidc": []}], "other": [{"other": []}],
             "both": [{"odd": []}, {"key": [], "query": []}], "open": [], "maybe": [{"odd": []}, {}]}
    answers = {"/" + name: lambda request: (200, {}, {"path": request["path"], "headers": request["headers"]}) for name in wants}
    paths = {"/" + name: {"get": {"operationId": "f_" + name, "responses": OK, "security": wanted}} for name, wanted in wants.items()}
    path = folder.write("sec.json", document(paths, servers=[{"url": server.url}], components={"securitySchemes": schemes}))
    server.answers = answers
    secrets = {name: "s3cret-" + name for name in schemes}
    secrets["basic"] = "user:s3cret-basic"
    given = [word for name in secrets if name != "odd" for word in ("--credential", name + "=env:S_" + name)]
    status, out, err = run("run", "--no-check", "-e", "const r = {}; for (const n of Object.keys(api)) r[n] = await api[n](); return r",
                           "--openapi", "api=" + path, *given, env={"S_" + name: value for name, value in secrets.items()})
    got = {one["path"].split("?")[0][1:]: one for one in server.take()}
    if not check("each is called", status == 0 and set(got) == set(wants), status, err, got):
        return
    headers = {name: one["headers"] for name, one in got.items()}
    check("bearer", headers["bearer"].get("authorization") == "Bearer s3cret-bearer", headers["bearer"])
    check("basic", headers["basic"].get("authorization") == "Basic dXNlcjpzM2NyZXQtYmFzaWM=", headers["basic"])
    check("a key in a header", headers["key"].get("x-key") == "s3cret-key", headers["key"])
    check("in the query", got["query"]["path"] == "/query?k=s3cret-query", got["query"]["path"])
    check("in a cookie", headers["cookie"].get("cookie") == "sid=s3cret-cookie", headers["cookie"])
    check("tokens of OAuth and OpenID", headers["oauth"].get("authorization") == "Bearer s3cret-oauth" and
          headers["oidc"].get("authorization") == "Bearer s3cret-oidc", headers["oauth"])
    check("another scheme by its name", headers["other"].get("authorization") == "DPoP s3cret-other", headers["other"])
    check("two at once, of the first alternative that can be", headers["both"].get("x-key") == "s3cret-key" and
          got["both"]["path"] == "/both?k=s3cret-query", got["both"])
    check("none where none is wanted", "authorization" not in headers["open"] and "x-key" not in headers["open"] and
          "authorization" not in headers["maybe"], headers["open"])
    check("and none comes back", "s3cret" not in out and "dXNlcjpz" not in out, out)
    server.answers = {"/bearer": (401, {}, {"message": "no"})}
    value = program("try { await api.f_bearer() } catch (e) { return e.message }", "--openapi", "api=" + path)
    server.take()
    check("what is missing is said", "credentials that were not given: bearer" in str(value), value)
    check("a name that is no scheme is told", "has no security scheme \"typo\"" in problems(path, "--credential", "typo=env:HOME"))


for name, test in list(globals().items()):
    if name.startswith("test_"):
        test()
finish()
