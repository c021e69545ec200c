import { Command, InvalidArgumentError } from "commander";
import { isEmpty } from "../../src/stores/sqlite/records/write.js";
import { jwtAuthenticator, signAdminToken } from "../auth.js";
import { createConsole } from "../console/answer.js";
import { resolveOrigins } from "../http/cors.js";
import { serverListener } from "../http/nodeListener.js";
import { startServer } from "../http/server.js";
import { adoptOption, openStore } from "./database.js";
import { demoAdminUserID, demoWorld } from "./demo.js";
import { demoHint } from "./demoHint.js";
import { demoSecret } from "./demoSecret.js";
import { databaseOption, listOption, option, secretOption, type Values } from "./flags.js";
import { listenFailure } from "./listenFailure.js";
import { createLog, type LogLevel, logLevels } from "./log.js";
import { requestLog } from "./requestLog.js";
import { allowWeakSecretOption, isWeak, leastCharacters, strongSecret, weakSecretRefusal } from "./weakSecrets.js";

interface ServeFlags {
  db: string;
  adopt?: boolean;
  port: number;
  host: string;
  secret?: Values;
  allowWeakSecret?: boolean;
  admin?: Values;
  cors?: Values;
  tokenEndpoint?: boolean;
  console?: boolean;
  logLevel: LogLevel;
  demo?: boolean;
}

/** Where the console is. */
const consolePath = "/console";

export function serveCommand(): Command {
  return new Command("serve")
    .description("Answer the six operations over HTTP from a database file.")
    .addOption(databaseOption())
    .addOption(adoptOption())
    .addOption(option("--port <number>", "where to listen; 0 picks a free port").default(10_002).argParser(parsePort))
    .addOption(option("--host <address>", "the address to listen on").default("127.0.0.1"))
    .addOption(secretOption("a secret that administrators' tokens are signed with"))
    .addOption(allowWeakSecretOption())
    .addOption(listOption("--admin <userID>", "a user who is an administrator"))
    .addOption(listOption("--cors <origin>", "an origin that browsers may call from; * for any", requireOrigin))
    .addOption(option("--token-endpoint", "answer POST /auth/get_admin_token, with the first secret"))
    .addOption(option("--console", `serve a page for administrators at ${consolePath}`))
    .addOption(option("--log-level <level>", "what is logged at least").choices(logLevels).default("info"))
    .addOption(option("--demo", "fill an empty database with a demo world, and print a token and a request to try"))
    .action(run);
}

async function run(flags: ServeFlags, command: Command): Promise<void> {
  const { db, adopt = false, port, host, allowWeakSecret, cors, tokenEndpoint, console, logLevel, demo } = flags;
  if (!demo && !flags.secret) command.error("error: a secret is needed: --secret or IM_ADMIN_SECRET");
  if (!demo && !flags.admin) command.error("error: an administrator is needed: --admin or IM_ADMIN_ADMIN");
  const refusal = flags.secret && !allowWeakSecret && weakSecretRefusal(flags.secret, host);
  if (refusal) command.error(`error: ${refusal}`);

  const { database, store } = await openStore(db, adopt);
  const { logger, end: endLog } = createLog(logLevel);
  try {
    if (demo && (await isEmpty(database))) await store.put(demoWorld());
    const { secrets, lasts } = flags.secret ? { secrets: flags.secret } : demoSecret(db);
    const adminUserIDs = flags.admin ?? [demoAdminUserID];
    const [secret] = secrets;
    const [userID] = adminUserIDs;

    if (secrets.some(isWeak)) {
      logger.warn(`a secret has fewer than ${leastCharacters} characters, and can be guessed: ${strongSecret}`);
    }
    const log = requestLog(logger);
    const page = console ? { path: consolePath, answer: createConsole("serve", { basePath: consolePath }) } : undefined;
    const listener = serverListener(
      "serve",
      {
        store,
        authenticate: jwtAuthenticator({ secrets, adminUserIDs }),
        observer: log.observer,
        ...(cors && { cors }),
        ...(tokenEndpoint && { adminToken: { secret, adminUserIDs } }),
      },
      page,
    );
    const server = await startServer(log.listen(listener), port, host).catch((error) => {
      throw listenFailure(error, host, port);
    });
    const stopped = new Promise((resolve) => process.once("SIGINT", resolve).once("SIGTERM", resolve));
    const token = await signAdminToken({ secret, userID });
    const consoleUrl = page && server.url + page.path;
    const hint = demo ? await demoHint({ store, db, url: server.url, consoleUrl, userID, token, lasts }) : "";
    const consoleLine = consoleUrl ? `its console is ${consoleUrl}\n` : "";
    process.stdout.write(`im-admin answers on ${server.url}, from ${db}\n${consoleLine}${hint}`);

    await stopped;
    logger.info("finishing the requests under way");
    await server.close();
  } finally {
    await endLog();
    await store.close();
  }
}

function parsePort(value: string): number {
  const port = Number(value);
  if (!/^\d+$/.test(value) || port > 65_535) throw new InvalidArgumentError("It must be a number from 0 to 65535.");
  return port;
}

function requireOrigin(value: string): void {
  try {
    resolveOrigins([value]);
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : String(error));
  }
}
