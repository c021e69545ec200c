import type { Store } from "../../src/store.js";
import { demoGroupID, demoUserID } from "./demo.js";

interface Demo {
  store: Store;
  /** The name of the database in messages. */
  name: string;
  url: string;
  /** The URL of the console, if the server has one. */
  consoleUrl?: string | undefined;
  userID: string;
  token: string;
  /** How long the token is good, or which secret signed it. */
  lasts?: string | undefined;
}

/** Shows a token, a request to paste, and a link to the console. The request works with any content of the database. */
export async function demoHint({ store, name, url, consoleUrl, userID, token, lasts }: Demo): Promise<string> {
  const isDemo = await holdsDemoWorld(store);
  const [path, body] = isDemo
    ? ["/group/get_group_member_list", { groupID: demoGroupID, keyword: "李", pagination: firstPage }]
    : ["/user/search_notification_account", { pagination: firstPage }];
  const note = isDemo ? "" : `${name} held other data already, so that the demo world was not added.\n`;
  return `${note}
A token of the administrator ${userID}${lasts === undefined ? "" : `, ${lasts}`}:

  ${token}

A request to try:

  curl -s '${url}${path}' \\
    -H 'operationID: try-1' -H 'token: ${token}' \\
    -d '${JSON.stringify(body)}'

${consoleUrl ? consoleHint(consoleUrl, token, isDemo ? `/groups/${demoGroupID}` : "/") : ""}`;
}

/** The fragment has the token: no browser sends it, and the page removes it from the address bar. */
function consoleHint(url: string, token: string, place: string): string {
  return `The console, with that token:

  ${url}#token=${token}&place=${place}

`;
}

const firstPage = { pageNumber: 1, showNumber: 3 };

/** Recognizes the demo world by the owner of its big group. */
async function holdsDemoWorld(store: Store): Promise<boolean> {
  const owner = { groupID: demoGroupID, keyword: demoUserID(1), offset: 0, limit: 1 };
  const page = await store.listGroupMembers(owner);
  return page !== undefined && page.total > 0;
}
