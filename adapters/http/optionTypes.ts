/** The types in the options of all adapters. Each adapter exports them. */

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
export type {
  History,
  HistoryEntry,
  Setting,
  SettingBegun,
  SettingEnded,
  SettingFilter,
  SettingOutcome,
  SettingPage,
} from "../history/history.js";
export type {
  AdminTokenOptions,
  DescribeInterface,
  FetchHandlerOptions,
  HistoryOfRequest,
  NamesRoute,
  ObserverOfRequest,
  StoreOfRequest,
} from "./handlerOptions.js";
export type { AdminRequest } from "./request.js";
export type { Relay, UpstreamAnswer, UpstreamFetch, UpstreamOptions } from "./upstream/upstream.js";
