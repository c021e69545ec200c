/* Runs each statement of the files on a database of SQLite, as a chat server does. */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void run(sqlite3 *database, char *line) {
  sqlite3_stmt *statement = NULL;
  int status = sqlite3_prepare_v2(database, strsep(&line, "\t"), -1, &statement, NULL);
  if (status == SQLITE_OK) {
    char *field;
    for (int index = 1; (field = strsep(&line, "\t")) != NULL; index++) {
      if (field[0] == 'i') sqlite3_bind_int64(statement, index, atoll(field + 1));
      if (field[0] == 't') sqlite3_bind_text(statement, index, field + 1, -1, SQLITE_STATIC);
    }
    while ((status = sqlite3_step(statement)) == SQLITE_ROW);
  }
  if (status != SQLITE_DONE) printf("error %s\n", sqlite3_errmsg(database));
  sqlite3_finalize(statement);
}

int main(int count, char **arguments) {
  sqlite3 *database;
  if (sqlite3_open(arguments[1], &database) != SQLITE_OK) return 1;
#ifdef NO_TRUST /* What SQLite advises for files that others may have written. */
  sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
  sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
  sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
#endif
  clock_t used = 0;
  for (int index = 2; index < count; index++) {
    FILE *file = fopen(arguments[index], "r");
    if (file == NULL) return 1;
    char *line = NULL;
    size_t size = 0;
    ssize_t length;
    clock_t began = clock();
    while ((length = getline(&line, &size, file)) > 0) {
      line[length - 1] = '\0';
      run(database, line);
    }
    used += clock() - began;
    puts("ready");
    fflush(stdout);
    while (getchar() != '\n');
  }
  printf("version %s\nmilliseconds %f\n", sqlite3_libversion(), used * 1000.0 / CLOCKS_PER_SEC);
  return sqlite3_close(database);
}
