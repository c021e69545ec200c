export {
  type OpenApiDocument,
  type OpenApiOptions,
  type OpenApiServer,
  openApiDocument,
} from "./openApiDocument.js";
