/** The types that the options of every adapter name, so that each can be imported from the adapter that takes it. */

export type {
  CallReport,
  ConversationsSetReport,
  ErrorReport,
  Limits,
  Observer,
  SomeLimits,
  Store,
} from "../../src/index.js";
export type { Authenticate, Authentication, AuthenticationFailure } from "../auth.js";
export type { AdminTokenOptions, FetchHandlerOptions, ObserverOfRequest, StoreOfRequest } from "./handlerOptions.js";
export type { DescribeInterface } from "./openApi.js";
export type { AdminRequest } from "./request.js";
