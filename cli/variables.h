/* Texts of configuration files, with what stands for ${...} in them put in. */
#ifndef TENON_CLI_VARIABLES_H
#define TENON_CLI_VARIABLES_H

#include "jsonc.h"
#include "kept.h"

/* Where such texts stand. */
typedef struct Scope {
    const Jsonc *file;
    const char *section;   /* "mcpServers" or "servers" */
    const char *workspace; /* the folder that ${workspaceFolder} is */
    const char *server;    /* as the file names it */
    const char *package;   /* as programs do */
    tn_value inputs;       /* what an editor would ask for: ${input:ID} */
    Kept kept;             /* all texts that are made */
} Scope;

/*
 * `text` with all of these put in:
 *   ${NAME}  ${NAME:-instead}  ${env:NAME}  ${env:NAME:-instead}  the environment
 *   ${file:PATH}  ${command:LINE}                                secret.h
 *   ${workspaceFolder}  ${workspaceFolderBasename}  ${userHome}  ${cwd}  ${pathSeparator}  ${/}
 *   ${input:ID}     the variable TENON_INPUT_ID, or the input's default
 * Complains, with the line, and returns NULL if one of them is nothing. `where` is the member:
 * "env", "args", ...
 */
const char *variables_expand(Scope *scope, const char *where, const char *text, size_t length);

/* The name of the variable that answers ${input:id}. */
const char *variables_input_name(Kept *kept, const char *id);

/* The line of the file on which something of this server stands. */
size_t scope_line(const Scope *scope, const char *where, const char *needle);

#endif
