import { effect, signal } from "@preact/signals";
import type { Setting as KeptSetting } from "../../adapters/history/history.js";
import type { SetBack } from "../../adapters/history/setBack.js";
import { callPath } from "../api/call.js";
import { CallFailure } from "../api/callFailure.js";
import { token } from "../api/session.js";
import type { ListPage } from "../list/pages.js";

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

export function listSettings(
  pageNumber: number,
  showNumber: number,
  signal?: AbortSignal,
): Promise<ListPage<KeptSetting>> {
  const read = (data: unknown) => {
    const { total, settings } = data as { total: number; settings: KeptSetting[] };
    return { total, items: settings };
  };
  return callPath("/im_admin/list_settings", { pagination: { pageNumber, showNumber } }, { signal, read });
}

/** The users whom a request of a setting has changed, by what was there before; empty where the store does not tell. */
export function readChanged(settingID: string, request: number, signal?: AbortSignal): Promise<readonly Before[]> {
  const read = (data: unknown) => (data as { changed: Before[] | null }).changed ?? [];
  return callPath("/im_admin/read_setting", { settingID, request }, { signal, read });
}

/** How long setting back a request may take, in milliseconds. Each of 10,000 users may have had a value of their own. */
const patience = 600_000;

export function setBack(settingID: string, request: number, operationID: string): Promise<SetBack> {
  const read = (data: unknown) => data as SetBack;
  return callPath("/im_admin/set_back", { settingID, request }, { operationID, patience, read });
}
