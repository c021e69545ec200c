/** What is shown of a list. */
interface View {
  /** The first row in view, from 1. */
  row: number;
  /** The key of the row whose details are open; empty or missing if none are. */
  open?: string;
}

/** A place: a screen, and what it shows. The address bar has it. */
export type Place =
  | { screen: "start" }
  | ({ screen: "members"; groupID: string; keyword: string; filter: RoleFilter } & View)
  | ({ screen: "groupRequests"; groupID: string; result: RequestResult; order?: Order } & View)
  | ({ screen: "groups"; userID: string } & View)
  | ({ screen: "requests"; userID: string; result: RequestResult; order?: Order } & View)
  | ({ screen: "blacklist"; userID: string } & View)
  | ({ screen: "accounts"; keyword: string; level: number } & View)
  /** The form for a conversation, which may name a group or a peer, and one user or members of the group. */
  | { screen: "conversations"; groupID: string; peer?: string; userID?: string; members?: MembersRule }
  /** The history of settings: those that fit, and the one whose details are open. */
  | ({ screen: "history" } & SettingsRule & View);

/** Which settings: of a conversation, for a user, by an administrator, on a day such as `2026-11-28`, of a field. */
const settingsRule = ["conversation", "user", "admin", "day", "field"] as const;
type SettingsRule = { [Name in (typeof settingsRule)[number]]?: string };

/** Which members of a group: those with a role, whose name or ID has the keyword. */
export interface MembersRule {
  filter: RoleFilter;
  keyword: string;
}

export type PlaceOf<Screen extends Place["screen"]> = Extract<Place, { screen: Screen }>;
export type ListPlace = Extract<Place, View>;

/** The start of a list, with no details open. */
export function startOf<At extends ListPlace>(at: At): At {
  return { ...at, row: 1, open: "" };
}

/** The interface's `filter`: 0 all, 1 owner, 2 administrators, 3 members, 4 both of these, 5 owner, administrators. */
const roleFilters = [0, 1, 2, 3, 4, 5] as const;
type RoleFilter = (typeof roleFilters)[number];

/** The filter for a number; 0 for an unknown number. */
export function roleFilter(given: number): RoleFilter {
  return roleFilters.find((filter) => filter === given) ?? 0;
}

/** Which join requests are shown. */
export const requestResults = ["pending", "accepted", "refused", "all"] as const;
export type RequestResult = (typeof requestResults)[number];

/** The order of join requests. Without it, the newest come first. */
type Order = "oldest" | undefined;

/** The largest number in an address, which is the largest of the interface. */
const mostNumber = 2_147_483_647;

/** Reads the fragment of an address. An unknown fragment leads to the start. */
export function parsePlace(fragment: string): Place {
  const [path = "", query = ""] = fragment.replace(/^#/, "").split("?", 2);
  const [kind = "", id = "", list = ""] = path.split("/").slice(1).map(decode);
  const parameters = new URLSearchParams(query);
  const number = (name: string, least: number) =>
    Math.min(mostNumber, Math.max(least, Math.trunc(Number(parameters.get(name))) || 0));
  const keyword = parameters.get("keyword") ?? "";
  const open = parameters.get("open");
  const view: View = { row: number("row", 1), ...(open && { open }) };

  const result = requestResults.find((name) => name === parameters.get("result")) ?? "pending";
  const order = parameters.get("order") === "oldest" ? "oldest" : undefined;
  if (kind === "groups" && id && list === "requests")
    return { screen: "groupRequests", groupID: id, result, order, ...view };
  if (kind === "groups" && id)
    return { screen: "members", groupID: id, keyword, filter: roleFilter(number("filter", 0)), ...view };
  if (kind === "users" && id && list === "requests") return { screen: "requests", userID: id, result, order, ...view };
  if (kind === "users" && id && list === "blacklist") return { screen: "blacklist", userID: id, ...view };
  if (kind === "users" && id) return { screen: "groups", userID: id, ...view };
  if (kind === "accounts") return { screen: "accounts", keyword, level: number("level", 0), ...view };
  if (kind === "conversations") {
    const [peer, userID] = [parameters.get("peer"), parameters.get("user")];
    const members = parameters.has("members") && { filter: roleFilter(number("members", 0)), keyword };
    return {
      screen: "conversations",
      groupID: id,
      ...(peer && { peer }),
      ...(userID && { userID }),
      ...(id && members && { members }),
    };
  }
  if (kind === "history") {
    const rule = settingsRule.flatMap((name) => (parameters.get(name) ? [[name, parameters.get(name)]] : []));
    return { screen: "history", ...Object.fromEntries(rule), ...view };
  }
  return { screen: "start" };
}

/** The fragment of a place. */
export function formatPlace(place: Place): string {
  switch (place.screen) {
    case "start":
      return fragment([]);
    case "members":
      return fragment(["groups", place.groupID], place);
    case "groupRequests":
      return fragment(["groups", place.groupID, "requests"], place);
    case "groups":
    case "requests":
    case "blacklist":
      return fragment(["users", place.userID, place.screen], place);
    case "accounts":
    case "history":
      return fragment([place.screen], place);
    case "conversations": {
      const { groupID, peer, userID, members } = place;
      const rule = members && { members: String(members.filter), keyword: members.keyword };
      return fragment(["conversations", ...(groupID && [groupID])], { peer, user: userID, ...rule });
    }
  }
}

/** The parameters of an address in their order, each with the value that it need not have, which keeps addresses short. */
const defaults = {
  peer: "",
  conversation: "",
  user: "",
  admin: "",
  day: "",
  field: "",
  members: "",
  keyword: "",
  filter: 0,
  level: 0,
  result: "pending",
  order: "",
  row: 1,
  open: "",
};

function fragment(path: readonly string[], values: object = {}): string {
  const given: Readonly<Record<string, unknown>> = { ...values };
  const parameters = new URLSearchParams();
  for (const [name, usual] of Object.entries(defaults)) {
    const value = given[name] ?? usual;
    if (value !== usual) parameters.set(name, String(value));
  }
  return `#/${path.map(encode).join("/")}${parameters.size > 0 ? `?${parameters}` : ""}`;
}

function encode(id: string): string {
  return encodeURIComponent(id.toWellFormed());
}

/** Decodes a part of an address. It may be wrong, since people type addresses. */
export function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
