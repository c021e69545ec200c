import { type Answer, type Exchange, exchanges, type Version } from "./exchanges.js";
import type { Item } from "./world.js";

/** A request that a version of the server has answered. */
export interface Context {
  exchange: Exchange;
  version: Version;
  /** The body of the request; empty if it is not an object in JSON. */
  asked: Asked;
  /** Which list is asked for. */
  list?: ListName;
}

export interface Asked extends Item {
  readonly pagination?: Readonly<Record<string, unknown>> | null;
  readonly conversation?: Item;
}

export type ListName = keyof typeof lists;

/** The lists: their paths, the fields of their answers, and the fields that say whose list it is. */
export const lists = {
  members: { path: "/group/get_group_member_list", field: "members", owner: "groupID" },
  blacks: { path: "/friend/get_black_list", field: "blacks", owner: "userID" },
  joined: { path: "/group/get_joined_group_list", field: "groups", owner: "fromUserID" },
  requests: { path: "/group/get_recv_group_applicationList", field: "groupRequests", owner: "fromUserID" },
  accounts: { path: "/user/search_notification_account", field: "notificationAccounts", owner: "" },
} as const;

export function contextOf(exchange: Exchange, version: Version): Context {
  const path = exchange.path.replace(/\/$/, "");
  const list = (Object.keys(lists) as ListName[]).find((name) => lists[name].path === path);
  return { exchange, version, asked: askedIn(exchange.body), ...(list && { list }) };
}

function askedIn(body = ""): Asked {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Asked) : {};
  } catch {
    return {};
  }
}

export function isSuccess({ body }: Answer): boolean {
  return typeof body === "object" && body.errCode === 0;
}

export function refused(errCode: number, errMsg: string, status = 200): Answer {
  return { status, headers: {}, body: { errCode, errMsg, errDlt: "" } };
}

/** An answer with a whole list. */
export function listed(items: readonly Item[], total = items.length): Answer {
  return { status: 200, headers: {}, body: { errCode: 0, errMsg: "", errDlt: "", data: { total, items } } };
}

/** The items of an answer with a list. */
export function itemsOf({ body }: Answer): readonly Item[] {
  return typeof body === "object" ? ((body.data?.["items"] ?? []) as Item[]) : [];
}

/** An answer with a list, whose items are named `items` whatever the list is. */
export function named(answer: Answer, list: ListName | undefined): Answer {
  if (list === undefined || typeof answer.body !== "object" || !answer.body.data) return answer;
  const { [lists[list].field]: items, ...rest } = answer.body.data;
  return { ...answer, body: { ...answer.body, data: { ...rest, items } } };
}

/** What the server answers the administrator to the same request, without what is special about the exchange. */
export function answerToAdmin({ exchange, version, list }: Context, path = exchange.path): Answer {
  const same = exchanges.find(
    ({ path: other, token, body, answers }) =>
      other === path && token === "admin" && body === exchange.body && isSuccess(answers[version] ?? refused(500, "")),
  );
  return named(same?.answers[version] ?? missing(`the administrator's request for ${path} ${exchange.body}`), list);
}

/** The whole list of which the server answers a page. */
export function wholeList({ version, list = missing("the list"), asked }: Context): Answer {
  const { path, owner } = lists[list];
  const sameFields = list === "members" ? [owner] : [owner, "groupIDs", "handleResults", "appManagerLevel"];
  for (const { path: other, token, body, answers } of exchanges) {
    const { pagination, ...rest } = askedIn(body);
    const isWhole = pagination?.["pageNumber"] === 1 && pagination["showNumber"] === 100;
    const isSame = sameFields.every(
      (field) => JSON.stringify(rest[field] ?? "") === JSON.stringify(asked[field] ?? ""),
    );
    const answer = answers[version];
    const isPlain = (rest["keyword"] ?? "") === "" && (rest["filter"] ?? 0) === 0;
    if (other === path && token === "admin" && isWhole && isSame && isPlain && answer) return named(answer, list);
  }
  return missing(`the whole list for ${path} ${JSON.stringify(asked)}`);
}

function missing(what: string): never {
  throw new Error(`the fixture lacks ${what}`);
}
