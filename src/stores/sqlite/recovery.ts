/** Settles and reads where rows of a host cannot be read. */
import type { SqlDatabase, Statement } from "./database.js";
import { carefulDatabases } from "./map/carefulDatabases.js";
import type { Without } from "./map/findUnreadable.js";
import type { MappedDatabase } from "./map/mapped.js";
import type { Mark } from "./map/marks.js";
import { type Asked, type CarefulPage, readCarefully } from "./pages/readCarefully.js";
import type { Sizes } from "./schema/sizes.js";
import { settleCarefully } from "./settle/settleCarefully.js";
import { tryAgain } from "./settle/unreadable.js";

export interface Recovery {
  /** Runs statements that only read, and that leave out marked fields of a host's rows. */
  without: Without;
  /** Reads a page without what cannot be read. */
  readPage(asked: Asked, unsettled?: () => Promise<readonly Mark[]>): Promise<CarefulPage>;
  /** Settles without what cannot be read. */
  settle(database: SqlDatabase, sizes: Sizes, kinds: readonly string[]): Promise<void>;
  /** The statements by which what is settled is read again, if something is unreadable. */
  tryAgain(kinds: readonly string[]): Statement[];
}

/** The same database, which leaves out what cannot be read. */
export function recovering<Database extends MappedDatabase>(database: Database): Database {
  const without: Without = async (marks, known, statements) => {
    const { direct, careful } = await database.mapping();
    return carefulDatabases(direct, careful)(marks, known).read(statements);
  };
  const recovery: Recovery = {
    without,
    readPage: (asked, unsettled) => readCarefully(without, asked, unsettled),
    settle: (opened, sizes, kinds) => settleCarefully([opened, database.careful], without, sizes, kinds),
    tryAgain,
  };
  return { ...database, recovery };
}
