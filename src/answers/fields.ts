import * as v from "valibot";

export const text = v.string();

/** The keywords of JSON Schema for an integer. */
export interface Integers {
  format: "int32" | "int64";
  minimum?: number;
}

function whole(integers: Integers) {
  const { minimum } = integers;
  const isWhole = (value: unknown) => Number.isInteger(value) && Number(value) >= (minimum ?? Number(value));
  const expects = `whole number${minimum === undefined ? "" : ` from ${minimum} on`}`;
  return { ...v.custom<number>(isWhole), expects, integers };
}

/** An integer of 32 bits: a code with a few known values, or a number that the service stores and does not read. */
export const code = whole({ format: "int32" });

/** Milliseconds since the epoch, or seconds if the field says so; 0 means never. */
export const time = whole({ minimum: 0, format: "int64" });

export const count = whole({ minimum: 0, format: "int32" });
