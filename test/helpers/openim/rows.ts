import {
  answerToAdmin,
  type Context,
  isSuccess,
  itemsOf,
  type ListName,
  listed,
  refused,
  wholeList,
} from "./context.js";
import type { Answer } from "./exchanges.js";
import { accountOf, by, find, groupInfo, type Item, userInfo, world } from "./world.js";

/** What proves a row of docs/compatibility.md. */
export interface Row {
  /**
   * What im-admin answers where the server has given this answer; a list is whole in it, and its items are named
   * `items`. The exchanges where this changes something prove the row.
   */
  rewrite?: (answer: Answer, context: Context) => Answer;
  /** Where both do the same: whether this answer of the server proves it. */
  shows?: (answer: Answer, context: Context) => boolean;
  /** Whether this answer is as the row says that the server answers. */
  claims?: (answer: Answer, context: Context) => boolean;
}

const argsError = refused(1001, "ArgsError");
const noPermission = refused(1002, "NoPermissionError");
const notFound = refused(1004, "RecordNotFoundError");

const timeFields = new Set([
  "createTime",
  "joinTime",
  "muteEndTime",
  "reqTime",
  "handleTime",
  "notificationUpdateTime",
]);
const fields = new Set(
  "userID groupID fromUserID pagination pageNumber showNumber keyword filter appManagerLevel groupIDs handleResults".split(
    " ",
  ),
);

/**
 * The rows by their sections and first cells, in the order in which they change an answer. `undefined` stands for a row
 * that nothing proves: it has been read.
 */
export const rows: Readonly<Record<string, Readonly<Record<string, Row | undefined>>>> = {
  "The request": {
    "path, method": {
      rewrite: (answer, { exchange }) =>
        answer.status === 404 ? refused(1001, "ArgsError", exchange.method === "POST" ? 404 : 405) : answer,
    },
    "`%5f` in the path": {
      rewrite: refuses(refused(1001, "ArgsError", 404), ({ exchange }) => /%5f/.test(exchange.path)),
    },
    "a slash at the end of the path": {
      rewrite: (answer, context) =>
        answer.status === 307 ? answerToAdmin(context, context.exchange.path.replace(/\/$/, "")) : answer,
    },
    "`operationID` header": {
      shows: (answer, { exchange }) => !("operationID" in exchange.headers) && hasCode(answer, 1001),
    },
    "its length": {
      rewrite: refuses(argsError, ({ exchange }) => (exchange.headers["operationID"]?.length ?? 0) > 256),
    },
    "`token` header": {
      shows: (answer, { exchange, list }) =>
        list !== undefined && exchange.token === undefined && hasCode(answer, 1001),
    },
    "content type": {
      shows: (answer, { exchange }) => exchange.headers["content-type"] !== "application/json" && isSuccess(answer),
    },
    body: {
      rewrite: refuses(refused(1001, "ArgsError", 413), ({ exchange }) => (exchange.body?.length ?? 0) > 1_048_576),
    },
    "names of fields": { rewrite: refuses(argsError, ({ asked }) => namesIn(asked).some(isOtherCase)) },
    "unknown fields": { shows: (answer, { asked }) => "unknown" in asked && isSuccess(answer) },
    "`null` for an optional field": {
      shows: (answer, { asked }) =>
        isSuccess(answer) && [asked, asked.conversation ?? {}].some((object) => Object.values(object).includes(null)),
    },
    "`pagination.pageNumber`": {
      shows: (answer, { asked }) => hasCode(answer, 1001) && Number(asked.pagination?.["pageNumber"]) < 1,
    },
    "`pagination.showNumber`": {
      rewrite: refuses(argsError, (context) => context.list !== undefined && !isShown(showNumberOf(context))),
      claims: (answer, context) =>
        !isSuccess(answer) ||
        !context.asked.pagination?.["pageNumber"] ||
        showNumberOf(context) > 0 ||
        itemsOf(answer).length === 0,
    },
    "`1.0` for a whole number": {
      rewrite: (answer, { exchange, ...context }) => {
        if (!/\b1\.0\b/.test(exchange.body ?? "")) return answer;
        return context.list === undefined ? done : wholeList({ exchange, ...context });
      },
    },
    "0 and 1 for `true` and `false`": {
      rewrite: refuses(argsError, ({ asked }) => typeof asked.conversation?.["isPinned"] === "number"),
    },
    identifiers: {
      rewrite: refuses(argsError, ({ asked, list }) => {
        const identifiers = list ? [asked["userID"], asked["groupID"], asked["fromUserID"]] : [];
        if (asked.conversation) identifiers.push(asked.conversation["conversationID"]);
        return identifiers.some(
          (identifier) => typeof identifier === "string" && !/^[^\p{Cc}]{1,64}$/u.test(identifier),
        );
      }),
    },
    "`userIDs`": {
      rewrite: refuses(argsError, (context) => isSet(context) && userIDsIn(context).length === 0),
      shows: (answer, context) => isSet(context) && userIDsIn(context).length === 0 && hasCode(answer, 1001),
    },
  },

  "Who may call": {
    administrators: { shows: (answer, { exchange }) => exchange.token === "admin" && isSuccess(answer) },
    "other users": { rewrite: refuses(noPermission, ({ exchange }) => /^u\d+$/.test(exchange.token ?? "")) },
    "a token that is expired, malformed or not yet valid, or has another secret": {
      shows: (answer, context) =>
        isToken(context, "expired", "malformed", "notYet", "wrongSecret") && !isSuccess(answer),
    },
    "a token with the server's secret that it has not given out": {
      rewrite: (answer, context) =>
        isToken(context, "selfMadeAdmin") && hasCode(answer, 1507) ? answerToAdmin(context) : answer,
      shows: (answer, context) => isToken(context, "selfMadeAdmin") && isSuccess(answer),
    },
    "a token of an administrator who has signed out": {
      rewrite: (answer, context) =>
        isToken(context, "signedOut") && hasCode(answer, 1506) ? answerToAdmin(context) : answer,
      shows: (answer, context) => isToken(context, "signedOut") && isSuccess(answer),
    },
    "a token without `exp`": {
      rewrite: (answer, context) => (isToken(context, "noExp") ? refused(1503, "TokenMalformedError") : answer),
    },
    "algorithms other than HS256": {
      rewrite: (answer, context) => (isToken(context, "hs512") ? refused(1505, "TokenUnknownError") : answer),
    },
  },

  get_group_member_list: {
    "`groupID`, `pagination`": { shows: isListed("members") },
    "`keyword`": {
      rewrite: changes("members", (items, context) => {
        const { keyword } = context.asked;
        if (!keyword) return items;
        if (find("groups", { groupID: context.asked["groupID"] }) === undefined) return [];
        return itemsOf(wholeList(context)).filter(({ userID, nickname }) => hasKeyword(keyword, userID, nickname));
      }),
    },
    "`filter`": {
      rewrite: changes("members", (items, { asked }) => {
        const levels = [[], [100], [60], [20], [20, 60], [60, 100]][Number(asked["filter"] ?? 0)] ?? [];
        return levels.length === 0 ? items : items.filter(({ roleLevel }) => levels.includes(Number(roleLevel)));
      }),
    },
    "unknown group": {
      rewrite: refuses(
        notFound,
        ({ list, asked }) => list === "members" && !find("groups", { groupID: asked["groupID"] }),
      ),
    },
    order: {
      rewrite: changes("members", (items) => sorted(items, by("-roleLevel", "joinTime", "userID"))),
    },
    "`appMangerLevel`": undefined,
    "`nickname`, `faceURL`": {
      shows: (answer, { list }) =>
        list === "members" &&
        itemsOf(answer).some(({ groupID, userID, nickname }) => {
          const stored = find("groupMembers", { groupID, userID });
          return stored?.["nickname"] === "" && nickname !== "" && nickname === userInfo(userID)["nickname"];
        }),
    },
    "a member who is gone": {
      shows: (answer, { list }) =>
        list === "members" && itemsOf(answer).some(({ userID }) => !find("users", { userID })),
    },
    "other fields": { shows: isListed("members") },
  },
  get_black_list: {
    "`userID`, `pagination`": { shows: isListed("blacks") },
    "a blocked user who is gone": {
      rewrite: (answer, { list, asked }) =>
        list === "blacks" && (answer.status === 500 || hasCode(answer, 2)) ? listed(blacksOf(asked["userID"])) : answer,
    },
    "unknown user": {
      rewrite: refuses(notFound, ({ list, asked }) => list === "blacks" && isUnknown(asked["userID"])),
    },
    order: {
      rewrite: changes("blacks", (items) => {
        const createTime = ({ ownerUserID, blackUserInfo }: Item) =>
          find("blacks", { ownerUserID, blackUserID: idOf(blackUserInfo) })?.["createTime"];
        return sortedBy(items, (item) => ({ createTime: createTime(item), userID: idOf(item["blackUserInfo"]) }), [
          "-createTime",
          "userID",
        ]);
      }),
    },
    "`createTime`": {
      shows: (answer, { list }) =>
        list === "blacks" && itemsOf(answer).some(({ createTime }) => Number(createTime) > 1e9),
    },
    "other fields": { shows: isListed("blacks") },
  },
  get_joined_group_list: {
    "`fromUserID`, `pagination`": { shows: isListed("joined") },
    "unknown user": {
      rewrite: refuses(notFound, ({ list, asked }) => list === "joined" && isUnknown(asked["fromUserID"])),
    },
    "dismissed groups": {
      rewrite: changes("joined", (items, { asked }) =>
        withGroups(items, asked["fromUserID"], (group) => group?.["status"] === 2),
      ),
      claims: (answer, { list, asked }) =>
        list !== "joined" ||
        membershipsOf(asked["fromUserID"]).length < 2 ||
        itemsOf(answer).every(({ status }) => status !== 2),
    },
    "a group that is gone": {
      rewrite: changes("joined", (items, { asked }) => withGroups(items, asked["fromUserID"], (group) => !group)),
    },
    "`ownerUserID` of two owners": {
      rewrite: changes("joined", (items) => {
        const isRight = items.every(({ groupID, ownerUserID }) => groupInfo(groupID)["ownerUserID"] === ownerUserID);
        if (isRight) return items;
        return items.map((item) => ({ ...item, ownerUserID: groupInfo(item["groupID"])["ownerUserID"] }));
      }),
    },
    order: {
      rewrite: changes("joined", (items, { asked }) => {
        const joinTime = ({ groupID }: Item) =>
          find("groupMembers", { groupID, userID: asked["fromUserID"] })?.["joinTime"];
        return sortedBy(items, (item) => ({ joinTime: joinTime(item), groupID: item["groupID"] }), [
          "-joinTime",
          "groupID",
        ]);
      }),
      claims: (answer, { list }) => list !== "joined" || isSorted(itemsOf(answer), by("groupName", "createTime")),
    },
    fields: { shows: isListed("joined") },
  },
  get_recv_group_applicationList: {
    "`fromUserID`, `pagination`": { shows: isListed("requests") },
    "`handleResults`": {
      rewrite: refuses(argsError, ({ asked }) =>
        ((asked["handleResults"] ?? []) as number[]).some((result) => result > 1),
      ),
      shows: (answer, { list, asked }) =>
        list === "requests" && asked["handleResults"] !== undefined && isSuccess(answer),
    },
    "a managed group that is gone": {
      rewrite: (answer, { list, asked }) =>
        list === "requests" && hasCode(answer, 1201) ? listed(requestsTo(asked["fromUserID"])) : answer,
    },
    "unknown user": {
      rewrite: refuses(notFound, ({ list, asked }) => list === "requests" && isUnknown(asked["fromUserID"])),
    },
    "`groupIDs`": {
      rewrite: changes("requests", (items, { asked }) => {
        const managed = managedBy(asked["fromUserID"]);
        return items.every(({ groupInfo }) => managed.includes(idOf(groupInfo, "groupID")))
          ? items
          : items.filter(({ groupInfo }) => managed.includes(idOf(groupInfo, "groupID")));
      }),
    },
    "an applicant who is gone": {
      rewrite: changes("requests", (items) => {
        if (items.every((item) => item["userInfo"] !== null)) return items;
        return items.map((item) => {
          const { reqTime, groupInfo } = item;
          const stored = world.groupRequests.filter(({ userID }) => isUnknown(userID));
          const request = stored.find(
            (request) => request["reqTime"] === reqTime && request["groupID"] === idOf(groupInfo, "groupID"),
          );
          return { ...item, userInfo: item["userInfo"] ?? userInfo(request?.["userID"]) };
        });
      }),
    },
    "`handleMsg`": {
      rewrite: changes("requests", (items) =>
        items.map((item) => {
          const key = { groupID: idOf(item["groupInfo"], "groupID"), userID: idOf(item["userInfo"]) };
          return { ...item, handleMsg: find("groupRequests", key)?.["handleMsg"] };
        }),
      ),
      claims: (answer, { list }) => list !== "requests" || itemsOf(answer).every(({ handleMsg }) => handleMsg === ""),
    },
    "`handleUserID`, `handleTime`": {
      shows: (answer, { list }) =>
        list === "requests" &&
        itemsOf(answer).some(({ handleResult, handleUserID }) => handleResult !== 0 && handleUserID === ""),
    },
    order: {
      rewrite: changes("requests", (items) =>
        sortedBy(
          items,
          ({ reqTime, groupInfo, userInfo }) => ({
            reqTime,
            groupID: idOf(groupInfo, "groupID"),
            userID: idOf(userInfo),
          }),
          ["-reqTime", "groupID", "userID"],
        ),
      ),
      claims: (answer, { list }) => list !== "requests" || isSorted(itemsOf(answer), by("-reqTime")),
    },
    "other fields": { shows: isListed("requests") },
  },
  search_notification_account: {
    "`keyword`": {
      rewrite: changes("accounts", (items, { asked }) => {
        const { keyword } = asked;
        if (!keyword) return items;
        return accounts((user) => hasKeyword(keyword, user["userID"], user["nickname"]));
      }),
    },
    "no keyword": {
      rewrite: changes("accounts", (items, { asked }) =>
        asked["keyword"] || asked["appManagerLevel"] || items.some(({ appMangerLevel }) => Number(appMangerLevel) > 3)
          ? items
          : accounts(() => true),
      ),
      shows: (answer, { list }) =>
        list === "accounts" && itemsOf(answer).some(({ appMangerLevel }) => appMangerLevel === 5),
    },
    "`appManagerLevel`": {
      rewrite: (answer, context) => {
        const level = context.asked["appManagerLevel"];
        if (level !== undefined && level !== null && level !== 3 && level !== 4) return argsError;
        return changes("accounts", (items) =>
          level === 4 && !items.some(({ appMangerLevel }) => appMangerLevel === 4)
            ? accounts(({ appMangerLevel }) => appMangerLevel === 4)
            : items,
        )(answer, context);
      },
    },
    "configured administrators": {
      shows: (answer, { list, asked }) =>
        list === "accounts" && asked["keyword"] === "imAdmin" && itemsOf(answer).length === 0,
    },
    order: { rewrite: changes("accounts", (items) => sorted(items, by("userID"))) },
    "`appMangerLevel` of an account": {
      rewrite: changes("accounts", (items) => items.map(({ appMangerLevel: _, ...item }) => item)),
    },
    "`userID`, `faceURL`, `nickName`": { shows: isListed("accounts") },
  },

  set_conversations: {
    "`conversationType`": {
      rewrite: (answer, context) => {
        const type = conversationIn(context)["conversationType"];
        return typeof type === "number" && type !== 1 && type !== 3 && !hasCode(answer, 1001) ? argsError : answer;
      },
    },
    "`recvMsgOpt`, `burnDuration`": {
      rewrite: refuses(argsError, (context) => {
        const { recvMsgOpt, burnDuration } = conversationIn(context);
        return Number(recvMsgOpt ?? 0) > 2 || Number(burnDuration ?? 0) < 0;
      }),
    },
    "type, peer or group other than stored": {
      rewrite: refuses(argsError, (context) => {
        const { conversationID, conversationType, userID = "", groupID = "" } = conversationIn(context);
        return userIDsIn(context).some((ownerUserID) => {
          const stored = find("conversations", { ownerUserID, conversationID });
          const asked = [conversationType, userID, groupID];
          const kept = [stored?.["conversationType"], stored?.["userID"], stored?.["groupID"]];
          return stored !== undefined && `${asked}` !== `${kept}`;
        });
      }),
    },
    "unknown users, peer or group": {
      rewrite: refuses(notFound, (context) => {
        const { userID, groupID } = conversationIn(context);
        return (
          [...userIDsIn(context), userID].some((id) => id !== undefined && isUnknown(id)) ||
          (groupID !== undefined && !find("groups", { groupID }))
        );
      }),
    },
    "a dismissed group": {
      rewrite: refuses(refused(1204, "DismissedAlreadyError"), (context) => {
        const group = find("groups", { groupID: conversationIn(context)["groupID"] });
        return group?.["status"] === 2;
      }),
    },
    "a user who is named twice": {
      shows: (answer, context) => isSuccess(answer) && new Set(userIDsIn(context)).size < userIDsIn(context).length,
    },
    "how users are changed": undefined,
    "`isPrivateChat` in a single chat": {
      rewrite: stores((stored, context) =>
        stored.filter(({ ownerUserID }) => userIDsIn(context).includes(ownerUserID)),
      ),
    },
    "`isPrivateChat` in a group chat": {
      rewrite: stores((stored, context) => {
        const { isPrivateChat, conversationType } = conversationIn(context);
        return isPrivateChat === true && conversationType === 3
          ? stored.map((item) => ({ ...item, isPrivateChat }))
          : stored;
      }),
    },
    "`minSeq`, `maxSeq`": {
      rewrite: stores((stored, context) => {
        const { minSeq, maxSeq } = conversationIn(context);
        return minSeq === undefined ? stored : stored.map((item) => ({ ...item, minSeq, maxSeq }));
      }),
    },
    "`groupAtType`, `msgDestructTime`, `isMsgDestruct`": {
      shows: (answer, context) => conversationIn(context)["groupAtType"] === 1 && answer.stored?.length === 1,
    },
    "other fields": { shows: (answer) => (answer.stored?.length ?? 0) > 1 },
  },
  get_admin_token: {
    "`secret`, `userID`": { shows: (answer, context) => isTokenCall(context) && isSuccess(answer) },
    "wrong secret": { shows: (answer, context) => isTokenCall(context) && hasCode(answer, 1002) },
    "unknown administrator": {
      rewrite: (answer, context) =>
        isTokenCall(context) && hasCode(answer, 1001) && context.asked["userID"] !== "" ? noPermission : answer,
    },
    "whether the user exists": undefined,
    "wrong attempts": undefined,
    body: {
      rewrite: refuses(
        refused(1001, "ArgsError", 413),
        (context) => isTokenCall(context) && (context.exchange.body?.length ?? 0) > 4096,
      ),
    },
    "`token`, `expireTimeSeconds`": { shows: (answer, context) => isTokenCall(context) && isSuccess(answer) },
  },

  "The answer": {
    // What is sent as bytes is in the test.
    "to HTTP/1.0": undefined,
    "to what is no HTTP": undefined,
    "HTTP status": { shows: (answer) => answer.status === 200 && !isSuccess(answer) },
    "`errCode`, `errMsg`, `errDlt`": {
      shows: ({ body }) => Object.keys(body).slice(0, 3).join() === "errCode,errMsg,errDlt",
    },
    "`errMsg`": {
      rewrite: (answer) => {
        if (typeof answer.body !== "object") return answer;
        const { errCode, errMsg } = answer.body;
        if (errCode === 1001) return withBody(answer, { errMsg: "ArgsError" });
        return errMsg === "signature is invalid" ? withBody(answer, { errMsg: "TokenUnknownError" }) : answer;
      },
    },
    "`errDlt`": { rewrite: (answer) => (isSuccess(answer) ? answer : withBody(answer, { errDlt: "" })) },
    "`data` of a failure": { shows: ({ body }) => typeof body === "object" && body.errCode !== 0 && !("data" in body) },
    "`data` of set_conversations": {
      rewrite: (answer, context) => (isSet(context) && isSuccess(answer) ? withBody(answer, { data: null }) : answer),
    },
    "an empty list": {
      rewrite: (answer) => {
        const data = typeof answer.body === "object" ? answer.body.data : undefined;
        return data?.["items"] === null ? withBody(answer, { data: { ...data, items: [] } }) : answer;
      },
    },
    "times before 1970, such as Go's zero time": {
      rewrite: (answer) => {
        const text = JSON.stringify(answer);
        const changed = JSON.stringify(answer, (name, value) => (timeFields.has(name) ? Math.max(0, value) : value));
        return text === changed ? answer : JSON.parse(changed);
      },
    },
    "numbers, such as times of 64 bits": {
      shows: ({ body }) => typeof body === "object" && typeof body.data?.["total"] === "number",
    },
    compression: { rewrite: withoutHeader("content-encoding") },
    CORS: {
      rewrite: (answer, context) =>
        context.exchange.method === "OPTIONS"
          ? refused(1001, "ArgsError", 405)
          : withoutHeader("access-control-allow-origin")(answer),
    },
  },
};

const done: Answer = { status: 200, headers: {}, body: { errCode: 0, errMsg: "", errDlt: "" } };

/** Refuses what the server accepts. */
function refuses(refusal: Answer, when: (context: Context) => boolean): NonNullable<Row["rewrite"]> {
  return (answer, context) => (isSuccess(answer) && when(context) ? refusal : answer);
}

/** Changes a whole list. */
function changes(name: ListName, change: (items: readonly Item[], context: Context) => readonly Item[]) {
  return (answer: Answer, context: Context): Answer => {
    if (context.list !== name || !isSuccess(answer)) return answer;
    const items = itemsOf(answer);
    const changed = change(items, context);
    return changed === items ? answer : { ...answer, body: listed(changed).body };
  };
}

/** Changes which conversations a request has stored. */
function stores(change: (stored: readonly Item[], context: Context) => readonly Item[]) {
  return (answer: Answer, context: Context): Answer =>
    answer.stored === undefined ? answer : { ...answer, stored: change(answer.stored, context) };
}

function withBody(answer: Answer, changed: object): Answer {
  return typeof answer.body === "object" ? { ...answer, body: { ...answer.body, ...changed } } : answer;
}

function withoutHeader(name: string) {
  return (answer: Answer): Answer =>
    answer.headers[name] ? { ...answer, headers: { ...answer.headers, [name]: null } } : answer;
}

function isListed(name: ListName) {
  return (answer: Answer, { list }: Context) => list === name && isSuccess(answer) && itemsOf(answer).length > 0;
}

function hasCode({ body }: Answer, errCode: number): boolean {
  return typeof body === "object" && body.errCode === errCode;
}

function isToken({ exchange: { token = "" } }: Context, ...names: string[]): boolean {
  return names.includes(token);
}

function isSet({ exchange }: Context): boolean {
  return exchange.path === "/conversation/set_conversations";
}

function isTokenCall({ exchange }: Context): boolean {
  return exchange.path === "/auth/get_admin_token";
}

function conversationIn({ asked }: Context): Item {
  return asked.conversation ?? {};
}

function userIDsIn({ asked }: Context): readonly unknown[] {
  return (asked["userIDs"] ?? []) as readonly unknown[];
}

function showNumberOf({ asked }: Context): number {
  return Number(asked.pagination?.["showNumber"] ?? 0);
}

function isShown(showNumber: number): boolean {
  return showNumber >= 1 && showNumber <= 1000;
}

/** The names of the fields of an object, and of those in it. */
function namesIn(object: Item): string[] {
  return Object.entries(object).flatMap(([name, value]) =>
    value !== null && typeof value === "object" && !Array.isArray(value) ? [name, ...namesIn(value as Item)] : [name],
  );
}

function isOtherCase(name: string): boolean {
  return !fields.has(name) && [...fields].some((field) => field.toLowerCase() === name.toLowerCase());
}

function hasKeyword(keyword: unknown, ...texts: unknown[]): boolean {
  return texts.some((text) => String(text).toLowerCase().includes(String(keyword).toLowerCase()));
}

function isUnknown(userID: unknown): boolean {
  return find("users", { userID }) === undefined;
}

function idOf(profile: unknown, field = "userID"): unknown {
  return (profile as Item | null)?.[field];
}

function sorted(items: readonly Item[], order: (left: Item, right: Item) => number): readonly Item[] {
  return isSorted(items, order) ? items : items.toSorted(order);
}

function sortedBy(items: readonly Item[], keyOf: (item: Item) => Item, names: string[]): readonly Item[] {
  const keys = new Map(items.map((item) => [item, keyOf(item)]));
  return sorted(items, (left, right) => by(...names)(keys.get(left) ?? {}, keys.get(right) ?? {}));
}

function isSorted(items: readonly Item[], order: (left: Item, right: Item) => number): boolean {
  return items.every((item, index) => index === 0 || order(items[index - 1] ?? item, item) <= 0);
}

function membershipsOf(userID: unknown): Item[] {
  return world.groupMembers.filter((member) => member["userID"] === userID);
}

function managedBy(userID: unknown): unknown[] {
  return membershipsOf(userID).flatMap(({ groupID, roleLevel }) => (Number(roleLevel) >= 60 ? [groupID] : []));
}

/** The list with the user's groups of a kind that are not in it. */
function withGroups(items: readonly Item[], userID: unknown, isOfKind: (group: Item | undefined) => boolean) {
  const listed = new Set(items.map(({ groupID }) => groupID));
  const others = membershipsOf(userID).filter(
    ({ groupID }) => !listed.has(groupID) && isOfKind(find("groups", { groupID })),
  );
  return others.length === 0 ? items : [...items, ...others.map(({ groupID }) => groupInfo(groupID))];
}

function blacksOf(ownerUserID: unknown): Item[] {
  return world.blacks
    .filter((black) => black["ownerUserID"] === ownerUserID)
    .map(({ blackUserID, createTime, ...rest }) => ({
      ...rest,
      createTime: Math.floor(Number(createTime) / 1000),
      blackUserInfo: userInfo(blackUserID),
    }));
}

function requestsTo(userID: unknown): Item[] {
  const managed = managedBy(userID);
  return world.groupRequests
    .filter(({ groupID }) => managed.includes(groupID))
    .map(({ groupID, userID, ...rest }) => ({ ...rest, groupInfo: groupInfo(groupID), userInfo: userInfo(userID) }));
}

function accounts(isListed: (user: Item) => boolean): Item[] {
  return world.users.filter((user) => Number(user["appMangerLevel"]) >= 3 && isListed(user)).map(accountOf);
}
