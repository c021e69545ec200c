import first from "../../../../migrations/0001.sql?raw";

/** What leads from each version of the schema to the next, as numbered files. The first makes version 1 of nothing. */
export const migrationTexts: readonly string[] = [first];
