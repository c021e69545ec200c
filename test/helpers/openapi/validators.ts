import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { OpenApiDocument } from "../../../adapters/openapi/index.js";

/** What a document says of requests and answers. */
export interface DocumentValidators {
  /** Whether the document has the operation. */
  knows(method: string, path: string): boolean;
  /** What the document finds wrong with an input; empty where it fits. */
  faultsOfInput(path: string, input: unknown): string[];
  /** What the document finds wrong with an answer; empty where it fits. */
  faultsOfAnswer(path: string, status: number, answer: unknown): string[];
  /** What is wrong with an answer to a request for which the document has no operation. */
  faultsOfFailure(answer: unknown): string[];
}

/** Compiles what a document says, by its references as a reader of it would follow them. */
export function validatorsOf(document: OpenApiDocument): DocumentValidators {
  const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true });
  addFormats.default(ajv, ["int32", "int64"]);
  ajv.addVocabulary(["openapi", "info", "paths", "components", "servers", "tags", "x-enum-varnames"]);
  ajv.addSchema({ $id: "document", ...JSON.parse(JSON.stringify(document)) });

  function faults(pointer: string[], value: unknown): string[] {
    const escaped = pointer.map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1")));
    const validate = ajv.getSchema(`document#/${escaped.join("/")}`);
    if (validate === undefined) return [`the document has no ${pointer.join(" ")}`];
    return validate(value) ? [] : (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
  }

  const body = ["content", "application/json", "schema"];
  const responses = (path: string) => (document.paths[path] as Paths | undefined)?.post.responses ?? {};

  return {
    knows: (method, path) => method === "POST" && path in document.paths,
    faultsOfInput: (path, input) => faults(["paths", path, "post", "requestBody", ...body], input),
    faultsOfAnswer(path, status, answer) {
      const key = String(status) in responses(path) ? String(status) : `${String(status)[0]}XX`;
      const reference = responses(path)[key]?.$ref;
      const response = reference?.slice(2).split("/") ?? ["paths", path, "post", "responses", key];
      return faults([...response, ...body], answer);
    },
    faultsOfFailure: (answer) => faults(["components", "schemas", "Failure"], answer),
  };
}

interface Paths {
  post: { responses: Record<string, { $ref?: string }> };
}
