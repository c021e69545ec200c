import { pragma } from "./connection.js";
import { explainFailure } from "./explainFailure.js";
import type { OpenFile } from "./openFile.js";
import { type Runner, runnerOf } from "./runner.js";

/** Runs statements on an open file as long as it is the one under its name. Failures of the whole file name it. */
export function guardedRunner({ connection, guard, guardLength }: Omit<OpenFile, "identity">, path: string): Runner {
  const runner = runnerOf(connection, pragma(connection, "journal_mode") !== "wal");

  function explaining<Result>(run: () => Result): Result {
    try {
      return run();
    } catch (error) {
      const reason = explainFailure(error);
      if (reason === undefined) throw error;
      throw new Error(`the database ${path} failed: ${reason}`, { cause: error });
    }
  }

  return {
    read(statements, begun) {
      guard();
      return explaining(() => runner.read(statements, begun));
    },
    write(statements, begun) {
      guard();
      return explaining(() => {
        guardLength();
        return runner.write(statements, begun);
      });
    },
  };
}
