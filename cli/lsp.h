/* Findings as an editor takes them: the parameters of textDocument/publishDiagnostics of the
 * Language Server Protocol, one JSON line for a file. */
#ifndef TENON_CLI_LSP_H
#define TENON_CLI_LSP_H

#include <tenon.h>

#include "print.h"

/* The findings of a program that are about `file`: NULL for the program itself, else a declaration
 * file's name. `path` is where it lies; NULL or "-": it is no file. Complains and returns an exit
 * code, or 0. */
int lsp_put(Printer *out, const tn_program *program, const char *file, const char *path);

#endif
