import { errorCodes } from "../../src/errors.js";
import { requireKnown } from "../../src/knownOptions.js";
import { type Limits, resolveLimits, type SomeLimits } from "../../src/limits.js";
import { operationIDLength } from "../http/answer.js";
import { resolveBasePath } from "../http/path.js";
import { adminTokenOperation } from "./adminTokenOperation.js";
import { componentSchemas } from "./components.js";
import { fieldDocstringsOf, version } from "./described.js";
import type { JsonObject } from "./document.js";
import { failureExamples } from "./failures.js";
import { namesOperation } from "./namesOperation.js";
import { operationObject } from "./operationObject.js";
import { functions } from "./operations.js";
import { refused, unanswered } from "./refused.js";
import { tagsOf } from "./tags.js";

/** The options of {@link openApiDocument}. */
export interface OpenApiOptions {
  /**
   * The path before those of the operations. Give the adapter the same.
   * @default ""
   */
  basePath?: string | undefined;
  /** The limits. Give the adapter the same. A limit that you leave out keeps its default. */
  limits?: SomeLimits | undefined;
  /**
   * The name of the interface.
   * @default "im-admin"
   */
  title?: string | undefined;
  /**
   * The addresses of the servers, without the base path.
   * @default `/`, the server of the document itself
   */
  servers?: readonly OpenApiServer[] | undefined;
  /**
   * Whether `POST /auth/get_admin_token` is on.
   * @default false
   */
  adminToken?: boolean | undefined;
  /**
   * Whether `POST /im_admin/get_names` is on.
   * @default false
   */
  names?: boolean | undefined;
  /**
   * Whether the document is for types of TypeScript. Answers then have the fields and codes of this version only, so that
   * the types narrow on `errCode`, and no call must name `operationID`, which a client sets for all its calls. Clients
   * that check answers fail at a field or code of a later version.
   * @default false
   */
  closed?: boolean | undefined;
  /**
   * Whether an OpenIM server is asked for what im-admin does not answer. It may answer null for lists and profiles.
   * @default false
   */
  upstream?: boolean | undefined;
}

/** The address of a server. */
export interface OpenApiServer {
  /** For example `https://chat.example.org`. */
  url: string;
  description?: string;
}

/** A document of OpenAPI 3.1. */
export interface OpenApiDocument {
  openapi: "3.1.0";
  info: {
    title: string;
    version: string;
    description: string;
    contact: { name: string; url: string };
    license: { name: string; identifier: string };
  };
  servers: readonly OpenApiServer[];
  tags: readonly { name: string; description: string }[];
  paths: Record<string, JsonObject>;
  components: Record<string, JsonObject>;
}

/** The package that describes the interface, and its licence. */
const contact = { name: "im-admin", url: "https://www.npmjs.com/package/im-admin" };
const license = { name: "MIT", identifier: "MIT" };

const sameServer: readonly OpenApiServer[] = [{ url: "/", description: "Where this document comes from." }];

const knownOptions = ["basePath", "limits", "title", "servers", "adminToken", "names", "closed", "upstream"];

/**
 * Describes the interface over HTTP in OpenAPI 3.1: its operations, limits and errors, with examples.
 *
 * @throws TypeError for an option that is unknown or does not fit
 */
export function openApiDocument(options: OpenApiOptions = {}): OpenApiDocument {
  requireKnown("openApiDocument", options, knownOptions);
  const { basePath = "", title = "im-admin", servers = sameServer, closed, upstream } = options;
  const base = resolveBasePath(basePath);
  const limits = resolveLimits(options.limits);
  if (typeof title !== "string") throw new TypeError("title must be a string");
  requireServers(servers);
  if (closed && upstream) throw new TypeError("closed must be left out beside an upstream, whose answers are its own");
  const operations = [
    ...functions,
    ...(options.names ? [namesOperation] : []),
    ...(options.adminToken ? [adminTokenOperation] : []),
  ];
  return {
    openapi: "3.1.0",
    info: { title, version, description: descriptionOf(limits), contact, license },
    servers,
    tags: tagsOf(operations),
    paths: Object.fromEntries(
      operations.map((operation) => [base + operation.path, { post: operationObject(operation, limits, upstream) }]),
    ),
    components: {
      schemas: componentSchemas(operations, limits, { closed, upstream }),
      parameters: { operationID: operationIDParameter(closed) },
      headers: { Ignored: ignored },
      responses: { Refused: refused(limits.bodyBytes), ...(upstream && { Unanswered: unanswered }) },
      examples: failureExamples,
      securitySchemes: {
        token: { type: "apiKey", in: "header", name: "token", description: "An administrator's token." },
      },
    },
  };
}

function requireServers(servers: readonly Partial<OpenApiServer>[]): void {
  if (Array.isArray(servers) && servers.every((server) => typeof server?.url === "string")) return;
  throw new TypeError("servers must be a list of objects with a url");
}

/** The header, with a default that generated clients send in a call that names none. */
function operationIDParameter(closed = false): JsonObject {
  const description = "The call's trace identifier. A new one for each call is recommended.";
  return {
    name: "operationID",
    in: "header",
    // Types of TypeScript would ask for it in each call, though clients set it once as they set the token.
    required: !closed,
    description: closed ? `${description} The server needs it: set it once for all calls of a client.` : description,
    schema: { type: "string", minLength: 1, maxLength: operationIDLength, default: "generated-client" },
    example: "1700000000000",
  };
}

const ignored: JsonObject = {
  description: "The fields of the body that were ignored because the interface does not know them, percent-encoded.",
  schema: { type: "string" },
  example: "keywrod, pagination.pageNum",
};

function descriptionOf(limits: Limits): string {
  const names = Object.keys(limits) as (keyof Limits)[];
  return [
    "The administrator's side of an instant-messaging service.",
    "Every answer is an envelope. `errCode` 0 means success, and only then is there `data`. The HTTP status is 200 also for failures.",
    "Later versions may add fields and codes to answers: ignore those that you do not know.",
    "If an object of a request has a field twice, the last one counts. Unknown fields are ignored, and the header `im-admin-ignored` names them.",
    ["| errCode | errMsg | when |", "|---|---|---|", ...errorRows()].join("\n"),
    "What a request may ask for at most; past a limit the answer is 1001:",
    ["| limit | most | of what |", "|---|---|---|", ...names.map((name) => limitRow(name, limits))].join("\n"),
  ].join("\n\n");
}

function errorRows(): string[] {
  const texts = fieldDocstringsOf("errorCodes");
  return Object.entries(errorCodes).map(([name, code]) => `| ${code} | ${name} | ${texts[name]} |`);
}

function limitRow(name: keyof Limits, limits: Limits): string {
  return `| ${name} | ${limits[name]} | ${fieldDocstringsOf("Limits")[name]} |`;
}
