import type { Store } from "../../src/store.js";
import { demoGroupID, demoUserID } from "./demo.js";

interface Demo {
  store: Store;
  /** What the database is called. */
  name: string;
  url: string;
  /** Where the console is, if it is served. */
  consoleUrl?: string | undefined;
  userID: string;
  token: string;
  /** What is to be said of the token, if anything. */
  lasts?: string | undefined;
}

/** A token and a request to paste, which works whatever the database holds, and the console with that token. */
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

/** The token stands in the fragment, which no browser sends, and which the page removes from the address bar. */
function consoleHint(url: string, token: string, place: string): string {
  return `The console, with that token:

  ${url}#token=${token}&place=${place}

`;
}

const firstPage = { pageNumber: 1, showNumber: 3 };

/** The demo world is known by the owner of its big group. */
async function holdsDemoWorld(store: Store): Promise<boolean> {
  const owner = { groupID: demoGroupID, keyword: demoUserID(1), offset: 0, limit: 1 };
  const page = await store.listGroupMembers(owner);
  return page !== undefined && page.total > 0;
}
