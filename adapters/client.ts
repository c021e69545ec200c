export type * from "./client/adminClient.js";
export { AnswerError } from "./client/answerError.js";
export { type AdminClientOptions, createAdminClient } from "./client/createAdminClient.js";
export { eachItem } from "./client/eachItem.js";
export { type EachOptions, eachPage, type ListData } from "./client/eachPage.js";
export type { ClientFetch } from "./client/send.js";
export { TransportError } from "./client/transportError.js";
