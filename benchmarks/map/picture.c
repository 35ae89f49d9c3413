/* The page (see map.h). A row is folded into lines of LINE_CELLS elements. A cell's colour says which block, light
 * for reads and dark for writes; runs of one colour are one box, under a grid of thin white lines. Gnuplot draws, in
 * pixels of the page. */
#include "base/memory.h"
#include "map.h"
#include "panel_script.h"
#include <string.h>

enum {
    LEFT = 92,
    CELL_WIDTH = 8,
    CELL_HEIGHT = 9,
    GAP = 4,
    HEAD = 30,
    TOP = 92,
    BOTTOM = 20,
    WIDTH = LEFT + LINE_CELLS * CELL_WIDTH + 30
};
enum { HUES = 8, TOLD_FINDINGS = 6, GHOST = 0xf0f0f0, NEVER = 0xffffff, MANY = 0x222222, PADDING = 0xc8c8c8 };

static const unsigned light[HUES] = {0x9ecae9, 0xf7c08a, 0xa8d8a0, 0xe3a6c4,
                                     0xc7b8e8, 0xe8dc8c, 0x9fd9d3, 0xd0bfae};
static const unsigned dark[HUES] = {0x1f6fb0, 0xc96a10, 0x2f8a35, 0xb03a78,
                                    0x6a4bb5, 0xa08a10, 0x1b8a80, 0x7a5a40};

struct page {
    FILE *boxes, *marks, *labels, *rings;
    char *box_text, *mark_text, *label_text, *ring_text;
    size_t box_bytes, mark_bytes, label_bytes, ring_bytes;
    int y;        /* where the next panel begins */
    int findings; /* told so far */
};

static unsigned colour_of(const struct panel_map *panel, const struct cell *cell) {
    return cell->block == MANY_BLOCKS ? (unsigned)MANY
           : cell->block == NO_BLOCK  ? (unsigned)NEVER
                                      : (panel->writes ? dark : light)[cell->block % HUES];
}

static void box(struct page *page, double x, double y, double width, double height, unsigned colour) {
    fprintf(page->boxes, "%.1f %.1f %.1f %.1f %.1f %.1f %u\n", x, y, x, x + width, y, y + height, colour);
}

static void label(struct page *page, double x, double y, int size, const char *colour, const char *text) {
    fprintf(page->labels, "set label ");
    text_write(page->labels, text);
    fprintf(page->labels, " at %.1f,%.1f left noenhanced front font ',%d' textcolor rgb '%s'\n", x, y, size,
            colour);
}

static int64_t line_cells(const struct map_buffer *buffer) {
    return buffer->pitch < LINE_CELLS ? buffer->pitch : LINE_CELLS;
}

static int64_t lines_of_row(const struct map_buffer *buffer) {
    return (buffer->pitch + LINE_CELLS - 1) / LINE_CELLS;
}

/* Where an element is on the page. top: of the panel's cells. */
static void place(const struct map_buffer *buffer, int top, int64_t element, double *x, double *y) {
    const int64_t row = element / buffer->pitch, col = element % buffer->pitch;
    const int64_t line = row * lines_of_row(buffer) + col / LINE_CELLS;
    *x = LEFT + (double)(col % LINE_CELLS) * CELL_WIDTH;
    *y = top + (double)line * CELL_HEIGHT + (double)row * GAP;
}

static void draw_cells(struct page *page, const struct panel_map *panel, int top) {
    const struct map_buffer *buffer = panel->buffer;
    for (int64_t begin = 0, end; begin < buffer->rows * buffer->pitch; begin = end) {
        const unsigned colour = colour_of(panel, &panel->cells[begin]);
        const bool padding = begin % buffer->pitch >= buffer->cols;
        double x, y;
        for (end = begin + 1; end % buffer->pitch % LINE_CELLS != 0 && end % buffer->pitch != 0 &&
                              (end % buffer->pitch >= buffer->cols) == padding &&
                              colour_of(panel, &panel->cells[end]) == colour;
             end++)
            continue;
        place(buffer, top, begin, &x, &y);

        box(page, x, y, (double)(end - begin) * CELL_WIDTH, CELL_HEIGHT,
            padding ? (unsigned)PADDING : colour);
        if (padding && panel->cells[begin].times > 0) /* touched: the upper half says by whom */
            box(page, x, y, (double)(end - begin) * CELL_WIDTH, CELL_HEIGHT / 2.0, colour);
        const bool goes_on =
            begin % buffer->pitch > 0 && panel->cells[begin - 1].block == panel->cells[begin].block;
        if (panel->cells[begin].block >= 0 && end - begin >= 10 && !goes_on) {
            char text[32];
            snprintf(text, sizeof text, "block %lld", (long long)panel->cells[begin].block);
            label(page, x + 3, y + CELL_HEIGHT / 2.0, 6, panel->writes ? "#ffffff" : "#333333", text);
        }
    }
    for (int64_t at = 0; at < buffer->rows * buffer->pitch; at++) {
        double x, y;
        const bool padding = at % buffer->pitch >= buffer->cols;
        place(buffer, top, at, &x, &y);
        if (panel->cells[at].times > 1)
            fprintf(page->marks, "%.1f %.1f %u\n", x + CELL_WIDTH / 2.0, y + CELL_HEIGHT / 2.0,
                    panel->cells[at].block == MANY_BLOCKS ? 0xffffffu : 0);
        else if (panel->cells[at].times == 0 && !padding)
            fprintf(page->rings, "%.1f %.1f\n", x + CELL_WIDTH / 2.0, y + CELL_HEIGHT / 2.0);
    }
}

/* The lanes of the last chunk that have no element: as far as the line goes. */
static void draw_tail(struct page *page, const struct panel_map *panel, int top) {
    const struct map_buffer *buffer = panel->buffer;
    const int64_t chunk = panel->sighting->chunk;
    const int64_t missing = chunk > 0 && buffer->cols > 1 ? (chunk - buffer->cols % chunk) % chunk : 0;
    const bool is_matrix = strcmp(buffer->name, "x") == 0 || strcmp(buffer->name, "y") == 0;
    if (missing == 0 || !is_matrix || buffer->pitch % LINE_CELLS == 0)
        return;
    for (int64_t row = 0; row < buffer->rows; row++) {
        double x, y;
        place(buffer, top, row * buffer->pitch + buffer->cols - 1, &x, &y);
        const double room = LEFT + LINE_CELLS * CELL_WIDTH - (x + CELL_WIDTH),
                     wanted = (double)missing * CELL_WIDTH;
        box(page, x + CELL_WIDTH, y, wanted < room ? wanted : room, CELL_HEIGHT, GHOST);
        char text[96];
        snprintf(text, sizeof text, "the tail chunk has %lld columns more: masked", (long long)missing);
        if (room > 300)
            label(page, x + CELL_WIDTH + 26, y + CELL_HEIGHT / 2.0, 6, "#777777", text);
    }
}

/* Thin lines between elements, thicker ones where a chunk begins. */
static void draw_grid(FILE *out, const struct panel_map *panel, int top) {
    const struct map_buffer *buffer = panel->buffer;
    const int64_t lines = lines_of_row(buffer);
    for (int64_t row = 0; row < buffer->rows; row++) {
        const double y = top + (double)(row * lines) * CELL_HEIGHT + (double)row * GAP;
        for (int64_t col = 1; col < line_cells(buffer); col++)
            fprintf(out, "%.1f %.1f 0 %.1f\n", LEFT + (double)col * CELL_WIDTH, y,
                    (double)lines * CELL_HEIGHT);
        for (int64_t line = 1; line < lines; line++)
            fprintf(out, "%d %.1f %.1f 0\n", (int)LEFT, y + (double)line * CELL_HEIGHT,
                    (double)line_cells(buffer) * CELL_WIDTH);
    }
}

static void draw_chunks(struct page *page, const struct panel_map *panel, int top) {
    const struct map_buffer *buffer = panel->buffer;
    const int64_t chunk = panel->sighting->chunk;
    const bool is_matrix = strcmp(buffer->name, "x") == 0 || strcmp(buffer->name, "y") == 0;
    for (int64_t row = 0; is_matrix && chunk > 0 && row < buffer->rows; row++)
        for (int64_t col = chunk; col < buffer->cols; col += chunk) {
            double x, y;
            place(buffer, top, row * buffer->pitch + col, &x, &y);
            fprintf(
                page->labels,
                "set arrow from %.1f,%.1f to %.1f,%.1f nohead front linewidth 2 linecolor rgb '#000000'\n", x,
                y - 1, x, y + CELL_HEIGHT + 1);
        }
}

/* A finding of the checker where it is, with a number that is told below the panel. */
static int draw_findings(struct page *page, const struct panel_map *panel, int top, int y) {
    const struct map_buffer *buffer = panel->buffer;
    const struct sighting *sighting = panel->sighting;
    for (size_t i = 0; i < sighting->finding_count && page->findings < TOLD_FINDINGS; i++) {
        const struct finding *finding = &sighting->findings[i];
        if (strcmp(finding->buffer, buffer->name) != 0 || (finding->write != 0) != panel->writes ||
            strcmp(finding->kernel, sighting->kernels[panel->kernel].name) != 0)
            continue;
        int64_t element = (finding->offset - buffer->offset) / (int64_t)buffer->element;
        const int64_t last = buffer->rows * buffer->pitch - 1;
        const bool outside = element < 0 || element > last;
        double x, mark_y;
        place(buffer, top, element < 0 ? 0 : element > last ? last : element, &x, &mark_y);
        x += outside ? (element < 0 ? -CELL_WIDTH : CELL_WIDTH) : 0;
        char number[16], *words = format_text("%d: %s%s, block %u, thread %u", ++page->findings,
                                              outside ? "(outside) " : "", finding->text,
                                              finding->at.block[0], finding->at.thread[0]);
        snprintf(number, sizeof number, "%d", page->findings);
        fprintf(page->labels,
                "set object rectangle from %.1f,%.1f to %.1f,%.1f front fillstyle empty border linecolor rgb "
                "'#d00000' linewidth 2\n",
                x - 1, mark_y - 1, x + CELL_WIDTH + 1, mark_y + CELL_HEIGHT + 1);
        label(page, x + CELL_WIDTH + 3, mark_y + CELL_HEIGHT / 2.0, 8, "#d00000", number);
        if (strlen(words) > 150)
            strcpy(words + 147, "...");
        label(page, LEFT, y + 7, 8, "#d00000", words);
        free(words);
        y += 16;
    }
    return y;
}

static void draw_panel(struct page *page, const struct panel_map *panel, FILE *grid) {
    const struct map_buffer *buffer = panel->buffer;
    const struct kernel_trace *kernel = &panel->sighting->kernels[panel->kernel];
    const int top = page->y + HEAD;
    char *words = panel_words(panel),
         *title = format_text("%s %s %s, %lld x %lld%s: %s", kernel->name, panel->writes ? "writes" : "reads",
                              buffer->name, (long long)buffer->rows, (long long)buffer->cols,
                              buffer->pitch > buffer->cols ? " with padding" : "", words);
    label(page, LEFT, page->y + 18, 9, "#000000", title);
    free(words);
    free(title);
    for (int64_t row = 0; row < buffer->rows; row++) {
        char text[32];
        double x, y;
        place(buffer, top, row * buffer->pitch, &x, &y);
        snprintf(text, sizeof text, "row %lld", (long long)row);
        if (buffer->rows <= 16 || lines_of_row(buffer) > 1 || row % 8 == 0)
            label(page, 44, y + CELL_HEIGHT / 2.0, 7, "#555555", text);
    }
    draw_cells(page, panel, top);
    draw_tail(page, panel, top);
    draw_grid(grid, panel, top);
    draw_chunks(page, panel, top);
    const int bottom =
        top + (int)(buffer->rows * lines_of_row(buffer)) * CELL_HEIGHT + (int)buffer->rows * GAP;
    page->y = draw_findings(page, panel, top, bottom);
}

static void draw_key(struct page *page) {
    static const char *const words[] = {"read", "written", "more than one block", "padding", "no element"};
    const unsigned colours[] = {light[0], dark[0], MANY, PADDING, GHOST};
    double x = LEFT;
    for (int i = 0; i < 5; i++) {
        for (int k = 0; k < (i < 2 ? 4 : 1); k++)
            box(page, x + k * 10, 52, 10, 10, i == 0 ? light[k] : i == 1 ? dark[k] : colours[i]);
        x += i < 2 ? 44 : 14;
        label(page, x, 57, 8, "#333333", words[i]);
        x += 12 + 6.5 * (double)strlen(words[i]);
    }
    fprintf(page->marks, "%.1f 57 0\n", x);
    label(page, x + 8, 57, 8, "#333333", "touched again");
    fprintf(page->rings, "%.1f 57\n", x + 104);
    label(page, x + 112, 57, 8, "#333333", "never");
    label(page, x + 160, 57, 8, "#d00000", "1: a finding");
    label(page, LEFT, 75, 8, "#333333",
          "A colour is a block (they repeat after 8). A black line begins a chunk. Lines of 128 elements; a "
          "row is as many as it takes.");
}

static void write_script(FILE *out, struct page *page, const char *grid, const char *title,
                         const char *format, const char *path) {
    fprintf(out, "set terminal %s size %d,%d font 'DejaVu Sans,9' background rgb 'white'\nset output '%s'\n",
            format, (int)WIDTH, page->y + BOTTOM, path);
    fprintf(out,
            "set encoding utf8\nunset key\nunset border\nunset tics\nset lmargin 0\nset rmargin 0\nset "
            "tmargin 0\nset bmargin 0\n"
            "set xrange [0:%d]\nset yrange [%d:0]\n",
            (int)WIDTH, page->y + BOTTOM);
    fprintf(out,
            "$boxes << END\n%sEND\n$grid << END\n%sEND\n$marks << END\n%s0 -100 0\nEND\n$rings << END\n%s0 "
            "-100\nEND\n",
            page->box_text, grid, page->mark_text, page->ring_text);
    fprintf(out, "set label ");
    text_write(out, title);
    fprintf(out, " at %d,28 left noenhanced font ',14'\n%s", (int)LEFT, page->label_text);
    fprintf(out,
            "plot $boxes using 1:2:3:4:5:6:7 with boxxyerror fillstyle solid 1.0 noborder linecolor rgb "
            "variable, "
            "$grid using 1:2:3:4 with vectors nohead linewidth 0.5 linecolor rgb '#ffffff', "
            "$marks using 1:2:3 with points pointtype 7 pointsize 0.25 linecolor rgb variable, "
            "$rings using 1:2 with points pointtype 6 pointsize 0.4 linewidth 0.6 linecolor rgb '#999999'\n");
}

static struct page page_new(void) {
    struct page page = {.y = TOP};
    return page;
}

char *map_draw(const struct sightings *sightings, const char *title, const char *folder) {
    static const char *const formats[][2] = {{"pngcairo", "png"}, {"svg dynamic", "svg"}};
    struct panel_map panels[MOST_PANELS];
    size_t left_out;
    const size_t count = panels_of(sightings, panels, &left_out);
    if (count == 0)
        return copy_text(
            left_out ? "The matrices of this call are too large to see single elements (16,384 at the most): "
                       "nothing was drawn."
                     : "No kernel touched a buffer: there is nothing to draw.");
    struct page page = page_new();
    char *grid_text = NULL, *trouble = NULL;
    size_t grid_bytes;
    FILE *grid = open_memstream(&grid_text, &grid_bytes);
    page.boxes = open_memstream(&page.box_text, &page.box_bytes);
    page.marks = open_memstream(&page.mark_text, &page.mark_bytes);
    page.labels = open_memstream(&page.label_text, &page.label_bytes);
    page.rings = open_memstream(&page.ring_text, &page.ring_bytes);
    draw_key(&page);
    for (size_t i = 0; i < count; i++)
        draw_panel(&page, &panels[i], grid);
    fclose(grid);
    fclose(page.boxes);
    fclose(page.marks);
    fclose(page.labels);
    fclose(page.rings);
    for (int i = 0; i < 2 && !trouble; i++) {
        char *path = format_text("%s/map.%s", folder, formats[i][1]), *aside = figure_aside(path),
             *script = NULL;
        size_t size;
        FILE *out = open_memstream(&script, &size);
        write_script(out, &page, grid_text, title, formats[i][0], aside);
        fclose(out);
        trouble = figure_run(script, aside, path);
        free(script);
        free(aside);
        free(path);
    }
    for (size_t i = 0; i < count; i++)
        free(panels[i].cells);
    free(grid_text);
    free(page.box_text);
    free(page.mark_text);
    free(page.label_text);
    free(page.ring_text);
    return trouble;
}
