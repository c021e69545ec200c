import cluster from "node:cluster";
import { setTimeout as delay } from "node:timers/promises";
import { Command, InvalidArgumentError } from "commander";
import type { Logger } from "pino";
import type { BundledStore } from "../../src/stores/bundledStore.js";
import { followingOf } from "../../src/stores/following.js";
import { jwtAuthenticator, signAdminToken } from "../auth.js";
import type { History } from "../history/history.js";
import { openHistoryFile } from "../history/openHistoryFile.js";
import { resolveOrigins } from "../http/cors.js";
import { type MountedPage, serverListener } from "../http/nodeListener.js";
import { startServer } from "../http/server.js";
import { Upstream } from "../http/upstream/upstream.js";
import { addMadeDatabaseFlags, databaseKind, requireSharedDatabase } from "./database.js";
import type { DatabaseFlags, DatabaseKind } from "./databases/databaseKind.js";
import { demoAdminUserID, demoWorld } from "./demo.js";
import { demoHint } from "./demoHint.js";
import { demoSecret } from "./demoSecret.js";
import { basePathOption, choiceOption, linesOption, listOption, option, parseSeconds, type Values } from "./flags.js";
import { type Following, FollowThread } from "./follow/followThread.js";
import { mongoClient } from "./follow/mongoClient.js";
import { requireFreePort } from "./freePort.js";
import { onlyHosts } from "./hosts.js";
import { listenFailure } from "./listenFailure.js";
import { createLog, type LogLevel, logLevels } from "./log.js";
import { runProcesses, tellProcesses } from "./processes.js";
import { reasonOf } from "./reason.js";
import { requestLog } from "./requestLog.js";
import { ServedDatabase } from "./servedDatabase.js";
import { type ClientAddress, trustProxyOption } from "./trustedProxies.js";
import { allowWeakSecretOption, isWeak, leastCharacters, strongSecret, weakSecretRefusal } from "./weakSecrets.js";

interface ServeFlags extends DatabaseFlags {
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

/** How long a list may take beside an upstream before the upstream answers it, in milliseconds. */
const timeoutBeside = 3_000;

/** The path of the console, after the base path. */
const consolePath = "/console";

export function serveCommand(): Command {
  return addMadeDatabaseFlags(new Command())
    .addOption(
      option("--port <number>", "where to listen; 0 picks a free port")
        .default(10_002)
        .argParser(parseNumber(0, 65_535)),
    )
    .addOption(option("--host <address>", "the address to listen on").default("127.0.0.1"))
    .addOption(basePathOption())
    .addOption(linesOption("--secret <secret>", "a secret that administrators' tokens are signed with"))
    .addOption(allowWeakSecretOption())
    .addOption(listOption("--admin <userID>", "a user who is an administrator"))
    .addOption(listOption("--cors <origin>", "an origin that browsers may call from; * for any", requireOrigin))
    .addOption(option("--token-endpoint", "answer POST /auth/get_admin_token, with the first secret"))
    .addOption(trustProxyOption())
    .addOption(
      listOption(
        "--allow-host <name>",
        "a host that requests may name beside localhost, as a proxy in front passes it on",
      ),
    )
    .addOption(
      option(
        "--upstream <url>",
        "the OpenIM server whose API answers all but administrators' lists, such as http://openim:10002",
      ).argParser(parseUpstream),
    )
    .addOption(
      option("--follow <url>", "OpenIM's database in MongoDB, whose changes the lists follow, as im-admin follow does"),
    )
    .addOption(
      option("--max-copy-age <duration>", "answer no list here if OpenIM's copy is older, such as 30m").argParser(
        parseSeconds,
      ),
    )
    .addOption(
      option("--threads <number>", "how many threads make heavy reads on a file").argParser(parseNumber(0, 64)),
    )
    .addOption(
      option("--processes <number>", "how many processes share the port, at most one for each core")
        .default(1)
        .argParser(parseNumber(1, 64)),
    )
    .addOption(
      option("--metrics-port <number>", "answer GET /metrics for Prometheus on this port").argParser(
        parseNumber(1, 65_535),
      ),
    )
    .addOption(
      option("--history <file>", "keep each setting of conversations in a file, and let administrators set it back"),
    )
    .addOption(option("--console", `serve a page for administrators at ${consolePath}`))
    .addOption(option("--title <label>", "a label that tells this console from others, such as prod"))
    .addOption(choiceOption("--log-level <level>", "the least level of logged lines", logLevels).default("info"))
    .addOption(option("--demo", "fill an empty database with a demo world, and print a token and a request to try"))
    .action(run);
}

async function run(flags: ServeFlags, command: Command): Promise<void> {
  const { host, allowWeakSecret, processes, logLevel, demo } = flags;
  if (!demo && !flags.secret) command.error("error: a secret is needed: --secret or IM_ADMIN_SECRET");
  if (!demo && !flags.admin) command.error("error: an administrator is needed: --admin or IM_ADMIN_ADMIN");
  const refusal = flags.secret && !allowWeakSecret && weakSecretRefusal(flags.secret, host);
  if (refusal) command.error(`error: ${refusal}`);

  if (processes > 1) requireSharedDatabase(flags, "--processes", command);

  const { upstream, follow } = flags;
  if (upstream && flags.tokenEndpoint) {
    command.error("error: --token-endpoint is not for --upstream: OpenIM accepts only tokens that it gave out itself");
  }
  if (upstream && demo) command.error("error: --demo is not for --upstream: the lists are those of OpenIM");
  if (flags.history && (upstream || follow)) {
    command.error(
      `error: --history is not for ${upstream ? "--upstream" : "--follow"}: OpenIM writes the conversations`,
    );
  }
  if (follow && demo) command.error("error: --demo is not for --follow: the lists are those of OpenIM");
  if (follow) requireSharedDatabase(flags, "--follow", command);
  if (flags.maxCopyAge !== undefined && !upstream && !follow) {
    command.error("error: --max-copy-age is for --upstream or --follow");
  }

  const kind = databaseKind(flags, command);
  const { logger, end: endLog } = createLog(logLevel);
  try {
    // If the port is not free or a URL cannot be read, end before the database is made.
    if (cluster.isPrimary) {
      await requireFreePort(flags.host, flags.port);
      if (follow) await mongoClient(follow, "--follow");
    }
    if (processes > 1 && cluster.isPrimary) await startProcesses(flags, logger);
    else await answerRequests(flags, kind, logger);
  } finally {
    await endLog();
    // The connection to the first process would keep this process alive.
    cluster.worker?.disconnect();
  }
}

async function startProcesses(flags: ServeFlags, logger: Logger): Promise<void> {
  const { processes, metricsPort, host } = flags;
  const stopMetrics =
    metricsPort === undefined
      ? undefined
      : await (await import("./metrics.js")).serveMetricsOfProcesses(metricsPort, host);
  let followThread: FollowThread | undefined;
  await runProcesses(processes, logger, () => {
    followThread = startFollowing(flags, logger, tellProcesses);
  });
  await followThread?.close();
  stopMetrics?.();
}

/** Follows OpenIM, if that is wanted. */
function startFollowing(
  { follow, db, schema, adopt }: ServeFlags,
  logger: Logger,
  tell: (told: { following: Following }) => void,
): FollowThread | undefined {
  if (!follow) return undefined;
  const database = { db, ...(schema !== undefined && { schema }), ...(adopt && { adopt }) };
  const followed = { url: follow, flag: "--follow", database, yes: false };
  return new FollowThread(followed, logger, (following) => tell({ following }));
}

/** Answers requests until a signal stops this process. */
async function answerRequests(flags: ServeFlags, kind: DatabaseKind, logger: Logger): Promise<void> {
  const {
    port,
    host,
    basePath = "",
    allowHost,
    upstream,
    follow,
    cors,
    tokenEndpoint,
    trustProxy,
    processes,
    metricsPort,
    demo,
  } = flags;
  const served = new ServedDatabase(async () => {
    const database = await kind.openToServe({ ...flags, waits: !upstream });
    return { ...database, store: settingNoCopy(database.store, follow !== undefined) };
  }, flags.maxCopyAge);
  let following: Following | undefined;
  const metrics =
    metricsPort === undefined
      ? undefined
      : new (await import("./metrics.js")).Metrics(
          async () => ({ ...(await (await served.opened()).load?.()), copyAgeSeconds: await served.copyAge() }),
          follow ? () => following : undefined,
        );
  let followThread: FollowThread | undefined;
  try {
    // Without a copy, OpenIM answers everything. Its clients do not wait for the copy.
    const opened = served.opened().catch((error: Error) => {
      if (!upstream) throw error;
      logger.error({ err: error }, "the copy cannot be opened: OpenIM answers all lists");
    });
    const database = await (upstream
      ? Promise.race([opened, delay(timeoutBeside, undefined, { ref: false })])
      : opened);
    if (metricsPort !== undefined) await metrics?.listen(metricsPort, host);
    if (demo && (await database?.isEmpty())) await database?.store.put(demoWorld());
    const { secrets, lasts } = flags.secret ? { secrets: flags.secret } : demoSecret(flags.db, processes > 1);
    const adminUserIDs = flags.admin ?? [demoAdminUserID];
    const [secret] = secrets;
    const [userID] = adminUserIDs;

    // Only the first process prints: the others would print the same.
    const isFirst = cluster.worker === undefined || cluster.worker.id === 1;

    if (isFirst && secrets.some(isWeak)) {
      logger.warn(`a secret has fewer than ${leastCharacters} characters, and can be guessed: ${strongSecret}`);
    }
    const log = requestLog(logger);
    const history = flags.history && (await openHistory(flags.history));
    const page = flags.console ? await consolePage(basePath, flags) : undefined;
    const { listener, close } = serverListener(
      "serve",
      {
        store: upstream || follow || database === undefined ? () => served.copy() : database.store,
        authenticate: jwtAuthenticator({ secrets, adminUserIDs }),
        observer: {
          ...log.observer,
          onCall(report) {
            log.observer.onCall?.(report);
            metrics?.onCall(report);
          },
        },
        basePath,
        ...(cors && { cors }),
        ...(history && { history }),
        ...(upstream && { upstream, callTimeoutMs: timeoutBeside }),
        ...(tokenEndpoint && {
          adminToken: { secret, adminUserIDs, ...(trustProxy && { clientAddress: trustProxy }) },
        }),
      },
      { page, health: async () => ({ ...(await served.health()), ...(following && { following }) }) },
    );
    // Clients of an upstream go on naming the upstream's host.
    const guarded = upstream && !allowHost ? listener : onlyHosts(listener, host, allowHost);
    const server = await startServer(log.listen(guarded), {
      port,
      host,
      acceptsWhileClosing: true,
      isBeside: upstream !== undefined,
      onConnection: (socket) => metrics?.onConnection(socket),
      onClosed: close,
    }).catch((error) => {
      throw listenFailure(error, host, port);
    });
    const stopped = new Promise((resolve) => process.once("SIGINT", resolve).once("SIGTERM", resolve));
    const token = await signAdminToken({ secret, userID });
    const consoleUrl = page && server.url + page.path;
    const hint =
      demo && isFirst && database
        ? await demoHint({ ...database, url: server.url + basePath, consoleUrl, userID, token, lasts })
        : "";
    const consoleLine = consoleUrl ? `its console is ${consoleUrl}\n` : "";
    const upstreamLine = upstream ? `all else is passed on to ${upstream}\n` : "";
    const answersLine = `im-admin answers on ${server.url}, from ${database?.name ?? "no copy"}\n`;
    const followLine = follow ? "the lists follow OpenIM's database in MongoDB\n" : "";
    if (isFirst) process.stdout.write(`${answersLine}${followLine}${upstreamLine}${consoleLine}${hint}`);
    const learn = (told: { following?: Following }) => {
      following = told.following ?? following;
    };
    if (cluster.worker === undefined) followThread = startFollowing(flags, logger, learn);
    else process.on("message", learn);

    await stopped;
    logger.info("finishing the requests under way");
    await server.close();
  } finally {
    await followThread?.close();
    metrics?.close();
    await served.close();
  }
}

async function openHistory(file: string): Promise<History> {
  try {
    return await openHistoryFile(file);
  } catch (error) {
    throw new Error(`cannot open the history ${file}: ${reasonOf(error)}`, { cause: error });
  }
}

/** A store that sets nothing where it follows OpenIM, here or in another process: the copy would lose that. */
function settingNoCopy(store: BundledStore, follows: boolean): BundledStore {
  return {
    ...store,
    async setConversations(...call) {
      const isCopy = follows || (await followingOf(store)?.place())?.token !== undefined;
      return isCopy ? { outcome: "notKept" } : store.setConversations(...call);
    },
  };
}

/** Loads the page only if it is wanted, since it is longer than all other modules. */
async function consolePage(basePath: string, { title, tokenEndpoint, upstream }: ServeFlags): Promise<MountedPage> {
  const { createConsole } = await import("../console/answer.js");
  const path = basePath + consolePath;
  // OpenIM has the endpoint, too. And a proxy in front may have taken a prefix from the path.
  const adminToken = tokenEndpoint === true || upstream !== undefined;
  return { path, answer: createConsole("serve", { basePath: path, api: ".", title, adminToken }) };
}

function parseNumber(least: number, most: number): (value: string) => number {
  return (value) => {
    const number = Number(value);
    if (!/^\d+$/.test(value) || number < least || number > most) {
      throw new InvalidArgumentError(`It must be a number from ${least} to ${most}.`);
    }
    return number;
  };
}

function requireOrigin(origin: string): void {
  refuseAsArgument(() => resolveOrigins([origin]));
}

function parseUpstream(url: string): string {
  refuseAsArgument(() => new Upstream(url));
  return url;
}

function refuseAsArgument(check: () => unknown): void {
  try {
    check();
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
}
