#include "table.h"

#include <string.h>

#include "safe.h"
#include "width.h"

enum { rows_most = 2000, names_most = 12, gap = 2, cell_bytes_most = 4 * TABLE_COLUMNS };

typedef struct Column {
    const char *name;
    size_t length;
    size_t width;
    bool numbers; /* every cell is one: they stand to the right */
} Column;

typedef struct Table {
    const Display *display;
    tn_value rows;
    Column columns[names_most];
    size_t column_count;
    size_t row_count;
    Buf cell; /* the text of one */
} Table;

/* The columns of a member's name; a new one if there is none. False if there are too many. */
static bool column_of(Table *table, tn_value key, size_t *out_column)
{
    size_t length;
    const char *name = tn_value_text(key, &length);

    for (size_t i = 0; name && i < table->column_count; i++) {
        if (table->columns[i].length == length &&
            memcmp(table->columns[i].name, name, length) == 0) {
            *out_column = i;
            return true;
        }
    }
    if (!name || table->column_count == names_most || length > TABLE_COLUMNS)
        return false;
    table->columns[table->column_count] = (Column){.name = name, .length = length, .numbers = true};
    *out_column = table->column_count++;
    return true;
}

/* A cell's text: strings bare, the rest as displayed. False if it is nothing for a cell. */
static bool make_cell(Table *table, tn_value value)
{
    size_t length;
    tn_type type = tn_value_type(value);

    buf_truncate(&table->cell, 0);
    if (!display_is_scalar(type))
        return false;
    if (type != TN_TYPE_TEXT)
        return display_whole(table->display, value, cell_bytes_most, &table->cell);
    const char *text = tn_value_text(value, &length);
    if (length > cell_bytes_most || memchr(text, '\n', length) || memchr(text, '\t', length))
        return false;
    safe_put(&table->cell, text, length);
    return true;
}

static size_t cell_width(const Table *table)
{
    return width_of((const char *)table->cell.data, table->cell.length);
}

static bool measure_row(Table *table, tn_value row)
{
    tn_cursor cursor = {0};
    size_t column;

    if (tn_value_type(row) != TN_TYPE_OBJECT || tn_value_count(row) > names_most)
        return false;
    while (tn_value_next(row, &cursor)) {
        tn_value value = display_resolve(table->display, cursor.value);
        if (!column_of(table, cursor.key, &column) || !make_cell(table, value))
            return false;
        Column *at = &table->columns[column];
        size_t width = cell_width(table);
        at->width = width > at->width ? width : at->width;
        at->numbers = at->numbers && tn_value_type(value) == TN_TYPE_NUMBER;
    }
    return true;
}

/* Every row is looked at, those that are not shown too: one that does not fit makes it no table.
 * Most arrays are not, and are left at their first element. */
static bool measure(Table *table)
{
    tn_cursor cursor = {0};
    size_t total = 0;

    while (tn_value_next(table->rows, &cursor)) {
        if (table->row_count == rows_most ||
            !measure_row(table, display_resolve(table->display, cursor.value)))
            return false;
        table->row_count++;
    }
    for (size_t i = 0; i < table->column_count; i++) {
        Column *column = &table->columns[i];
        buf_truncate(&table->cell, 0);
        safe_put(&table->cell, column->name, column->length);
        size_t width = cell_width(table);
        if (memchr(column->name, '\n', column->length) || column->length == 0)
            return false;
        column->width = width > column->width ? width : column->width;
        total += column->width + (i > 0 ? gap : 0);
    }
    return table->row_count >= 2 && table->column_count > 0 && total <= TABLE_COLUMNS;
}

static void put_spaces(Buf *out, size_t count)
{
    while (count-- > 0)
        buf_append_byte(out, ' ');
}

static void put_cell(Table *table, size_t column, Buf *out)
{
    size_t width = table->columns[column].width, own = cell_width(table);
    size_t pad = width > own ? width - own : 0;
    bool right = table->columns[column].numbers;

    put_spaces(out, column > 0 ? gap : 0);
    put_spaces(out, right ? pad : 0);
    buf_append(out, table->cell.data, table->cell.length);
    put_spaces(out, right ? 0 : pad);
}

static void end_line(Buf *out)
{
    while (!out->failed && out->length > 0 && out->data[out->length - 1] == ' ')
        out->length--;
    buf_append_byte(out, '\n');
}

static void put_head(Table *table, const char *bold, const char *plain, Buf *out)
{
    buf_append_string(out, bold);
    for (size_t i = 0; i < table->column_count; i++) {
        buf_truncate(&table->cell, 0);
        safe_put(&table->cell, table->columns[i].name, table->columns[i].length);
        put_cell(table, i, out);
    }
    buf_append_string(out, plain);
    end_line(out);
    for (size_t i = 0; i < table->column_count; i++) {
        put_spaces(out, i > 0 ? gap : 0);
        for (size_t k = 0; k < table->columns[i].width; k++)
            buf_append_byte(out, '-');
    }
    end_line(out);
}

static void put_row(Table *table, tn_value row, Buf *out)
{
    for (size_t i = 0; i < table->column_count; i++) {
        tn_cursor cursor = {0};
        buf_truncate(&table->cell, 0);
        while (tn_value_next(row, &cursor)) {
            size_t column;
            if (!column_of(table, cursor.key, &column) || column != i)
                continue;
            (void)make_cell(table, display_resolve(table->display, cursor.value));
            break;
        }
        put_cell(table, i, out);
    }
    end_line(out);
}

static void put_table(Table *table, const char *bold, const char *plain, Buf *out)
{
    tn_cursor cursor = {0};
    size_t shown = 0;

    put_head(table, bold, plain, out);
    while (shown < TABLE_ROWS && tn_value_next(table->rows, &cursor)) {
        put_row(table, display_resolve(table->display, cursor.value), out);
        shown++;
    }
    if (shown < table->row_count) {
        buf_append_string(out, "... ");
        buf_append_uint(out, table->row_count - shown);
        buf_append_string(out, " more rows\n");
    }
}

bool table_put(const Display *display, tn_value value, const char *bold, const char *plain,
               Buf *out)
{
    Table table = {.display = display, .rows = display_resolve(display, value)};

    if (tn_value_type(table.rows) != TN_TYPE_ARRAY)
        return false;
    buf_init(&table.cell, out->allocator, SIZE_MAX);
    bool is_table = measure(&table) && !table.cell.failed;
    if (is_table)
        put_table(&table, bold, plain, out);
    if (table.cell.failed)
        out->failed = true;
    buf_release(&table.cell);
    return is_table;
}
