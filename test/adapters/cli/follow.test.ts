import { expect, it } from "vitest";
import { signAdminToken } from "../../../adapters/auth.js";
import { scratchUrl } from "../../../adapters/cli/follow/trial/mongo.js";
import { imAdmin, post, serve } from "../../helpers/cliProcess.js";
import { account, newOpenim, withMongodb } from "../../helpers/openim/followed.js";

const secret = "a-secret-of-some-length";
const pagination = { pageNumber: 1, showNumber: 3 };
const token = await signAdminToken({ secret, userID: "boss" });

it("serve --follow fills its lists from OpenIM's database, and follows its changes", async () => {
  const { log, url: from, db } = newOpenim();
  for (const id of [1, 2]) log.insert("user", account(id));
  const environment = { ...withMongodb(), IM_ADMIN_FOLLOW: from };
  const flags = ["--secret", secret, "--admin", "boss", "--db", db, "--max-copy-age", "1h"];
  const { url, stdout, wrote, stop } = await serve(flags, environment);
  expect(stdout).toBe(`im-admin answers on ${url}, from ${db}\nthe lists follow OpenIM's database in MongoDB\n`);
  const accounts = () => post(`${url}/user/search_notification_account`, token, { pagination });
  await expect.poll(accounts).toMatchObject({ data: { total: 2 } });
  await wrote("stderr", /"following OpenIM's changes"/);

  log.insert("user", { ...account(3), nickname: "a\u0000" });
  log.delete("user", 1);
  await expect.poll(accounts).toMatchObject({
    data: {
      total: 2,
      notificationAccounts: [
        { userID: "n2", nickName: "News 2" },
        { userID: "n3", nickName: "a\ufffd" },
      ],
    },
  });
  const health = async () => {
    const answer = await fetch(`${url}/healthz`);
    return [answer.status, await answer.json()];
  };
  await expect.poll(health).toEqual([
    200,
    {
      status: "ok",
      copyAgeSeconds: expect.toSatisfy((age) => age >= 0 && age <= 60),
      following: { isCopying: false, isFailing: false, copies: 1, changes: 2, mended: 1, leftOut: 0, passedOver: 0 },
    },
  ]);
  // The next copy would undo it.
  const conversation = { conversationID: "c", conversationType: 3, groupID: "g", isPinned: true };
  expect(await post(`${url}/conversation/set_conversations`, token, { userIDs: ["n2"], conversation })).toMatchObject({
    errCode: 1001,
    errDlt: "1001 ArgsError: this server keeps no conversations",
  });

  const { status, stderr } = await stop();
  expect(status).toBe(0);
  for (const part of ["secret", "example.org"]) expect(stderr).not.toContain(part);
});

it.each([
  ["mongodb://mongo:27017", "mongodb://mongo:27017/im_admin_try"],
  ["mongodb://a:1,b:2/openim_v3?replicaSet=rs0", "mongodb://a:1,b:2/im_admin_try?replicaSet=rs0"],
  ["mongodb://im:s@mongo/openim_v3", "mongodb://im:s@mongo/im_admin_try?authSource=openim_v3"],
  ["mongodb://im:s@mongo/?tls=true", "mongodb://im:s@mongo/im_admin_try?tls=true&authSource=admin"],
  ["mongodb+srv://im:s@mongo/o?authSource=x", "mongodb+srv://im:s@mongo/im_admin_try?authSource=x"],
  ["mongodb://im@mongo/o?authMechanism=MONGODB-X509", "mongodb://im@mongo/im_admin_try?authMechanism=MONGODB-X509"],
])("follow --try %s writes to a database of its own, and its user stays who it is", (url, expected) => {
  expect(scratchUrl(url)).toBe(expected);
});

const unreadable =
  "cannot be read: it must be such as mongodb://user@host:27017/openim_v3, with OpenIM's database, " +
  "with %40, %2F and %23 for @, / and # in a password, and with options that the package mongodb knows\n";
const serving = ["serve", "--port", "0", "--secret", secret, "--admin", "boss"];

it.each<[string[], status: number, stderr: string]>([
  [["follow"], 2, "im-admin: the URL of OpenIM's MongoDB is needed: --from or IM_ADMIN_FROM\n"],
  [
    ["follow", "--from", "mongodb://h/openim", "--db", ":memory:"],
    2,
    "im-admin: follow is for a database that processes can share: --db must be a file or a URL\n",
  ],
  [
    ["follow", "--from", "mongodb://im:half@secret@db.example.org/openim"],
    1,
    `im-admin: the URL in --from ${unreadable}`,
  ],
  [["follow", "--from", "mongodb://im:secret@db.example.org:27017/"], 1, `im-admin: the URL in --from ${unreadable}`],
  [["follow", "--from", "im:secret@db.example.org"], 1, `im-admin: the URL in --from ${unreadable}`],
  [[...serving, "--follow", "mongodb://im:half@secret@h/o"], 1, `im-admin: the URL in --follow ${unreadable}`],
  [
    ["follow", "--from", "mongodb://im:secret@db.example.org/openim"],
    1,
    "im-admin: the package mongodb, which speaks to MongoDB, cannot be loaded: npm install mongodb (version 6.22, or 7 from Node 20.19 on)\n",
  ],
  [
    [...serving, "--follow", "mongodb://h/openim", "--demo"],
    2,
    "im-admin: --demo is not for --follow: the lists are those of OpenIM\n",
  ],
  [[...serving, "--max-copy-age", "1h"], 2, "im-admin: --max-copy-age is for --upstream or --follow\n"],
  [
    [...serving, "--follow", "mongodb://h/openim", "--history", "h.db"],
    2,
    "im-admin: --history is not for --follow: OpenIM writes the conversations\n",
  ],
])("refuses %j in a sentence", async (args, status, stderr) => {
  const ended = await imAdmin(args);
  expect({ ...ended, stderr: ended.stderr.replace(/im-admin \w+ --help tells what there is\.\n$/, "") }).toEqual({
    status,
    stdout: "",
    stderr,
  });
});
