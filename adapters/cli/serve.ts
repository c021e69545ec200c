import { randomBytes } from "node:crypto";
import { Command } from "commander";
import pino, { type Logger } from "pino";
import type { Observer } from "../../src/observer.js";
import { isEmpty } from "../../src/stores/sqlite/records/write.js";
import { createSqlStore } from "../../src/stores/sqlite/store.js";
import { jwtAuthenticator, signAdminToken } from "../auth.js";
import { serve } from "../node.js";
import { adoptOption, openDatabase } from "./database.js";
import { demoAdminUserID, demoGroupID, demoWorld } from "./demo.js";
import { databaseOption, option, parsePort, repeatable, values } from "./flags.js";

interface ServeFlags {
  db: string;
  port: number;
  host: string;
  demo?: boolean;
  adopt?: boolean;
  tokenEndpoint?: boolean;
}

export function serveCommand(): Command {
  return new Command("serve")
    .description("Answer the six operations over HTTP from a database file.")
    .addOption(databaseOption())
    .addOption(adoptOption())
    .addOption(option("--port <number>", "where to listen; 0 picks a free port").default(10_002).argParser(parsePort))
    .addOption(option("--host <address>", "the address to listen on").default("127.0.0.1"))
    .addOption(repeatable("--secret <secret>", "a secret that administrators' tokens are signed with"))
    .addOption(repeatable("--admin <userID>", "a user who is an administrator"))
    .addOption(repeatable("--cors <origin>", "an origin that browsers may call from; * for any"))
    .addOption(option("--token-endpoint", "answer POST /auth/get_admin_token, with the first secret"))
    .addOption(option("--demo", "fill an empty database with a demo world, and print a token for it"))
    .action(run);
}

async function run(
  { db, adopt = false, port, host, demo, tokenEndpoint }: ServeFlags,
  command: Command,
): Promise<void> {
  const secrets = values(command, "secret");
  const adminUserIDs = values(command, "admin");
  const cors = values(command, "cors");
  if (demo) {
    if (secrets.length === 0) secrets.push(randomBytes(32).toString("base64url"));
    if (adminUserIDs.length === 0) adminUserIDs.push(demoAdminUserID);
  }
  const [secret] = secrets;
  const [userID] = adminUserIDs;
  if (!secret) command.error("error: a secret is needed: --secret or IM_ADMIN_SECRET");
  if (!userID) command.error("error: an administrator is needed: --admin or IM_ADMIN_ADMIN");

  const database = await openDatabase(db, adopt);
  const store = createSqlStore(database);
  if (demo && (await isEmpty(database))) await store.put(demoWorld());
  // A log that cannot be written, on a full disk, does not end the service.
  const logger = pino(
    { base: null },
    pino.destination({ dest: 2, sync: true }).on("error", () => {}),
  );
  const server = await serve({
    store,
    authenticate: jwtAuthenticator({ secrets, adminUserIDs }),
    observer: logCalls(logger),
    ...(cors.length > 0 && { cors }),
    ...(tokenEndpoint && { adminToken: { secret, adminUserIDs } }),
    port,
    host,
  });
  const stopped = new Promise((resolve) => process.once("SIGINT", resolve).once("SIGTERM", resolve));
  const hint = demo ? demoHint(server.url, userID, await signAdminToken({ secret, userID })) : "";
  process.stdout.write(`im-admin answers on ${server.url}, from ${db}\n${hint}`);

  await stopped;
  logger.info("finishing the requests under way");
  await server.close();
  await store.close();
}

/** Logs each request by its identifier, never by its contents. */
function logCalls(logger: Logger): Observer {
  return {
    onCall: (report) => logger.info(report, "call"),
    onError: ({ error, ...report }) => logger.error({ ...report, err: error }, "unforeseen failure"),
  };
}

function demoHint(url: string, userID: string, token: string): string {
  return `
A token of the administrator ${userID}:

  ${token}

A request to try:

  curl -s ${url}/group/get_group_member_list \\
    -H 'operationID: try-1' -H 'token: ${token}' \\
    -d '{"groupID":"${demoGroupID}","keyword":"李","pagination":{"pageNumber":1,"showNumber":3}}'

`;
}
