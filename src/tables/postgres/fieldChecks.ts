/** Statements that refuse a map whose expressions cannot be right, with the name of the field. */
import { keyFields, type RecordName } from "../../records.js";
import type { AlsoTable } from "../map.js";
import { listedNumbers } from "../numbers.js";
import { joinOf } from "./also.js";
import { fieldValues, type Place, text } from "./place.js";

interface Part {
  /** The place in the map: `users.nickname`. */
  path: string;
  /** A query of this part alone. */
  query: string;
  /** Whether it decides which records are listed, in which order, or by which words they are found. */
  decides: boolean;
}

/**
 * A statement that makes a view of each part of the map, which the server checks without reading a row. It does not
 * allow aggregates, window functions and functions that return sets in WHERE.
 */
export function fieldChecks(places: readonly Place[]): string[] {
  const parts = places.flatMap(partsOf).map(({ path, query, decides }) => {
    return `    (${text(path)}, ${text(query)}, ${decides})`;
  });
  if (parts.length === 0) return [];
  return [
    `DO $fields$
DECLARE
  part record;
  tree text;
  unsteady text;
BEGIN
  FOR part IN SELECT * FROM (VALUES
${parts.join(",\n")}
  ) parts (path, query, decides) LOOP
    BEGIN
      EXECUTE 'CREATE VIEW im_admin.part_of_map AS ' || part.query;
    EXCEPTION WHEN OTHERS THEN
      RAISE '%: %', part.path, SQLERRM USING ERRCODE = SQLSTATE;
    END;
    SELECT ev_action::text INTO tree FROM pg_rewrite WHERE ev_class = 'part_of_map'::regclass;
    SELECT proname || '() differs from call to call' INTO unsteady
      FROM regexp_matches(tree, ':(?:funcid|opfuncid) ([0-9]+)', 'g') used JOIN pg_proc ON pg_proc.oid = used[1]::oid
      WHERE provolatile = 'v' LIMIT 1;
    IF part.decides AND (tree LIKE '%{SQLVALUEFUNCTION %' OR EXISTS (
        SELECT FROM regexp_matches(tree, ':funcid ([0-9]+)', 'g') used
          WHERE used[1]::oid IN ('now()'::regprocedure, 'transaction_timestamp()'::regprocedure, 'statement_timestamp()'::regprocedure)))
    THEN
      unsteady := 'the time or the session decides, and no write tells im-admin when it does';
    END IF;
    IF unsteady IS NOT NULL THEN RAISE '%: %', part.path, unsteady; END IF;
    DROP VIEW im_admin.part_of_map;
  END LOOP;
END $fields$;`,
  ];
}

/** The fields that decide. */
function decidingFields(name: RecordName): readonly string[] {
  const words = name === "users" || name === "groupMembers" ? ["nickname"] : [];
  return [...keyFields[name].map(([field]) => field), ...Object.keys(listedNumbers[name] ?? {}), ...words];
}

function partsOf(place: Place): Part[] {
  const { name, mapped, alias } = place;
  if (mapped === undefined) return [];
  const from = `SELECT 1 AS one FROM ${mapped.from} AS ${alias}`;
  const given = (field: string) =>
    field in (mapped.fields ?? {}) || place.keyParts.some((part) => part.field === field);
  const deciding = decidingFields(name);
  return [
    { path: `${name}.from`, query: from, decides: false },
    ...(mapped.where === undefined
      ? []
      : [{ path: `${name}.where`, query: `${from} WHERE (${mapped.where})`, decides: true }]),
    ...fieldValues(place)
      .filter(([field]) => given(field))
      .map(([field, value]) => ({
        path: `${name}.${field}`,
        query: `${from} WHERE (${value}) IS NULL`,
        decides: deciding.includes(field),
      })),
    ...(mapped.also ?? []).map((also: AlsoTable, index) => ({
      path: `${name}.also[${index}]`,
      query: `SELECT 1 AS one ${joinOf(place, also, also.table)}`,
      decides: false,
    })),
  ];
}
