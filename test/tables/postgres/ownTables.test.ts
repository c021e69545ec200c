import { expect, it } from "vitest";
import { forEachKind } from "../../../src/records.js";
import { migrationText } from "../../../src/stores/postgres/schema/migration.js";
import { placeOf } from "../../../src/tables/postgres/place.js";
import { listedRows, lookupFunctions } from "../../../src/tables/postgres/records.js";
import { writtenFunction } from "../../../src/tables/postgres/written.js";

it("makes of no map what the migration has", () => {
  const places = forEachKind((name) => placeOf(name, {}));
  const { users, groupMembers, blacks, groupRequests } = places;
  const made = [
    ...lookupFunctions(places),
    ...listedRows(places),
    ...[users, groupMembers, blacks, groupRequests].map(writtenFunction),
  ];
  expect(made.filter((statement) => !migrationText.includes(statement))).toEqual([]);
});
