/* make report: one page of HTML from what the other commands left in results/local/<EX>. Nothing is run or measured here.
 *
 *   html.c      HTML: escaping, the head with its style, figures set in
 *   sections.c  score, sweep, comparison, map, and what it was made from
 *   answers.c   the student's own answers.md, and the questions that it begins with
 *
 * The page needs nothing else: style and pictures are in it, and it runs no script. */
#ifndef PAGE_PAGE_H
#define PAGE_PAGE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

struct page {
    FILE *out;
    bool is_cuda;                  /* else it is plain C, and there is no sweep of it */
    const char *exercise, *folder; /* results/local/<EX> */
    const char *implementation, *source;
    json_t *check, *bench, *compare; /* null: not there */
    json_t *digests;                 /* of the files as they are now */
    const char *environment, *date;
    bool check_is_old; /* the files have changed since */
};

/* ---- html.c ---- */

void html_text(FILE *out, const char *text); /* escaped */
void html_begin(const struct page *page);
void html_end(const struct page *page);
/* Sets FOLDER/NAME.svg into the page, its ids made its own; caption: below it. Returns false where there is none. */
bool html_figure(const struct page *page, const char *name, const char *caption);

/* ---- sections.c ---- */

void section_score(const struct page *page);
void section_sweep(const struct page *page);
void section_comparison(const struct page *page);
void section_map(const struct page *page);
void section_colophon(const struct page *page);

/* ---- answers.c ---- */

/* Headings, paragraphs, lists and `code` of a plain file. Returns false where it cannot be read. */
bool answers_write(FILE *out, const char *path);

#endif
