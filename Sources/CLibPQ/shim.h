#include <libpq-fe.h>
// PG_DIAG_* are character macros, which Swift does not import.
static const int PGDiagnosticSQLState = PG_DIAG_SQLSTATE;
static const int PGDiagnosticMessage = PG_DIAG_MESSAGE_PRIMARY;
static const int PGDiagnosticDetail = PG_DIAG_MESSAGE_DETAIL;
static const int PGDiagnosticContext = PG_DIAG_CONTEXT;
