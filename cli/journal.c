/* Where runs are written down. */
#include "journal.h"

#include "complain.h"
#include "trust.h"

/* The file that is named, or journal.db among what the command remembers; NULL: nowhere. */
static const char *path_of(const Settings *settings, Kept *kept, bool make)
{
    const char *folder;

    if (settings->journal_file != NULL)
        return settings->journal_file;
    folder = state_folder(kept, make);
    return folder != NULL ? kept_format(kept, "%s/journal.db", folder) : NULL;
}

/* Only a run that must be written down does not go on without. */
static int cannot(const Settings *settings, const char *why)
{
    static const char remedy[] = "Name another file with --journal-file, or write nothing down: "
                                 "--journal memory.";

    if (settings->journal == JOURNAL_DURABLE)
        return complain(remedy, "there is no journal to write to: %s", why);
    (void)complain(remedy, "this is not written down in a journal: %s", why);
    return 0;
}

tn_journal_level journal_level(const Settings *settings)
{
    return settings->journal == JOURNAL_DURABLE ? TN_JOURNAL_DURABLE : TN_JOURNAL_NORMAL;
}

static int open_to_write(const Settings *settings, const char *path, tn_journal **out_journal)
{
    tn_journal_options options = TN_INIT(tn_journal_options);
    char *fault = NULL;
    tn_status status;
    int wrong = 0;

    if (path == NULL)
        return cannot(settings, "neither XDG_STATE_HOME nor HOME names a folder for it");
    options.keep_runs = settings->keep;
    status = tn_journal_open(path, &options, out_journal, &fault);
    if (status != TN_OK)
        wrong = cannot(settings, fault != NULL ? fault : tn_status_text(status));
    tn_text_free(fault);
    return wrong;
}

int journal_open(const Settings *settings, tn_journal **out_journal)
{
    Kept kept = {0};
    int wrong = 0;

    *out_journal = NULL;
    if (settings->journal != JOURNAL_MEMORY)
        wrong = open_to_write(settings, path_of(settings, &kept, true), out_journal);
    kept_release(&kept);
    return wrong;
}

static int open_to_look(const char *path, tn_journal **out_journal)
{
    tn_journal_options options = TN_INIT(tn_journal_options);
    char *fault = NULL;
    tn_status status = TN_ERR_NOT_FOUND;
    int wrong = 0;

    options.read_only = true;
    if (path != NULL)
        status = tn_journal_open(path, &options, out_journal, &fault);
    if (status == TN_ERR_NOT_FOUND)
        wrong = complain("tenon run begins one; --journal-file names another.",
                         "there is no journal%s%s", path != NULL ? " at " : "",
                         path != NULL ? path : "");
    else if (status != TN_OK)
        wrong = complain("--journal-file names another.", "cannot read the journal: %s",
                         fault != NULL ? fault : tn_status_text(status));
    tn_text_free(fault);
    return wrong;
}

int journal_look(const Settings *settings, tn_journal **out_journal)
{
    Kept kept = {0};
    int wrong;

    *out_journal = NULL;
    wrong = open_to_look(path_of(settings, &kept, false), out_journal);
    kept_release(&kept);
    return wrong;
}

void journal_close(tn_journal *journal)
{
    char *fault = NULL;

    if (journal == NULL)
        return;
    if (tn_journal_flush(journal, &fault) != TN_OK)
        (void)complain("What went on is done all the same. Make room, or name another file with "
                       "--journal-file.",
                       "not all of it could be written to the journal: %s",
                       fault != NULL ? fault : "out of memory");
    tn_text_free(fault);
    tn_journal_free(journal);
}
