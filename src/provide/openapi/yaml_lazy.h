/* libyaml, opened when the first document that is no JSON is read: nothing else needs it. */
#ifndef OPENAPI_YAML_LAZY_H
#define OPENAPI_YAML_LAZY_H

#include <yaml.h>

#define YAML_FUNCTIONS(X)                                                                          \
    X(yaml_event_delete)                                                                           \
    X(yaml_parser_delete)                                                                          \
    X(yaml_parser_initialize)                                                                      \
    X(yaml_parser_parse)                                                                           \
    X(yaml_parser_set_input_string)

typedef struct Yaml {
#define X(name) __typeof__(&name) name;
    YAML_FUNCTIONS(X)
#undef X
} Yaml;

/** The library's functions, opened once for the process; NULL if it is not there. Threads: any. */
const Yaml *yaml_open(void);

#endif
