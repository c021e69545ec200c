import { adminListener, type NodeListener, type NodeListenerOptions, serverListener } from "./http/nodeListener.js";
import { type RunningServer, startServer } from "./http/server.js";

export { type HistoryFile, openHistoryFile } from "./history/openHistoryFile.js";
export type { NodeListener, NodeListenerOptions } from "./http/nodeListener.js";
export type * from "./http/optionTypes.js";
export type { RunningServer } from "./http/server.js";

/**
 * Mounts the six functions on a `node:http` or `node:https` server, or on a framework that takes its listeners. A body
 * that a parser of the host has read already is taken from `request.body`: a value as it is, a string or bytes as JSON.
 *
 * @throws TypeError for an option that is missing or does not fit
 */
export function createNodeListener(options: NodeListenerOptions): NodeListener {
  return adminListener("createNodeListener", options);
}

/** What {@link serve} takes beside the options of every adapter. */
export interface ServeOptions extends NodeListenerOptions {
  /**
   * The port to listen on; 0 picks a free one.
   * @default 10002
   */
  port?: number | undefined;
  /**
   * The address to listen on: `0.0.0.0` for every IPv4 address, `::` for IPv6 as well.
   * @default "127.0.0.1"
   */
  host?: string | undefined;
}

/**
 * Starts a server with the six functions, `GET /openapi.json`, which describes them, and `GET /healthz`, which answers 200
 * while the store answers; where `store` is a function, while the server runs.
 *
 * Rejects where it cannot listen, such as on a port that is in use.
 *
 * @throws TypeError for an option that is missing or does not fit
 */
export async function serve(options: ServeOptions): Promise<RunningServer> {
  const { port = 10002, host = "127.0.0.1", ...others } = options ?? {};
  // Node would take other values for the name of a pipe, and an empty host for every address.
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new TypeError("port must be an integer from 0 to 65535");
  }
  if (typeof host !== "string" || host === "") throw new TypeError('host must be an address, such as "127.0.0.1"');
  return startServer(serverListener("serve", others), { port, host });
}
