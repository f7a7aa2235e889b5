/* Questions of the policy, asked at the terminal: whatever stdin, stdout and stderr are. */
#include "policy.h"

#include "interrupt.h"
#include "print.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <termios.h>
#include <unistd.h>

/* More of one argument nobody reads before saying yes; that there is more is said. */
enum { ARGUMENT_SHOWN_MAX = 4000, ANSWER_MAX = 16 };

static FILE *terminal;
static pthread_mutex_t one_person = PTHREAD_MUTEX_INITIALIZER;

bool terminal_open(void)
{
    static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;
    int descriptor;
    bool open_now;

    pthread_mutex_lock(&opening);
    descriptor = terminal == NULL ? open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY) : -1;
    if (descriptor >= 0) {
        terminal = fdopen(descriptor, "r+");
        if (terminal == NULL)
            close(descriptor);
    }
    open_now = terminal != NULL;
    pthread_mutex_unlock(&opening);
    return open_now;
}

static void put_argument(Printer *out, tn_value value)
{
    size_t length = 0, shown;
    char *text = NULL;
    char note[80];

    printer_put(out, "  ");
    if (tn_value_json(value, &text, &length) != TN_OK) {
        printer_put(out, "(an argument that cannot be shown)\n");
        return;
    }
    shown = length > ARGUMENT_SHOWN_MAX ? ARGUMENT_SHOWN_MAX : length;
    while (shown < length && shown > 0 && (text[shown] & 0xc0) == 0x80)
        shown--;
    printer_write(out, text, shown);
    if (shown < length) {
        snprintf(note, sizeof note, " ... and %zu bytes more that are not shown", length - shown);
        printer_put(out, note);
    }
    printer_put(out, "\n");
    tn_text_free(text);
}

static void put_question(const char *program_name, const tn_question *question)
{
    Printer out = {.stream = terminal, .terminal = true};
    char line[40] = "";

    if (tn_question_line(question) > 0)
        snprintf(line, sizeof line, ":%u", tn_question_line(question));
    printer_put(&out, "tenon: ");
    printer_put(&out, program_name);
    printer_put(&out, line);
    printer_put(&out, " wants to call ");
    printer_put(&out, tn_question_name(question));
    printer_put(&out, tn_question_count(question) > 0 ? " with\n" : "\n");
    for (size_t i = 0; i < tn_question_count(question); i++)
        put_argument(&out, tn_question_argument(question, i));
    printer_put(&out, "Allow it? [y/N] ");
    printer_finish(&out);
}

/* Wait for the terminal, or for a signal that ends the run. */
static bool wait_readable(int descriptor)
{
    struct pollfd ready[2] = {{.fd = descriptor, .events = POLLIN},
                              {.fd = interrupt_descriptor(), .events = POLLIN}};

    while (poll(ready, 2, -1) < 0) {
        if (errno != EINTR)
            return false;
    }
    return ready[1].revents == 0;
}

FILE *terminal_take(void)
{
    pthread_mutex_lock(&one_person);
    tcflush(fileno(terminal), TCIFLUSH); /* what was typed before a question is no answer to it */
    return terminal;
}

void terminal_give(void)
{
    pthread_mutex_unlock(&one_person);
}

bool terminal_line(char *line, size_t room)
{
    int descriptor = fileno(terminal);
    size_t length = 0;
    char c = 0;

    for (;;) {
        if (!wait_readable(descriptor))
            return false;
        ssize_t got = read(descriptor, &c, 1);
        if (got < 0 && errno == EINTR)
            continue;
        if (got != 1)
            return false;
        if (c == '\n')
            break;
        if (length + 1 < room)
            line[length++] = c;
    }
    line[length] = '\0';
    return true;
}

static bool read_yes(void)
{
    char answer[ANSWER_MAX];

    if (!terminal_line(answer, sizeof answer))
        return false;
    return strcasecmp(answer, "y") == 0 || strcasecmp(answer, "yes") == 0;
}

bool terminal_confirm(const char *question)
{
    bool yes;

    fputs(question, terminal_take());
    fflush(terminal);
    yes = read_yes();
    terminal_give();
    return yes;
}

void terminal_ask(void *program_name, tn_question *question)
{
    bool yes;

    (void)terminal_take();
    put_question(program_name, question);
    yes = interrupt_signal() == 0 && read_yes();
    terminal_give();
    if (tn_question_answer(question, NULL, yes) != TN_OK)
        fputs("tenon: too late: the run is over\n", terminal);
    tn_question_free(question);
}
