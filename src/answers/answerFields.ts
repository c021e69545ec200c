import * as v from "valibot";

/** What JSON Schema says of a value. */
export interface Keywords {
  type: "string" | "integer";
  minimum?: number;
  format?: "int32" | "int64";
}

/** A field of an answer. `expects` says what a wrong value is not. */
function field<Value>(expects: string, fits: (value: unknown) => boolean, keywords: Keywords) {
  return { ...v.custom<Value>(fits), expects, keywords };
}

export const text = field<string>("string", (value) => typeof value === "string", { type: "string" });

/** An integer of 32 bits: a code with a few known values, or a number that the service stores and does not read. */
export const code = field<number>("whole number", Number.isInteger, { type: "integer", format: "int32" });

function wholeFromZero(format: "int32" | "int64") {
  const fits = (value: unknown) => Number.isInteger(value) && Number(value) >= 0;
  return field<number>("whole number from 0 on", fits, { type: "integer", minimum: 0, format });
}

/** Milliseconds since the epoch, or seconds if the field says so; 0 means never. */
export const time = wholeFromZero("int64");

export const count = wholeFromZero("int32");
