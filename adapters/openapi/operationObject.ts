import type { Limits } from "../../src/limits.js";
import { answerName, inputName, reference } from "./components.js";
import type { JsonObject } from "./document.js";
import type { DescribedOperation } from "./operations.js";
import { refused } from "./refused.js";
import { tagOf } from "./tags.js";

/** The OpenAPI object of an operation. */
export function operationObject(operation: DescribedOperation, limits: Limits, upstream = false): JsonObject {
  const { name, path, text, needsToken, bodyBytes = limits.bodyBytes, example } = operation;
  const [summary = ""] = text.split(/[.:]\s/);
  return {
    operationId: name,
    tags: [tagOf(path)],
    summary,
    description: name === "setConversations" ? `${text}\n\n${writeLimit(limits)}` : text,
    security: needsToken ? [{ token: [] }] : [],
    parameters: [{ $ref: "#/components/parameters/operationID" }],
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: reference(inputName(operation)),
          examples: { example: { value: example.input } },
        },
      },
    },
    responses: {
      "200": {
        description: "The answer of the operation, also for a failure.",
        headers: { "im-admin-ignored": { $ref: "#/components/headers/Ignored" } },
        content: {
          "application/json": {
            schema: reference(answerName(operation)),
            examples: answerExamples(operation),
          },
        },
      },
      "4XX": bodyBytes < limits.bodyBytes ? refused(bodyBytes) : { $ref: "#/components/responses/Refused" },
      ...(upstream && { "5XX": { $ref: "#/components/responses/Unanswered" } }),
    },
  };
}

function writeLimit({ writeBytes }: Limits): string {
  return `\`ex\` and \`attachedInfo\`, in UTF-8 and times the number of users, take at most ${writeBytes} bytes.`;
}

function answerExamples({ example, failures }: DescribedOperation): JsonObject {
  const success = { value: { errCode: 0, errMsg: "", errDlt: "", data: example.data } };
  const references = failures.map((name) => [name, { $ref: `#/components/examples/${name}` }]);
  return { success, ...Object.fromEntries(references) };
}
