/* The words of the syntax findings: one sentence, what should stand there and what does. */
#ifndef MESSAGES_H
#define MESSAGES_H

#include "complaint.h"

enum { MESSAGE_BYTES_MAX = 320 };

/* The code of the finding "nested too deeply", which TypeScript has no number for. */
enum { COMPLAINT_TOO_DEEP = 1 };

void message_write(const Complaint *complaint, const Source *source,
                   char out_message[MESSAGE_BYTES_MAX]);

/** The same for the first finding of a text, if an element of JSX is why; false if not. */
bool message_of_jsx(const Complaint *complaint, const Source *source,
                    char out_message[MESSAGE_BYTES_MAX]);

#endif
