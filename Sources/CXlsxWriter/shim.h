#include <stdio.h>
#include <xlsxwriter.h>

// Whether all rows that went to the worksheet's file are there: the library does not look.
static inline int tieoutWorksheetIsWhole(lxw_worksheet *worksheet) {
  FILE *file = worksheet->optimize_tmpfile;
  return file == NULL || (fflush(file) == 0 && !ferror(file));
}
