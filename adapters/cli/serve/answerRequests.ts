import cluster from "node:cluster";
import type { IncomingMessage } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import type { BundledStore } from "../../../src/stores/bundledStore.js";
import { followingOf } from "../../../src/stores/following.js";
import { jwtAuthenticator, signAdminToken } from "../../auth.js";
import { type HistoryFile, openHistoryFile } from "../../history/openHistoryFile.js";
import { type MountedPage, serverListener } from "../../http/nodeListener.js";
import { startServer } from "../../http/server.js";
import type { DatabaseKind } from "../databases/databaseKind.js";
import { demoAdminUserID, demoWorld } from "../demo.js";
import { demoHint } from "../demoHint.js";
import { demoSecret } from "../demoSecret.js";
import { type Following, type FollowThread, nothingFollowed } from "../follow/followThread.js";
import { onlyHosts } from "../hosts.js";
import { listenFailure } from "../listenFailure.js";
import { learnFromFirst } from "../processes.js";
import { requestLog } from "../requestLog.js";
import { ServedDatabase } from "../servedDatabase.js";
import { isWeak, leastCharacters, strongSecret } from "../weakSecrets.js";
import { consolePath, type ServeFlags } from "./serveFlags.js";
import { startFollowing } from "./startFollowing.js";

/** How long a list may take beside an upstream before the upstream answers it, in milliseconds. */
const timeoutBeside = 3_000;

/** Answers requests until a signal stops this process. */
export async function answerRequests(flags: ServeFlags, kind: DatabaseKind, logger: Logger): Promise<void> {
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
  const served = new ServedDatabase(
    async () => {
      const database = await kind.openToServe({ ...flags, waits: !upstream });
      return { ...database, store: settingNoCopy(database.store, follow !== undefined) };
    },
    { isCopy: upstream !== undefined || follow !== undefined, maxAge: flags.maxCopyAge },
  );
  let following = nothingFollowed;
  const learn = (told: { following?: Following }) => {
    following = told.following ?? following;
  };
  if (cluster.worker !== undefined) learnFromFirst(learn);
  const metrics =
    metricsPort === undefined
      ? undefined
      : new (await import("../metrics.js")).Metrics(
          async () => ({ ...(await (await served.opened()).load?.()), copyAgeSeconds: await served.copyAge() }),
          follow ? () => following : undefined,
        );
  let followThread: FollowThread | undefined;
  let history: HistoryFile | undefined;
  try {
    // Without a copy, OpenIM answers everything. Its clients do not wait for the copy.
    const opened = served.opened().catch((error: Error) => {
      if (!upstream) throw error;
      logger.error({ err: error }, "the copy cannot be opened: OpenIM answers all lists");
    });
    const database = await (upstream
      ? Promise.race([opened, delay(timeoutBeside, undefined, { ref: false })])
      : opened);
    if (metricsPort !== undefined) await metrics?.listen({ port: metricsPort, host, names: allowHost });
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
    if (flags.history) history = await openHistoryFile(flags.history);
    const page = flags.console ? await consolePage(basePath, flags) : undefined;
    const listener = serverListener(
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
          onUnreadable(report) {
            log.observer.onUnreadable?.(report);
            metrics?.onUnreadable(report);
          },
        },
        basePath,
        ...(cors && { cors }),
        ...(history && { history }),
        ...(upstream && { upstream: { url: upstream }, callTimeoutMs: timeoutBeside }),
        ...(tokenEndpoint && {
          adminToken: {
            secret,
            adminUserIDs,
            ...(trustProxy && { clientAddress: ({ raw }) => trustProxy(raw as IncomingMessage) }),
          },
        }),
      },
      { page, health: async () => ({ ...(await served.health()), ...(follow && { following }) }) },
    );
    const server = await startServer(log.listen(onlyHosts(listener, host, allowHost)), {
      port,
      host,
      acceptsWhileClosing: true,
      clientAddress: trustProxy,
      onConnection: (socket) => metrics?.onConnection(socket),
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
    const upstreamLine = upstream
      ? `it asks OpenIM at ${upstream} for tokens, set_conversations and the lists that it cannot answer; call OpenIM for all else\n`
      : "";
    const answersLine = `im-admin answers on ${server.url}, from ${database?.name ?? "no copy"}\n`;
    const followLine = follow ? "the lists follow OpenIM's database in MongoDB\n" : "";
    if (isFirst) process.stdout.write(`${answersLine}${followLine}${upstreamLine}${consoleLine}${hint}`);
    if (cluster.worker === undefined) followThread = startFollowing(flags, logger, learn);

    await stopped;
    logger.info("finishing the requests under way");
    await server.close();
  } finally {
    await followThread?.close();
    metrics?.close();
    await served.close();
    await history?.close();
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
  const { createConsole } = await import("../../console/answer.js");
  const path = basePath + consolePath;
  // OpenIM has the endpoint, too. And a proxy in front may have taken a prefix from the path.
  const adminToken = tokenEndpoint === true || upstream !== undefined;
  return { path, answer: createConsole("serve", { basePath: path, api: ".", title, adminToken }) };
}
