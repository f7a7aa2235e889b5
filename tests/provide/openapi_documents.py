"""Documents read: JSON and YAML, references of every form, both versions, and what hostile ones do.

  openapi_documents.py TENON"""
import re
import resource
import time

from openapi_common import *

server = Server()


def get(operation_id, schema=None, **more):
    content = {"application/json": {"schema": schema}} if schema is not None else {}
    return {"operationId": operation_id, "responses": {"200": {"description": "", "content": content}}, **more}


def one(schema, version="3.1.0", **more):
    """The type that a schema becomes."""
    folder = Folder(**{"d.json": document({"/a": {"get": get("f", schema)}}, version, **AT, **more)})
    text = described(folder["d.json"])
    found = re.search(r"function f\(input\?: \{\}\): Promise<(.*?)>;", text, re.S)
    return found.group(1) if found else text


AT = {"servers": [{"url": server.url}]}


# ---- YAML ----

YAML = """# a comment
openapi: 3.0.3
info: {title: t, version: 1.0}
servers: [{url: %s}]
x-base: &base
  type: object
  properties: &props
    id: {type: integer}
    on: {type: string, enum: [no, yes, on, off, y, 2024-01-01, 1e3x, "3", ~x, 012]}
paths:
  /a:
    get: &op
      operationId: f
      parameters:
        - name: q
          in: query
          schema: {type: number, enum: [0x1F, 0o17, -7, +8, 12345678901234567890, 1.5, .5, 1e3]}
      responses:
        200:
          description: >
            folded
            text
          content:
            application/json:
              schema:
                <<: *base
                properties:
                  <<: [*props, {id: {type: string}, extra: {type: "null"}}]
                  more: {type: boolean, default: no}
  /b:
    get:
      <<: *op
      operationId: g
      parameters: []
"""


def test_yaml():
    folder = Folder(**{"d.yaml": YAML % server.url})
    text = described(folder["d.yaml"])
    check("words are text, and so are dates", '"no" | "yes" | "on" | "off" | "y" | "2024-01-01" | "1e3x" | "3" | "~x"' in text, text)
    check("a number with a zero before it is one", '"~x" | 12' in text or "| 12" not in text, text)
    check("numbers of the core schema", "31 | 15 | -7 | 8 | number | 1.5 | 0.5 | 1000" in text, text)
    check("merge keys: what is there stays, the first list entry wins", re.search(r"id\?: number", text) and "extra?:" in text and
          "more?: boolean" in text, text)
    check("an alias is what its anchor holds", "function g(input?: {})" in text, text)
    check("keys are text", "Promise<any>" not in text, text)


def test_yaml_faults():
    def why(text):
        folder = Folder(**{"d.yaml": text})
        return problems(folder["d.yaml"])
    for text, wanted in (("a: [1, 2", "not well formed at line"), ("&a [*a]", "holds itself"), ("a: *b", "anchor that is not there at line 1, column 4"),
                         ("? [a]\n: b", "a key that is no text"), ("", "there is nothing in it"), ("- " * 700, "nested too deep"),
                         ("a: {<<: 3}", "a merge key"), ("just text", "not of OpenAPI 3|none of OpenAPI"), ("\tx: 1", "not well formed"),
                         ("swagger: '2.0'", "Swagger 2.0"), ("openapi: 4.0.0", "none of OpenAPI 3"), ("openapi: 3.1.0", "no operations")):
        said = why(text)
        check("YAML %r" % text[:30], re.search(wanted, said), said)
    folder = Folder(**{"d.json": '{"openapi": '})
    said = problems(folder["d.json"])
    check("JSON that ends too soon", "cannot be read" in said, said)
    check("a file that is not there", "No such file" in problems("/nonexistent/x.yaml"))
    check("a folder is no document", "no file" in problems("/tmp") or "Is a directory" in problems("/tmp"), problems("/tmp"))


def limited(*args):
    """Exit code, stderr, seconds and megabytes of a start."""
    began = time.monotonic()
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    code, _, err = run(*args)
    return code, err, time.monotonic() - began, max(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, before) / 1024


def test_bombs():
    bomb = "a0: &a0 [lol, lol]\n" + "".join("a%d: &a%d [%s]\n" % (i, i, ", ".join(["*a%d" % (i - 1)] * 10)) for i in range(1, 12))
    keys = "a0: &a0 {k: v}\n" + "".join("a%d: &a%d {<<: [%s], k%d: 1}\n" % (i, i, ", ".join(["*a%d" % (i - 1)] * 50), i) for i in range(1, 40))
    anchors = "".join("&a%d [" % i for i in range(400)) + "x" * 100000 + "]" * 400
    for name, text in (("aliases", bomb), ("merge keys", keys), ("anchors inside anchors", anchors)):
        folder = Folder(**{"d.yaml": text})
        code, err, seconds, megabytes = limited("search", "--openapi", "api=" + folder["d.yaml"])
        check("a bomb of %s ends" % name, code == 0 and err and seconds < 20 and megabytes < 900, code, err, seconds, megabytes)
    deep = Folder(**{"d.json": '{"openapi":"3.1.0","paths":' + '{"a":' * 100000 + "1" + "}" * 100001})
    code, err, seconds, _ = limited("search", "--openapi", "api=" + deep["d.json"])
    check("nested without end", code == 0 and "api:" in err and seconds < 20, code, err)


# ---- references ----

def test_references():
    components = {
        "schemas": {"Pet": {"type": "object", "properties": {"next": {"$ref": "#/components/schemas/Pet"}, "tag": {"$ref": "#/components/schemas/a~1b%25c"}}},
                    "a/b%c": {"type": "string"}, "Loop": {"$ref": "#/components/schemas/Loop2"}, "Loop2": {"$ref": "#/components/schemas/Loop"},
                    "In": {"properties": {"deep": {"type": "number"}}}},
        "parameters": {"P": {"name": "p", "in": "query", "schema": {"type": "boolean"}}, "Chain": {"$ref": "#/components/parameters/P"}},
        "requestBodies": {"B": {"required": True, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Pet"}}}}},
        "responses": {"R": {"description": "", "content": {"application/json": {"schema": {"type": "array", "items": {"$ref": "#/components/schemas/Pet"}}}}}},
        "pathItems": {"I": {"get": {"operationId": "viaItem", "responses": {"200": {"$ref": "#/components/responses/R"}}}}},
        "securitySchemes": {"S": {"$ref": "#/components/securitySchemes/T"}, "T": {"type": "http", "scheme": "bearer"}}}
    paths = {"/a": {"post": {"operationId": "f", "parameters": [{"$ref": "#/components/parameters/Chain"}],
                             "requestBody": {"$ref": "#/components/requestBodies/B"}, "responses": {"201": {"$ref": "#/components/responses/R"}}}},
             "/i": {"$ref": "#/components/pathItems/I"},
             "/loop": {"get": get("loop", {"$ref": "#/components/schemas/Loop"})},
             "/in": {"get": get("inside", {"$ref": "#/components/schemas/In/properties/deep"})},
             "/path": {"get": get("viaPath", {"$ref": "#/paths/~1in/get/responses/200/content/application~1json/schema"})},
             "/gone": {"get": get("gone", {"type": "object", "properties": {"a": {"$ref": "#/components/schemas/Nope"}, "b": {"type": "string"}}})},
             "/nop": {"get": get("noParameter", parameters=[{"$ref": "#/components/parameters/Nope"}])},
             "/nob": {"post": get("noBody", requestBody={"$ref": "#/components/requestBodies/Nope"})},
             "/nor": {"get": {"operationId": "noAnswer", "responses": {"200": {"$ref": "#/components/responses/Nope"}}}},
             "/noi": {"$ref": "#/components/pathItems/Nope"},
             "/remote": {"get": get("remote", {"$ref": "https://evil.invalid/x.json#/A"})},
             "/selfparam": {"get": get("selfParam", parameters=[{"$ref": "#/paths/~1selfparam/get/parameters/0"}])}}
    folder = Folder(**{"d.json": document(paths, components=components, **AT)})
    text, said = described(folder["d.json"]), problems(folder["d.json"])
    check("parameter, body, response", "function f(input: { p?: boolean; body: Pet }): Promise<Pet[]>" in text, text)
    check("a path item", "function viaItem(input?: {}): Promise<Pet[]>" in text, text)
    check("escapes in names", re.search(r"tag\?: \w+", text) and "next?: Pet" in text and re.search(r"type \w+ = string", text), text)
    check("into the middle of something", re.search(r"function inside\(input\?: \{\}\): Promise<Deep>", text) and "type Deep = number" in text, text)
    check("through paths", "function viaPath" in text and "unknown" not in re.search(r"function viaPath.*", text).group(0), text)
    check("circles end", "function loop" in text, text)
    check("what leads nowhere costs its field", re.search(r"function gone.*?a\?: unknown;.*?b\?: string", text, re.S) and "/functions/gone/output/0/properties/a" in said, text, said)
    for name, why in (("/nop", "one of its parameters is not there: it refers to nothing"), ("/nob", "its body is not there: it refers to nothing"),
                      ("/noi", "it refers to nothing"), ("/selfparam", "refers to it again")):
        check("left out: " + name, re.search(re.escape(name) + r" is left out: .*" + why, said), said)
    check("an answer that is not there is any", "function noAnswer(input?: {}): Promise<any>" in text, text)
    check("remote references are not followed", "function remote(input?: {}): Promise<unknown>" in text and "nothing is fetched" in said, text, said)


def test_files():
    folder = Folder(**{
        "api/openapi.yaml": """openapi: 3.1.0
info: {title: t, version: '1'}
servers: [{url: %s}]
paths:
  /pets: {$ref: 'paths/pets.yaml'}
  /out: {$ref: '../secret.json'}
  /abs: {$ref: '/etc/passwd'}
  /link: {$ref: 'link.json'}
  /dots: {$ref: 'paths/../../secret.json#/a'}
  /gone: {$ref: 'gone.json'}
  /bad: {$ref: 'bad.json'}
components: {schemas: {Base: {type: object, properties: {id: {type: integer}}}}}
""" % server.url,
        "api/paths/pets.yaml": """get:
  operationId: pets
  parameters: [{$ref: '../shared.json#/limit'}]
  responses: {'200': {description: '', content: {application/json: {schema: {$ref: '../schemas/My%20Pet.yaml'}}}}}
""",
        "api/shared.json": {"limit": {"name": "limit", "in": "query", "schema": {"$ref": "#/kinds/int"}}, "kinds": {"int": {"type": "integer"}}},
        "api/schemas/My Pet.yaml": "type: object\nproperties:\n  base: {$ref: '../openapi.yaml#/components/schemas/Base'}\n  friend: {$ref: '#'}\n",
        "api/bad.json": "{", "secret.json": {"a": {"get": get("stolen")}}})
    os.symlink(folder["secret.json"], folder["api/link.json"])
    text, said = described(folder["api/openapi.yaml"]), problems(folder["api/openapi.yaml"])
    check("files beside it", "function pets(input?: { limit?: Int }): Promise<MyPet>" in text.replace("My20Pet", "MyPet"), text)
    check("back to the document, and to the file itself", "base?: Base" in text and re.search(r"friend\?: My\w*Pet", text), text)
    check("nothing from above its folder", "stolen" not in text, text)
    for path, why in (("/out", "not below the document's folder"), ("/abs", "not below"), ("/link", "not below"), ("/dots", "not below"),
                      ("/gone", "gone.json: it is not there"), ("/bad", "bad.json: ")):
        check("why not " + path, re.search("path " + path + r" is left out: .*" + re.escape(why), said), said)


def test_address():
    yaml = YAML.replace("servers: [{url: %s}]", "servers: [{url: ../v9}]")
    server.answers = {"/docs/api/openapi.yaml": (200, {"Content-Type": "application/yaml"}, yaml.encode()),
                      "/docs/api/multi.json": (200, {}, document({"/m": {"$ref": "m/item.json"}, "/n": {"$ref": "../up.json"}})),
                      "/docs/api/m/item.json": (200, {}, {"get": get("m")}), "/v9/a": (200, {}, {"id": 1}), "/docs/v9/a": (200, {}, {"id": 2})}
    value = program("return await api.f()", "--openapi", "api=" + server.url + "/docs/api/openapi.yaml")
    check("a document at an address; its server is relative to it", value == {"id": 2}, value, server.take())
    said = problems(server.url + "/docs/api/multi.json")
    check("files below it, and none above", "/n is left out" in said and "/m is left out" not in said, said)
    check("only what was named was asked for", sorted({r["path"] for r in server.take()}) == ["/docs/api/m/item.json", "/docs/api/multi.json"])
    check("an address without a document", "it answers 404" in problems(server.url + "/nope") or "answers 204" in problems(server.url + "/nope"))


# ---- both versions ----

def test_versions():
    check("3.0: nullable", one({"type": "string", "nullable": True}, "3.0.3") == "string | null")
    check("3.1: a list of types", one({"type": ["string", "null"]}) == "string | null")
    check("3.0: exclusiveMinimum is a boolean", "exclusiveMinimum true" in one({"type": "object", "properties": {"a": {
        "type": "number", "minimum": 1, "exclusiveMinimum": True}}}, "3.0.3"))
    check("3.1: const", one({"const": 7}) == "7")
    check("3.0: beside a reference nothing counts but nullable, which its writer meant",
          one({"$ref": "#/components/schemas/A", "nullable": True, "type": "number"}, "3.0.0",
              components={"schemas": {"A": {"type": "string"}}}) == "A | null")
    check("3.1: booleans as schemas", one({"type": "object", "properties": {"a": True, "b": False}}) in
          ("{ a?: unknown; b?: never }",))


def test_read_and_write_only():
    pet = {"type": "object", "required": ["id", "name", "secret"], "properties": {
        "id": {"type": "integer", "readOnly": True}, "name": {"type": "string"}, "secret": {"type": "string", "writeOnly": True}}}
    owner = {"type": "object", "required": ["pet"], "properties": {"pet": {"$ref": "#/components/schemas/Pet"}}}
    body = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Owner"}}}}
    folder = Folder(**{"d.json": document({"/a": {"post": get("f", {"$ref": "#/components/schemas/Owner"}, requestBody=body)}},
                                          components={"schemas": {"Pet": pet, "Owner": owner, "Same": {"type": "string"}}}, **AT)})
    text = described(folder["d.json"])
    check("what refers to it differs too", "body?: OwnerInput }): Promise<Owner>" in text and "pet: PetInput" in text and "pet: Pet;" in text.replace("pet: Pet }", "pet: Pet;"), text)
    sent, got = re.search(r"type PetInput = \{.*?\};", text, re.S).group(0), re.search(r"type Pet = \{.*?\};", text, re.S).group(0)
    check("what is only read is not required of who writes", "id?: number" in sent and "secret: string" in sent, sent)
    check("what is only written is not promised", "id: number" in got and "secret?: string" in got, got)
    check("and so says the check", program("try { await api.f({body: {pet: {name: 'n', secret: 's'}}}) } catch (e) { return e.message }; return 'sent'",
                                           "--openapi", "api=" + folder["d.json"]) == "sent")
    server.take()


def test_results():
    def result(responses):
        folder = Folder(**{"d.json": document({"/a": {"get": {"operationId": "f", "responses": responses}}}, **AT)})
        return re.search(r"Promise<(.*)>;", described(folder["d.json"])).group(1)
    json_of = lambda schema: {"description": "", "content": {"application/json": {"schema": schema}}}
    check("several good answers", result({"200": json_of({"type": "string"}), "201": json_of({"type": "number"}),
                                          "202": json_of({"type": "string"}), "404": json_of({"type": "boolean"})}) == "string | number")
    check("one without content", result({"200": json_of({"type": "string"}), "204": {"description": ""}}) == "string | undefined")
    check("none with content", result({"204": {"description": ""}}) == "undefined")
    check("a hundred at once", result({"2XX": json_of({"type": "string"})}) == "string")
    check("default where there is no other", result({"default": json_of({"type": "string"})}) == "string")
    check("default beside a good one is for failures", result({"200": json_of({"type": "string"}), "default": json_of({"type": "number"})}) == "string")
    check("nothing said", result({}) == "any" and result({"404": json_of({})}) == "any")
    check("without a schema", result({"200": {"description": "", "content": {"application/json": {}}}}) == "any")
    check("bytes and text", result({"200": {"content": {"image/png": {}}}, "201": {"content": {"text/csv": {}}}}) == "Uint8Array | string")


# ---- names and words ----

def test_names():
    ids = ["list-pets", "list_pets", "list.pets", "delete", "class", "", "über", "a" * 200, "constructor", "__proto__", "x y", "1st", "toString", "名前", "*/ evil"]
    paths = {"/n%d" % i: {"get": get(name)} for i, name in enumerate(ids)}
    paths.update({"/same": {"get": get("twice"), "post": get("twice")}, "/no/{id}/x": {"get": get(None)}, "/no/id/x": {"get": get(None)}, "/": {"get": get(None)}})
    for item in paths.values():
        for made in item.values():
            if made["operationId"] in (None, ""):
                del made["operationId"]
    folder = Folder(**{"d.json": document(paths, **AT)})
    text, said = described(folder["d.json"]), problems(folder["d.json"])
    found = re.findall(r"function (\S+)\(", text)
    check("one function for each operation", len(found) == len(set(found)) == len(ids) + 5, found, said)
    check("what is a name stays", {"list_pets", "über", "名前"} <= set(found) and "x_y" in found, found)
    check("without an id: method and path", {"get_n5", "get"} <= set(found), found)
    check("two of one id go by their places", {"get_same", "post_same"} <= set(found), found)
    value = program("return Object.keys(api).length", "--openapi", "api=" + folder["d.json"])
    check("and programs see them", value == len(found), value)
    turned = Folder(**{"d.json": document(dict(reversed(paths.items())), **AT)})
    check("whatever their order", sorted(re.findall(r"function (\S+)\(", described(turned["d.json"]))) == sorted(found))


EVIL = "*/ declare const pwned: string; /* \u2028 *\u200b/ */\n@deprecated \u202e x */ export {}"


def test_words():
    """Nothing of a description leaves its comment."""
    paths = {"/a": {"post": {"operationId": "f", "summary": EVIL, "description": EVIL, "deprecated": True,
                             "parameters": [{"name": EVIL, "in": "query", "description": EVIL, "schema": {"type": "string", "description": EVIL, "enum": [EVIL]}}],
                             "requestBody": {"description": EVIL, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/" + EVIL.replace("/", "~1")}}}},
                             "responses": {"200": {"description": EVIL, "content": {"application/json": {"schema": {"title": EVIL, "default": EVIL}}}}}}},
             "/" + EVIL: {"get": get("g")}}
    folder = Folder(**{"d.json": document(paths, components={"schemas": {EVIL: {"type": "object", "description": EVIL, "properties": {EVIL: {"pattern": EVIL}}}}}, **AT)})
    code, out, err = run("check", "-e", "pwned", "--openapi", "api=" + folder["d.json"])
    check("nothing is declared by words", "TS2304" in out + err or "pwned" in out + err, out, err)
    check("and the declarations are well formed", "api.d.ts" not in out + err, out, err)
    code, out, err = run("run", "-e", "typeof api.f", "--openapi", "api=" + folder["d.json"])
    check("programs run", code == 0 and "function" in out, out, err)


def test_odd_documents():
    """Every part of the wrong type: no crash, one problem each at most, the good operation stays."""
    wrong = (None, 7, "x", [], [7], {}, {"$ref": 7}, {"$ref": "#"}, True)
    bad = 0
    for member in ("info", "servers", "components", "security", "tags", "webhooks", "x-tenon"):
        for value in wrong:
            folder = Folder(**{"d.json": {**document({"/ok": {"get": get("ok", servers=[{"url": server.url}])}}), member: value}})
            bad += "function ok(" not in described(folder["d.json"])
    check("members of the document", bad == 0, bad)
    paths, n = {"/ok": {"get": get("ok")}}, 0
    for member in ("parameters", "requestBody", "responses", "security", "servers", "operationId", "summary", "description", "tags", "deprecated", "callbacks"):
        for value in wrong:
            paths["/o%d" % n] = {"get": {**get("o%d" % n), member: value}}
            paths["/p%d" % n] = {"get": get("p%d" % n), member: value}
            n += 1
    for member in ("name", "in", "schema", "style", "explode", "content", "required", "allowReserved"):
        for value in wrong:
            paths["/q%d" % n] = {"get": get("q%d" % n, parameters=[{"name": "a", "in": "query", member: value}])}
            paths["/b%d" % n] = {"post": get("b%d" % n, requestBody={"content": {"multipart/form-data": {"schema": value, "encoding": {"a": value}}}})}
            n += 1
    for value in wrong:
        paths["/i%d" % n] = value
        paths["/m%d" % n] = {"get": value}
        n += 1
    folder = Folder(**{"d.json": document(paths, **AT)})
    code, out, err = run("describe", "api.ok", "--openapi", "api=" + folder["d.json"])
    check("members of operations", code == 0 and "function ok(" in out, code, out, err[-500:])
    code, out, err = run("check", "-e", "await api.ok()", "--openapi", "api=" + folder["d.json"])
    check("and what is declared is well formed", "api.d.ts" not in out + err, out, err[-500:])


def test_large():
    chain = {"A%d" % i: {"$ref": "#/components/schemas/A%d" % (i + 1)} for i in range(20000)}
    chain["A20000"] = {"type": "string"}
    wide = {"W%d" % i: {"type": "object", "properties": {"p%d" % k: {"$ref": "#/components/schemas/W%d" % ((i * 7 + k) % 2000)} for k in range(20)}} for i in range(2000)}
    mirror = {"M%d" % i: {"type": "object", "required": ["r"], "properties": {"r": {"readOnly": i == 1999}, "n": {"$ref": "#/components/schemas/M%d" % min(i + 1, 1999)}}} for i in range(2000)}
    for name, schemas, first in (("a chain of references", chain, "A0"), ("a web of them", wide, "W0"), ("what differs at the far end", mirror, "M0")):
        body = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/" + first}}}}
        folder = Folder(**{"d.json": document({"/a": {"post": get("f", {"$ref": "#/components/schemas/" + first}, requestBody=body)}}, components={"schemas": schemas}, **AT)})
        code, err, seconds, _ = limited("search", "--openapi", "api=" + folder["d.json"])
        check(name, code == 0 and seconds < 20, code, err[-300:], seconds)
    many = document({"/p%d" % i: {"get": get("f%d" % i)} for i in range(10100)}, **AT)
    folder = Folder(**{"d.json": many})
    said = problems(folder["d.json"])
    check("more operations than the limit", "limit of 10,000" in said, said[-300:])


for name, test in list(globals().items()):
    if name.startswith("test_"):
        test()
finish()
