#!/usr/bin/env python3
"""Turn what wasm2c wrote into code for our own runtime.

usage: adapt.py NAME WASM2C_OUTPUT.c WASM2C_OUTPUT.h OUT.c OUT.h

wasm2c's versions differ in how they spell symbols; what comes out here is
spelled alike for all of them. Every change asserts that it found its place, so
that a version that writes other code stops the build instead of being trusted.

  names    exports become NAME_export, imports engine_import_x(struct EngineHost *, ...)
  base     the memory lies at a fixed distance from the instance, so its base
           is never loaded (layout in engine.h)
  cards    each store marks its card, so a reset copies what was touched
  reads    the barrier that keeps unused loads is dropped: containment does not
           need a load nobody looks at to trap
  data     the initial data is shared by the variants
  dispatch an interpreter's one large switch becomes a jump through a table, which the
           compiler can repeat after each instruction (guard variant)
  hot      what is not in the list `hot`, which tools/engine-profile makes, is compiled for size
           (guard variant)
  depth    in the checked variant, each function compares the stack with its limit
"""
import pathlib
import re
import sys


def fail(text):
    sys.exit(f"adapt: {text}\n  This wasm2c writes code this project has not seen: "
             "see src/realm/engine/adapt.py.")


def change(text, pattern, replacement, at_least=1):
    text, count = re.subn(pattern, replacement, text)
    if count < at_least:
        fail(f"nothing matches {pattern!r}")
    return text


def rename(text, name, old_style):
    if old_style:
        pairs = [(rf"\bZ_{name}Z_(\w+)", rf"{name}_\1"), (r"\bZ_tenonZ_(\w+)", r"engine_import_\1"),
                 (r"\bstruct Z_tenon_instance_t\b", "struct EngineHost"),
                 (rf"\bZ_{name}_instance_t\b", f"{name}_instance"),
                 (rf"\bZ_{name}_instantiate\b", f"{name}_instantiate"),
                 (rf"\bZ_{name}_free\b", f"{name}_free"),
                 (rf"\bZ_{name}_init_module\b", f"{name}_init_module"),
                 (r"\bw2c___stack_pointer\b", "engine_stack_pointer")]
    else:
        pairs = [(r"\bw2c_tenon_(\w+)", r"engine_import_\1"),
                 (r"\bstruct w2c_tenon\b", "struct EngineHost"),
                 (rf"\bwasm2c_{name}_(instantiate|free)\b", rf"{name}_\1"),
                 (rf"\bw2c_{name}\b", f"{name}_instance"),
                 (r"\bw2c_0x5F_stack_pointer\b", "engine_stack_pointer")]
    for pattern, replacement in pairs:
        text = re.sub(pattern, replacement, text)
    if not old_style:
        exports = re.findall(rf"/\* export: '(\w+)' \*/\n[^(]*\bw2c_{name}_(\w+)\(", text)
        for export, spelled in exports:
            text = re.sub(rf"\bw2c_{name}_{spelled}\b", f"{name}_{export}", text)
    return text


def adapt_header(text, name):
    """The instance may hold our host, one mutable global (the stack), memory and table; no more."""
    body = re.search(rf"typedef struct {name}_instance {{(.*?)}} {name}_instance;", text, re.S)
    if not body:
        fail("no instance struct")
    members = [line.strip() for line in body.group(1).strip().splitlines()]
    shape = [re.sub(r"\s+\S+;$", "", member) for member in members]
    if shape != ["struct EngineHost*", "u32", "wasm_rt_memory_t", "wasm_rt_funcref_table_t"]:
        fail(f"the instance holds {shape}")
    # The imports are declared by the runtime's header, one of them inline.
    text = change(text, r"/\* import: [^\n]*\n[^\n]*;\n", "")
    return text


def share_data(text, checked):
    """The variants load the same data: it is kept once, by the guard variant."""
    pattern = r"static const u8 (data_segment_data_\w+)\[\] = (\{[^}]*\});"
    found = re.findall(pattern, text)
    if not found:
        fail("no data segments")
    for i, (symbol, _) in enumerate(found):
        shared = f"engine_data_{i}"
        text = re.sub(pattern.replace(r"(data_segment_data_\w+)", f"({symbol})"),
                      f"extern const u8 {shared}[];" if checked
                      else f"extern const u8 {shared}[];\nconst u8 {shared}[] = \\2;", text)
        text = re.sub(rf"\b{symbol}\b", shared, text)
    return text


# The interpreters, of programs and of regular expressions, and how many instructions they have.
INTERPRETERS = [("JS_CallInternal", 200), ("lre_exec", 40)]


def thread_interpreter(text, function, least):
    """An interpreter's switch over the instruction, as a computed goto. The index is a byte less
    one, which the code just before it must show: so a table of 256 places needs no comparison."""
    head = re.compile(r"\n[^\n;]*\bw2c_(?:\w+_)?" + function + r"\([^;{]*\) \{\n")
    place = re.compile(r"(?P<load>(?P<i>\w+) = i32_load8_u\([^\n]*\n(?:\s*\w+ = (?P=i);\n)?"
                       r"\s*(?P<one>\w+) = 4294967295u;\n\s*(?P=i) \+= (?P=one);\n\s*)"
                       r"switch \((?P=i)\) \{(?P<body>(?:\s*(?:case \d+|default): goto \w+;)+)\s*\}")
    found = head.search(text)
    end = text.find("\n}\n", found.end()) if found else -1
    if end < 0:
        fail(f"no {function}")
    body = text[found.end():end]
    large = [m for m in place.finditer(body) if m.group("body").count("case") >= least]
    if len(large) != 1:
        fail(f"{function} has {len(large)} large switches, not one")
    match = large[0]
    labels = [re.search(r"default: goto (\w+);", match.group("body")).group(1)] * 256
    for number, label in re.findall(r"case (\d+): goto (\w+);", match.group("body")):
        labels[int(number)] = label
    table = ", ".join(f"&&{label}" for label in labels)
    body = (body[:match.start()] + match.group("load")
            + f"{{ static const void *const table[256] = {{{table}}};"
            + f" goto *table[(u8){match.group('i')}]; }}" + body[match.end():])
    return text[:found.end()] + body + text[end:]


def shrink_seldom(text):
    """Where a program spends its time, in a third of the functions, a store is code in place; all
    others call for it, which makes the engine a tenth smaller."""
    hot = set((pathlib.Path(__file__).parent / "hot").read_text().split())
    found = set()

    def mark(match):
        if match.group(1) in hot:
            found.add(match.group(1))
            return match.group(0)
        return "__attribute__((optimize(\"Os\"))) " + match.group(0)

    text = re.sub(r"^static \w+ w2c_(?:guard_)?(\w+)\([^\n]*\);$", mark, text, flags=re.M)
    if len(found) < len(hot) / 2:
        fail(f"it has {len(found)} of the {len(hot)} functions that are to be fast: run "
             "tools/engine-profile")
    return text


def adapt_code(text, name, header_name, checked):
    text = share_data(text, checked)
    if not checked:
        text = shrink_seldom(text)
    if not checked:
        for function, least in INTERPRETERS:
            text = thread_interpreter(text, function, least)
    offset = f"offsetof({name}_instance, w2c_memory)"
    text = change(text, r'#include "[^"]*_w\.h"\n', f"""#include "{header_name}"
#define ENGINE_BASE(mem) ((uintptr_t)(mem) - {offset} + ENGINE_HEADER_BYTES)
#define ENGINE_DATA(mem) ((u8 *)ENGINE_BASE(mem))
#define ENGINE_CARD(mem, addr)                                              \\\\
    (((u8 *)(ENGINE_BASE(mem) - ENGINE_HEADER_BYTES - ENGINE_CARD_BYTES))   \\\\
         [(u64)(addr) >> ENGINE_CARD_SHIFT] = 1)
#define ENGINE_MARK(mem, addr, n)                                           \\\\
    do {{                                                                    \\\\
        if (n)                                                              \\\\
            memset((u8 *)(ENGINE_BASE(mem) - ENGINE_HEADER_BYTES            \\\\
                          - ENGINE_CARD_BYTES)                              \\\\
                       + ((u64)(addr) >> ENGINE_CARD_SHIFT),                \\\\
                   1, (((u64)(addr) + (n) - 1) >> ENGINE_CARD_SHIFT)        \\\\
                          - ((u64)(addr) >> ENGINE_CARD_SHIFT) + 1);        \\\\
    }} while (0)
""")
    # loads and stores
    text = re.sub(r"#define MEM_ADDR\(mem, addr, n\) &\(mem\)->data\[addr\]",
                  "#define MEM_ADDR(mem, addr, n) (ENGINE_DATA(mem) + (addr))", text)
    text = re.sub(r"&mem->data\[addr\]", "(ENGINE_DATA(mem) + (addr))", text)
    text = change(text, r"(wasm_rt_memcpy\([^;]*?&wrapped,\s*(?:\\\s*)?sizeof\(t1\)\);)(\s*\\\n  \})",
                  r"\1 ENGINE_CARD(mem, addr);\2")
    # the bulk operations
    text = change(text, r"(memset\((?:mem->data \+ d|MEM_ADDR\(mem, d, n\)), val, n\);)",
                  r"\1\n  ENGINE_MARK(mem, d, n);")
    text = change(text, r"(memmove\((?:dest->data \+ dest_addr, src->data \+ src_addr, n|MEM_ADDR\([^;\\]*)\);)",
                  r"\1\n  ENGINE_MARK(dest, dest_addr, n);")
    text = change(text, r"(?:#define wasm_asm __asm__|#define FORCE_READ_INT\(var\) __asm__[^\n]*)",
                  lambda m: "#define wasm_asm(...)" if "wasm_asm" in m.group(0)
                  else "#define FORCE_READ_INT(var)")
    text = re.sub(r"#define FORCE_READ_FLOAT\(var\) __asm__[^\n]*", "#define FORCE_READ_FLOAT(var)", text)
    if checked:
        text = change(text, r"#define FUNC_PROLOGUE\n", """#define FUNC_PROLOGUE \\\\
    if (UNLIKELY(engine_import_headroom(instance_host(instance)) < ENGINE_FRAME_RESERVE)) \\\\
        TRAP(EXHAUSTION);
#define instance_host(i) (*(struct EngineHost **)(void *)(i))
""")
    return text


def main():
    name, in_c, in_h, out_c, out_h = sys.argv[1:6]
    code, header = open(in_c).read(), open(in_h).read()
    old_style = f"Z_{name}_instance_t" in header
    imports = set(re.findall(r"/\* import: '(\w+)' '(\w+)' \*/", header))
    foreign = sorted(f"{module}.{field}" for module, field in imports if module != "tenon")
    if foreign:
        fail(f"the guest imports {', '.join(foreign)}: nothing but module tenon may be imported")
    code, header = rename(code, name, old_style), rename(header, name, old_style)
    if not old_style:
        for export, spelled in re.findall(r"/\* export: '(\w+)' \*/\n[^(\n]*\b(\w+)\(", header):
            code = re.sub(rf"\b{spelled}\b", f"{name}_{export}", code)
            header = re.sub(rf"\b{spelled}\b", f"{name}_{export}", header)
    header = adapt_header(header, name)
    header = change(header, r'#include "wasm-rt\.h"\n', '#include "engine_runtime.h"\n')
    code = adapt_code(code, name, out_h.rsplit("/", 1)[-1], name == "checked")
    open(out_c, "w").write(code)
    open(out_h, "w").write(header)


if __name__ == "__main__":
    main()
