import cluster from "node:cluster";
import { Command, InvalidArgumentError } from "commander";
import type { Logger } from "pino";
import { resolveOrigins } from "../http/cors.js";
import { Upstream } from "../http/upstream/upstream.js";
import { addMadeDatabaseFlags, databaseKind, requireSharedDatabase } from "./database.js";
import { basePathOption, linesOption, listOption, option, parseSeconds } from "./flags.js";
import type { FollowThread } from "./follow/followThread.js";
import { mongoClients } from "./follow/mongoClient.js";
import { requireFreePort } from "./freePort.js";
import { createLog, logLevels } from "./log.js";
import { runProcesses, tellProcesses } from "./processes.js";
import { answerRequests } from "./serve/answerRequests.js";
import { consolePath, type ServeFlags } from "./serve/serveFlags.js";
import { startFollowing } from "./serve/startFollowing.js";
import { trustProxyOption } from "./trustedProxies.js";
import { allowWeakSecretOption, weakSecretRefusal } from "./weakSecrets.js";

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
        "the OpenIM server that gives tokens, sets conversations, and lists what im-admin cannot, such as http://openim:10002",
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
    .addOption(option("--log-level <level>", "the least level of logged lines").choices(logLevels).default("info"))
    .addOption(option("--demo", "fill an empty database with a demo world, and print a token and a request to try"))
    .action(run);
}

async function run(flags: ServeFlags, command: Command): Promise<void> {
  requireFitting(flags, command);
  const { processes, follow, logLevel } = flags;
  const kind = databaseKind(flags, command);
  const { logger, end: endLog } = createLog(logLevel);
  try {
    // If the port is not free or a URL cannot be read, end before the database is made.
    if (cluster.isPrimary) {
      await requireFreePort(flags.host, flags.port);
      if (follow) await mongoClients(follow, "--follow");
    }
    if (processes > 1 && cluster.isPrimary) await startProcesses(flags, logger);
    else await answerRequests(flags, kind, logger);
  } finally {
    await endLog();
    // The connection to the first process would keep this process alive.
    cluster.worker?.disconnect();
  }
}

/** Refuses flags that do not go together, and those that lack another. */
function requireFitting(flags: ServeFlags, command: Command): void {
  const { host, allowWeakSecret, processes, upstream, follow, demo } = flags;
  if (!demo && !flags.secret) command.error("error: a secret is needed: --secret or IM_ADMIN_SECRET");
  if (!demo && !flags.admin) command.error("error: an administrator is needed: --admin or IM_ADMIN_ADMIN");
  const refusal = flags.secret && !allowWeakSecret && weakSecretRefusal(flags.secret, host);
  if (refusal) command.error(`error: ${refusal}`);

  if (processes > 1) requireSharedDatabase(flags, "--processes", command);

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
}

async function startProcesses(flags: ServeFlags, logger: Logger): Promise<void> {
  const { processes, metricsPort, host, allowHost } = flags;
  const stopMetrics =
    metricsPort === undefined
      ? undefined
      : await (await import("./metrics.js")).serveMetricsOfProcesses({ port: metricsPort, host, names: allowHost });
  let followThread: FollowThread | undefined;
  await runProcesses(processes, logger, () => {
    followThread = startFollowing(flags, logger, tellProcesses);
  });
  await followThread?.close();
  stopMetrics?.();
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
  refuseAsArgument(() => new Upstream({ url }));
  return url;
}

function refuseAsArgument(check: () => unknown): void {
  try {
    check();
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
}
