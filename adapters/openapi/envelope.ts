import type { JsonSchema } from "@valibot/to-json-schema";

/** The open schema of an answer. Of a failure, and of an answer whose data says nothing, no data is described. */
export function envelope(data?: JsonSchema): JsonSchema {
  const text: JsonSchema = { type: "string" };
  return {
    type: "object",
    properties: {
      errCode: { type: "integer", format: "int32" },
      errMsg: text,
      errDlt: text,
      ...(data && { data }),
    },
    required: ["errCode", "errMsg", "errDlt"],
    additionalProperties: true,
  };
}
