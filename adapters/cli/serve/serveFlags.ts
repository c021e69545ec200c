import type { DatabaseFlags } from "../databases/databaseKind.js";
import type { Values } from "../flags.js";
import type { LogLevel } from "../log.js";
import type { ClientAddress } from "../trustedProxies.js";

/** The flags of `serve`. */
export interface ServeFlags extends DatabaseFlags {
  port: number;
  host: string;
  secret?: Values;
  allowWeakSecret?: boolean;
  admin?: Values;
  basePath?: string;
  cors?: Values;
  tokenEndpoint?: boolean;
  trustProxy?: ClientAddress;
  allowHost?: Values;
  upstream?: string;
  follow?: string;
  maxCopyAge?: number;
  processes: number;
  metricsPort?: number;
  history?: string;
  console?: boolean;
  title?: string;
  logLevel: LogLevel;
  demo?: boolean;
}

/** The path of the console, after the base path. */
export const consolePath = "/console";
