#!/usr/bin/env python3
"""Build the contained engine: C to wasm, wasm to C, C to machine code.

usage: build_engine.py --qjs DIR --source SRC --include DIR --cache DIR --out DIR [--cc CC]

The result depends on the engine's sources, our guest, these scripts and the
compilers' versions, and on nothing else; it is kept in the cache under the hash
of them all, so a machine builds an engine once. Writes engine_guard.o and
engine_checked.o into --out.
"""
import argparse
import concurrent.futures
import fcntl
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ENGINE_C = ["quickjs", "libregexp", "libunicode", "dtoa"]
BASE_C = ["buf", "cbor", "utf8"]
GUEST_FLAGS = ["--target=wasm32-wasi", "-O2", "-mbulk-memory", "-msign-ext",
               "-mnontrapping-fptoint", "-D_GNU_SOURCE", "-fwrapv",
               "-fno-strict-aliasing", "-std=gnu11", "-D_WASI_EMULATED_PROCESS_CLOCKS",
               "-D_WASI_EMULATED_SIGNAL", "-w"]
# Of these no part is often run for long.
SMALL = {"libunicode", "value_clone", "value_error", "value_path", "value_text", "timers", "report",
         "boot"}
# 4 MiB of stack first: running over it leaves the memory instead of overwriting data.
LINK_FLAGS = ["-mexec-model=reactor", "-nostartfiles", "-lwasi-emulated-process-clocks", "-lwasi-emulated-signal",
              "-Wl,-z,stack-size=4194304", "-Wl,--stack-first", "-Wl,--strip-debug"]
# The checked variant is for where no SIGSEGV handler may be: compiled for size.
VARIANT_FLAGS = {"guard": ["-O2", "-falign-functions=1", "-falign-loops=1", "-falign-jumps=1",
                           "-falign-labels=1", "-fno-tree-vectorize",
                           "--param=max-goto-duplication-insns=40"],
                 "checked": ["-Oz", "-DENGINE_CHECKED"]}
HOST_FLAGS = ["-fPIC", "-fno-strict-aliasing", "-fvisibility=hidden", "-fno-stack-protector",
              "-fno-asynchronous-unwind-tables", "-fno-unwind-tables",
              "-fcf-protection=none", "-std=gnu11", "-w"]


def run(*command, cwd=None):
    done = subprocess.run([str(c) for c in command], cwd=cwd, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        sys.exit("build_engine: this failed:\n  " + " ".join(map(str, command)) + "\n"
                 + "\n".join(done.stdout.splitlines()[-40:]))
    return done.stdout


def header_of_guest(args):
    """The public header as the guest has it: status, memory and values, nothing of engines or runs.
    The rest may change without the engine being built again."""
    text = (pathlib.Path(args.include) / "tenon.h").read_text()
    head, mark, _ = text.partition("/* ---- limits ---")
    if not mark:
        sys.exit("build_engine: include/tenon.h has no heading `limits`")
    return head + "#ifdef __cplusplus\n}\n#endif\n#endif\n"


def content_hash(args, tools):
    digest = hashlib.sha256()
    source = pathlib.Path(args.source)
    files = [p for d in (args.qjs,) for p in sorted(pathlib.Path(d).glob("*.[ch]"))]
    files += sorted((source / "realm/guest").glob("*.[ch]"))
    files += sorted((source / "realm/guest").glob("*.py"))
    files += [p for p in sorted((source / "realm/engine").iterdir()) if p.name != "build_engine.py"]
    digest.update(repr((ENGINE_C, BASE_C, GUEST_FLAGS, LINK_FLAGS, HOST_FLAGS, VARIANT_FLAGS,
                        sorted(SMALL))).encode())
    files += [source / "base" / f"{name}.{end}" for name in BASE_C for end in ("c", "h")]
    digest.update(header_of_guest(args).encode())
    for path in files:
        if path.is_file():
            digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    for tool in tools:
        digest.update(run(tool, "--version").encode())
    return digest.hexdigest()[:24]


def compile_guest(args, work):
    source = pathlib.Path(args.source)
    run(sys.executable, source / "realm/guest/patch_engine.py", args.qjs, work / "engine")
    (work / "engine" / "tenon.h").write_text(header_of_guest(args))
    clang = [args.clang, *GUEST_FLAGS, "--sysroot=/usr", f"-I{work / 'engine'}",
             f"-I{source / 'realm/guest'}", f"-I{source / 'base'}"]
    units = [(work / "engine" / f"{name}.c") for name in ENGINE_C]
    units += [source / "base" / f"{name}.c" for name in BASE_C]
    units += [p for p in sorted((source / "realm/guest").glob("*.c"))
              if not p.name.startswith("inside_")]
    objects = [work / f"{i}_{unit.stem}.o" for i, unit in enumerate(units)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        list(pool.map(lambda unit, out: run(*clang, *(["-Oz"] if unit.stem in SMALL else []), "-c",
                                            unit, "-o", out), units, objects))
    run(args.clang, *GUEST_FLAGS[:1], "--sysroot=/usr", *objects, *LINK_FLAGS, "-o",
        work / "guest.wasm")


def compile_variant(args, work, name):
    source = pathlib.Path(args.source) / "realm/engine"
    folder = work / name
    folder.mkdir()
    run(args.wasm2c, work / "guest.wasm", "-n", name, "-o", folder / f"{name}_w.c")
    run(sys.executable, source / "adapt.py", name, folder / f"{name}_w.c", folder / f"{name}_w.h",
        folder / f"{name}.c", folder / f"{name}.h")
    old = ["-DENGINE_OLD_WASM2C"] if f"Z_{name}_instance_t" in (folder / f"{name}_w.h").read_text() else []
    flags = [*HOST_FLAGS, *old, f"-I{folder}", f"-I{source}",
             *VARIANT_FLAGS[name]]
    run(args.cc, *flags, "-c", folder / f"{name}.c", "-o", folder / "code.o")
    run(args.cc, *flags, f"-DVARIANT={name}", f'-DVARIANT_HEADER="{name}.h"', "-c",
        source / "engine_code.c", "-o", folder / "table.o")
    run("ld", "-r", folder / "code.o", folder / "table.o", "-o", work / f"engine_{name}.o")


def build(args, kept, names):
    with tempfile.TemporaryDirectory(dir=kept.parent) as work:
        work = pathlib.Path(work)
        compile_guest(args, work)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            list(pool.map(lambda name: compile_variant(args, work, name), ("guard", "checked")))
        kept.mkdir(exist_ok=True)
        for name in names + ["guest.wasm"]:
            os.replace(work / name, kept / name)


def main():
    parser = argparse.ArgumentParser()
    for flag in ("qjs", "source", "include", "cache", "out"):
        parser.add_argument(f"--{flag}", required=True)
    parser.add_argument("--cc", default="gcc")
    parser.add_argument("--clang", default="clang")
    parser.add_argument("--wasm2c", default="wasm2c")
    args = parser.parse_args()
    for tool in (args.cc, args.clang, args.wasm2c):
        if not shutil.which(tool):
            sys.exit(f"build_engine: {tool} is not installed; ./run build installs what is needed")
    kept = pathlib.Path(args.cache) / "engine" / content_hash(args, (args.cc, args.clang, args.wasm2c))
    names = ["engine_guard.o", "engine_checked.o"]
    kept.parent.mkdir(parents=True, exist_ok=True)
    # Two builds that want the same engine: the second waits and finds it made.
    with open(kept.parent / (kept.name + ".lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not all((kept / name).is_file() for name in names):
            print("building the contained engine (once for this machine; a few minutes)", flush=True)
            build(args, kept, names)
    for name in names:
        shutil.copyfile(kept / name, pathlib.Path(args.out) / name)


if __name__ == "__main__":
    main()
