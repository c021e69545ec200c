import { effect, signal } from "@preact/signals";
import type { Setting as KeptSetting, SettingFilter } from "../../adapters/history/history.js";
import type { SetBack } from "../../adapters/history/setBack.js";
import { callPath, newOperationID } from "../api/call.js";
import { CallFailure } from "../api/callFailure.js";
import { token } from "../api/session.js";
import type { FieldName } from "../conversations/draft.js";
import type { ListPage } from "../list/pages.js";
import type { PlaceOf } from "../places/place.js";

export type { KeptSetting };

/** The values of a conversation's fields. */
export type Fields = Readonly<Record<string, unknown>>;

/** Users who had the same values before a setting. */
export interface Before {
  before: Fields;
  userIDs: readonly string[];
}

/** How many settings a page of the history has. */
export const settingsPerPage = 50;

/** Whether the server keeps a history; undefined until it has said so. */
export const isKept = signal<boolean | undefined>(undefined);

effect(() => {
  const asking = token.value;
  isKept.value = undefined;
  if (asking === "") return;
  const answered = (answer: boolean) => {
    if (token.peek() === asking) isKept.value = answer;
  };
  listSettings(1, 1).then(
    () => answered(true),
    (error) => {
      // Another failure says nothing of the history.
      if (error instanceof CallFailure && error.status === 404) answered(false);
    },
  );
});

/** The settings of a page that fit; with `isMore`, more of them fit than the total says. */
export interface SettingsPage extends ListPage<KeptSetting> {
  isMore?: boolean;
}

export function listSettings(
  pageNumber: number,
  showNumber: number,
  filter: SettingFilter = {},
  signal?: AbortSignal,
): Promise<SettingsPage> {
  const read = (data: unknown) => {
    const { settings, ...page } = data as { total: number; isMore?: boolean; settings: KeptSetting[] };
    return { ...page, items: settings };
  };
  return callPath("/im_admin/list_settings", { pagination: { pageNumber, showNumber }, ...filter }, { signal, read });
}

/** Which settings a place shows. A day is one in the administrator's zone. */
export function filterOf({ conversation, user, admin, field, day }: PlaceOf<"history">): SettingFilter {
  const [since, until] = [new Date(`${day}T00:00`), new Date(`${day}T00:00`)];
  until.setDate(until.getDate() + 1);
  return {
    ...(conversation && { conversationID: conversation }),
    ...(user && { userID: user }),
    ...(admin && { adminUserID: admin }),
    ...(field && { field: field as FieldName }),
    ...(!Number.isNaN(since.getTime()) && { since: since.getTime(), until: until.getTime() }),
  };
}

/** A request of a setting: its whole fields, and whom it has changed, by what was there before. */
interface KeptRequest {
  setting: KeptSetting;
  fields: Fields;
  /** Null where the store does not tell. */
  changed: readonly Before[] | null;
}

export function readRequest(settingID: string, request: number, signal?: AbortSignal): Promise<KeptRequest> {
  return callPath(
    "/im_admin/read_setting",
    { settingID, request },
    { signal, read: (data: unknown) => data as KeptRequest },
  );
}

/** The most settings that are looked through for an operation ID. */
const mostSought = 1_000;

/** Finds a setting, however old it is. Where it was just set, the page knows its operation ID alone. */
export async function findSetting(key: string, filter: SettingFilter, signal: AbortSignal): Promise<KeptSetting> {
  if (key.startsWith("console-")) {
    const { items } = await listSettings(1, mostSought, filter, signal);
    const found = items.find(({ operationID }) => operationID === key);
    if (found !== undefined) return found;
  }
  return (await readRequest(key, 0, signal)).setting;
}

const asked = "-of-";

/** An operation ID that says for how many users a setting is, since a history only knows the requests that have come. */
export function operationIDFor(users: number): string {
  return `${newOperationID()}${asked}${users}`;
}

/** For how many users the console was to set; 0 if that is not known. */
export function askedIn({ operationID }: { operationID: string }): number {
  return operationID.startsWith("console-") ? Number(operationID.split(asked)[1] ?? 0) : 0;
}

/** How long setting back a request may take, in milliseconds. Each of 10,000 users may have had a value of their own. */
const patience = 600_000;

export function setBack(settingID: string, request: number, operationID: string): Promise<SetBack> {
  const read = (data: unknown) => data as SetBack;
  return callPath("/im_admin/set_back", { settingID, request }, { operationID, patience, read });
}
