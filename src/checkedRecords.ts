/** Checks records before they are written. */
import { requireKnown } from "./knownOptions.js";
import {
  type Fields,
  keyFields,
  type RecordKeySet,
  type RecordName,
  type RecordSet,
  recordFields,
  recordNames,
} from "./records.js";

/** The values of a record, or of its key, in the order of its fields. */
export type CheckedValues = readonly (string | number | boolean)[];

/** Checks records of all kinds. It is lazy: it checks a record when the caller asks for it. */
export function checkedRecords(records: RecordSet): Generator<[RecordName, CheckedValues]> {
  return checked(recordFields, records, "put");
}

/** Checks keys of all kinds, as lazily. */
export function checkedKeys(keys: RecordKeySet): Generator<[RecordName, CheckedValues]> {
  return checked(keyFields, keys, "remove");
}

function* checked(
  fields: Record<RecordName, Fields>,
  records: { readonly [Name in RecordName]?: Iterable<unknown> | undefined },
  method: string,
): Generator<[RecordName, CheckedValues]> {
  requireKnown(method, records, recordNames);
  for (const name of Object.keys(records) as RecordName[]) {
    const iterable: Iterable<unknown> = records[name] ?? [];
    if (typeof iterable[Symbol.iterator] !== "function") throw new TypeError(`${name} must be an array`);
    let index = 0;
    for (const record of iterable) {
      const { values, mistake } = checkedValues(fields[name], record);
      if (values === undefined) throw new TypeError(`${name}[${index}]${dotted(mistake)}`);
      yield [name, values];
      index += 1;
    }
  }
}

/** What is wrong with a record. Without `field`, it is the record itself. */
export interface Mistake {
  field?: string;
  message: string;
}

type Checked = { values: CheckedValues; mistake?: never } | { values?: never; mistake: Mistake };

/** Returns the values of a record, with defaults for missing ones, or its first mistake. */
export function checkedValues(fields: Fields, record: unknown): Checked {
  if (typeof record !== "object" || record === null) return { mistake: { message: "must be an object" } };
  const values = [];
  for (const [field, kind] of fields) {
    const value = (record as Record<string, string | number | boolean | null | undefined>)[field] ?? kind.otherwise;
    if (value === undefined || !kind.fits(value)) {
      return { mistake: { field, message: `must be ${kind.mustBe}` } };
    }
    values.push(value);
  }
  return { values };
}

function dotted({ field, message }: Mistake): string {
  return `${field === undefined ? "" : `.${field}`} ${message}`;
}
