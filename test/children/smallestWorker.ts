/** What a Worker imports that mounts everything on D1: the core, the fetch handler and the store. */
export { createFetchHandler } from "../../adapters/fetch.js";
export * from "../../src/index.js";
export { createD1Store } from "../../src/stores/d1.js";
