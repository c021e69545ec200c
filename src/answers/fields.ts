import * as v from "valibot";

export const text = v.string();

/** What JSON Schema says of an integer. */
export interface Integers {
  format: "int32" | "int64";
  minimum?: number;
}

function whole(integers: Integers) {
  const { minimum } = integers;
  const isWhole = (value: number) => Number.isInteger(value) && value >= (minimum ?? value);
  const message = minimum === undefined ? "whole number" : `whole number from ${minimum} on`;
  return v.pipe(v.number(), { ...v.check(isWhole, message), integers });
}

/** An integer of 32 bits that the service stores and does not read, or one of a few with a meaning. */
export const code = whole({ format: "int32" });

/** Milliseconds since the epoch, or seconds where the field says so; 0 means never. */
export const time = whole({ minimum: 0, format: "int64" });

export const count = whole({ minimum: 0, format: "int32" });
