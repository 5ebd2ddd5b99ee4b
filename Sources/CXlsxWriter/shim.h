#include <stdio.h>
#include <xlsxwriter.h>

// Whether all rows of the worksheet's temporary file were written. The library does not check this.
static inline int tieoutWorksheetIsWhole(lxw_worksheet *worksheet) {
  FILE *file = worksheet->optimize_tmpfile;
  return file == NULL || (fflush(file) == 0 && !ferror(file));
}
