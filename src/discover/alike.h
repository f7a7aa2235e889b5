/* Words that programs mean alike. */
#ifndef ALIKE_H
#define ALIKE_H

/** The group that a word belongs to, itself among them, with a blank before and behind each; NULL
 * if it belongs to none. */
const char *alike_group(const char *word);

#endif
