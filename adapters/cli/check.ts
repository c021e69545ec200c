import { existsSync } from "node:fs";
import { Command } from "commander";
import { checkLists, type Finding, repairLists } from "../../src/stores/sql/check.js";
import { defaultSizes } from "../../src/stores/sql/countedLists.js";
import { openDatabase } from "./database.js";
import { databaseOption, option } from "./options.js";
import { print } from "./print.js";
import { stepBar } from "./progress.js";

interface CheckFlags {
  db: string;
  repair?: boolean;
}

export function checkCommand(): Command {
  return new Command("check")
    .description("Verify that all that a database keeps for its lists agrees with the rows of its tables.")
    .addOption(databaseOption())
    .addOption(option("--repair", "build anew what is kept, where something is wrong"))
    .action(run);
}

async function run({ db, repair }: CheckFlags): Promise<void> {
  if (!existsSync(db)) throw new Error(`there is no database ${db}`);
  const database = await openDatabase(db);
  const check = async () => {
    const findings = await checkLists(database, defaultSizes, stepBar("checking"));
    for (const finding of findings) print(describe(finding));
    return findings.length;
  };
  try {
    const found = await check();
    if (found === 0) {
      print(`${db}: all lists agree with the rows`);
    } else if (repair) {
      await repairLists(database, defaultSizes, stepBar("repairing"));
      if ((await check()) > 0) throw new Error(`${db}: the lists could not be repaired`);
      print(`${db}: the lists have been built anew and agree with the rows`);
    } else {
      throw new Error(
        `${db}: ${found} ${found === 1 ? "problem" : "problems"}; --repair builds the lists anew from the rows`,
      );
    }
  } finally {
    await database.close();
  }
}

function describe({ problem, count, example }: Finding): string {
  return `${problem} (${count}, such as ${example})`;
}
