export type { SomeLimits } from "../../src/index.js";
export {
  type OpenApiDocument,
  type OpenApiOptions,
  type OpenApiServer,
  openApiDocument,
} from "./openApiDocument.js";
