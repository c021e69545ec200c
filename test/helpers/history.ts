import { onTestFinished } from "vitest";
import { createFetchHandler, type FetchHandlerOptions } from "../../adapters/fetch.js";
import { openHistoryFile, type SettingFilter } from "../../adapters/node.js";
import type { ConversationFields } from "../../src/index.js";
import type { BundledStore } from "../../src/stores/drivers/sqlite.js";
import { temporaryFolder } from "./stores.js";

/** An answer, as a client reads it. */
export interface Answer {
  errCode: number;
  errDlt: string;
  // biome-ignore lint/suspicious/noExplicitAny: the tests compare it as a whole.
  data?: any;
}

/** Calls a handler as a client does. */
export function clientOf(options: Pick<FetchHandlerOptions, "store"> & Partial<FetchHandlerOptions>) {
  const handler = createFetchHandler({
    authenticate: (token) => ({ adminUserID: token.replace("token of ", "") }),
    ...options,
  });
  return async (
    path: string,
    input: unknown,
    operationID = "op-1",
    admin = "desk",
  ): Promise<Answer & { status: number }> => {
    const headers = { operationID, token: `token of ${admin}` };
    const url = `http://localhost${path}`;
    const response = await handler(new Request(url, { method: "POST", headers, body: JSON.stringify(input) }));
    return { status: response.status, ...((await response.json()) as Answer) };
  };
}

const conversation = { conversationID: "sg_g1", conversationType: 3, groupID: "g1" };

/** The input of `set_conversations` for a group chat. */
export function settingOf(userIDs: readonly string[], fields: Partial<ConversationFields>) {
  return { userIDs, conversation: { ...conversation, ...fields } };
}

/** A store with a history in a file, and a client of both. */
export async function desktop(store: BundledStore, userIDs: readonly string[]) {
  const path = `${temporaryFolder()}/history.db`;
  await store.put({ users: userIDs.map((userID) => ({ userID })), groups: [{ groupID: "g1" }] });
  const history = await openHistoryFile(path);
  onTestFinished(() => history.close());
  const call = clientOf({ store, history });
  return {
    path,
    history,
    call,
    set: (userIDs: readonly string[], fields: Partial<ConversationFields>, operationID?: string, admin?: string) =>
      call("/conversation/set_conversations", settingOf(userIDs, fields), operationID, admin),
    list: async (pageNumber = 1, showNumber = 100, filter: SettingFilter = {}) => {
      const { data } = await call("/im_admin/list_settings", { pagination: { pageNumber, showNumber }, ...filter });
      return data;
    },
    read: (settingID: string, request = 0) => call("/im_admin/read_setting", { settingID, request }),
    setBack: (settingID: string, request = 0, operationID?: string) =>
      call("/im_admin/set_back", { settingID, request }, operationID),
    fieldOf: async (userID: string, field: keyof ConversationFields) => (await store.conversations(userID))[0]?.[field],
  };
}
