/* Packages of services: the operations of an OpenAPI document become functions of a package. */
#ifndef TENON_SERVICES_H
#define TENON_SERVICES_H

#include "whole.h"

/** Read the documents; name, declare and register what they offer. Problems as packages_open. */
tn_status services_open(tn_engine *engine);
void services_close(tn_engine *engine);
bool services_have(const tn_engine *engine, const char *package);

#endif
