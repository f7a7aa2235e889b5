/* Where documents of services come from: files and addresses. */
#ifndef TENON_SERVICE_DOCUMENT_H
#define TENON_SERVICE_DOCUMENT_H

#include "openapi.h"
#include "whole.h"

/** Read a document and what it refers to. One that cannot be had: no service, and `*out_why` (in
 * the registry's arena). Errors: TN_ERR_NOMEM. */
tn_status service_document_read(tn_engine *engine, const char *name, const tn_openapi *about,
                                OpenapiService **out_service, const char **out_why);

#endif
