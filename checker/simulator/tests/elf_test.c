/* Variables of a submission from its symbol table: a small ELF file made here, whole and damaged. */
#include "../simulator.h"
#include <check.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A file with one variable of 16 bytes at 0x1000. */
struct small_file {
    Elf64_Ehdr header;
    Elf64_Shdr sections[2]; /* symbols and their names */
    Elf64_Sym symbols[1];
    char names[8];
};

static struct small_file whole_file(void) {
    struct small_file file = {
        .header = {.e_ident = ELFMAG, .e_shoff = offsetof(struct small_file, sections), .e_shnum = 2},
        .sections = {{.sh_type = SHT_SYMTAB,
                      .sh_offset = offsetof(struct small_file, symbols),
                      .sh_size = sizeof(Elf64_Sym),
                      .sh_link = 1},
                     {.sh_type = SHT_STRTAB, .sh_offset = offsetof(struct small_file, names), .sh_size = 8}},
        .symbols = {{.st_name = 1,
                     .st_info = ELF64_ST_INFO(STB_LOCAL, STT_OBJECT),
                     .st_value = 0x1000,
                     .st_size = 16}},
        .names = "\0table"};
    return file;
}

/* The first variable's name from so many bytes of a file; null: none was found. To be freed. */
static char *first_name(const struct small_file *file, size_t bytes) {
    char path[] = "/tmp/elf_test.XXXXXX";
    const int written = mkstemp(path);
    ck_assert_int_eq(write(written, file, bytes), (ssize_t)bytes);
    close(written);
    struct symbol *symbols;
    const size_t count = symbols_between(path, 0, 0, UINTPTR_MAX, &symbols);
    unlink(path);
    char *name = count == 1 ? strdup(symbols[0].name) : NULL;
    ck_assert_uint_le(count, 1);
    free(symbols);
    return name;
}

static void expect_name(const struct small_file *file, const char *expected) {
    char *name = first_name(file, sizeof *file);
    ck_assert_pstr_eq(name, expected);
    free(name);
}

START_TEST(a_variable_is_found)
{
    const struct small_file file = whole_file();
    expect_name(&file, "table");
}
END_TEST

START_TEST(a_file_that_is_cut_off_has_none)
{
    const struct small_file file = whole_file();
    for (size_t bytes = 0; bytes < offsetof(struct small_file, names); bytes++)
        ck_assert_ptr_null(first_name(&file, bytes));
}
END_TEST

START_TEST(sections_beyond_the_end)
{
    struct small_file file = whole_file();
    file.header.e_shoff = UINT64_MAX - 8;
    expect_name(&file, NULL);
    file = whole_file();
    file.header.e_shnum = UINT16_MAX; /* more than there are: those that are there count */
    expect_name(&file, "table");
    file = whole_file();
    file.sections[0].sh_offset = UINT64_MAX - 8;
    file.sections[0].sh_size = 64;
    expect_name(&file, NULL);
    file = whole_file();
    file.sections[0].sh_link = 7;
    expect_name(&file, NULL);
}
END_TEST

START_TEST(names_beyond_the_end)
{
    struct small_file file = whole_file();
    file.symbols[0].st_name = UINT32_MAX;
    expect_name(&file, "");
    file = whole_file();
    file.sections[1].sh_offset = UINT64_MAX - 8;
    expect_name(&file, "");
    file = whole_file();
    memset(file.names, 'x', sizeof file.names); /* no 0 at its end, which is the file's */
    expect_name(&file, "");
}
END_TEST

int main(void) {
    Suite *suite = suite_create("ELF");
    TCase *tests = tcase_create("ELF");
    tcase_add_test(tests, a_variable_is_found);
    tcase_add_test(tests, a_file_that_is_cut_off_has_none);
    tcase_add_test(tests, sections_beyond_the_end);
    tcase_add_test(tests, names_beyond_the_end);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
