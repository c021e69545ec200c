import first from "./0001.sql?raw";
import second from "./0002.sql?raw";
import third from "./0003.sql?raw";

/** What leads from each version of the schema to the next, as numbered files. The first makes version 1 of nothing. */
export const migrationTexts: readonly string[] = [first, second, third];
