/* From an address in the submission to a line of the student's source, by addr2line. */
#ifndef SYMBOLS_H
#define SYMBOLS_H

#include <stdint.h>
#include <stdio.h>

struct symbols;

/* source: the folder of the student's files as the user named it. */
struct symbols *symbols_open(const char *submission, const char *source);
void symbols_close(struct symbols *symbols);

struct source_line {
    char *where; /* "exercises/split_softmax/split_softmax.cu:41", or "" where it is not known */
    char *quote; /* the line itself without its indentation, or "" */
    /* Where the outermost of the inlined functions in the student's folder has it called, or as where. */
    char *from;
};

/* pc: as in a place_in_code: of the instruction after the one meant (a return address). Of the inlined
 * functions around it, the innermost one in the student's folder is meant. The answer lives as long as
 * symbols. */
const struct source_line *symbols_find(struct symbols *symbols, uint64_t pc);

/* The same from what addr2line -i prints, null for nothing. The texts are from malloc and never null. */
struct source_line symbols_read(const struct symbols *symbols, FILE *lines);

/* A line of a file in a folder, from malloc, without the space at its ends; "" where there is none. */
char *symbols_quote(const char *folder, const char *name, int line);

#endif
