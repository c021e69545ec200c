import * as v from "valibot";

export const text = v.string();

/** An integer of 32 bits that the service stores and does not read, or one of a few with a meaning. */
export const code = v.pipe(v.number(), v.integer(), v.metadata({ format: "int32" }));

/** Milliseconds since the epoch, or seconds where the field says so; 0 means never. */
export const time = v.pipe(v.number(), v.integer(), v.minValue(0), v.metadata({ format: "int64" }));

export const count = v.pipe(v.number(), v.integer(), v.minValue(0), v.metadata({ format: "int32" }));
