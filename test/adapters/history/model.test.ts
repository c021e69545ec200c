/** Random settings, and settings that set back, beside a model: a value for each user and a list of what was there. */
import fc from "fast-check";
import { expect, it } from "vitest";
import type { ConversationFields } from "../../../src/index.js";
import { rounds, seed } from "../../helpers/chance.js";
import { desktop } from "../../helpers/history.js";
import { memoryStore } from "../../helpers/stores.js";

const users = ["u1", "u2", "u3", "u4"];
const userIDs = fc.subarray(users, { minLength: 1 });
const fields = fc.record(
  { isPinned: fc.boolean(), recvMsgOpt: fc.constantFrom(0, 1, 2), ex: fc.constantFrom("", "x", "新") },
  { requiredKeys: [] },
);
const step = fc.oneof(
  fc.record({ kind: fc.constant("set"), userIDs, fields }),
  fc.record({ kind: fc.constant("set elsewhere"), userIDs, fields }),
  fc.record({ kind: fc.constant("set back"), nth: fc.nat(20) }),
);

type Fields = Partial<ConversationFields>;
const defaults: Fields = { isPinned: false, recvMsgOpt: 0, ex: "" };

/** Whether a user has these values. */
function has(values: Fields, expected: Fields): boolean {
  return Object.entries(expected).every(([field, value]) => values[field as keyof Fields] === value);
}

it("agrees with a simple model", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const store = memoryStore();
      const { set, setBack, list, fieldOf } = await desktop(store, users);
      const now = new Map(users.map((userID) => [userID, { ...defaults }]));
      const created = new Set<string>();
      const settings: { settingID: string; fields: Fields; before: Map<string, Fields> }[] = [];

      /** Sets in the model, and returns what was there before. */
      function write(userID: string, fields: Fields): Fields | undefined {
        const values = now.get(userID) ?? {};
        if (created.has(userID) && has(values, fields)) return undefined;
        created.add(userID);
        const before = Object.fromEntries(Object.keys(fields).map((field) => [field, values[field as keyof Fields]]));
        now.set(userID, { ...values, ...fields });
        return before;
      }

      for (const [index, step] of steps.entries()) {
        const operationID = `op-${index}`;
        if (step.kind === "set back" && "nth" in step) {
          const setting = settings[step.nth % Math.max(1, settings.length)];
          if (setting === undefined) continue;
          const touched = [...setting.before].filter(([, before]) => !has(before, setting.fields));
          const still = touched.filter(([userID]) => has(now.get(userID) ?? {}, setting.fields));
          for (const [userID, before] of still) write(userID, before);
          expect((await setBack(setting.settingID, 0, operationID)).data).toEqual({
            changed: still.length,
            leftAlone: touched.length - still.length,
            gone: 0,
          });
        } else if ("fields" in step) {
          const isKept = step.kind === "set" && Object.keys(step.fields).length > 0;
          const before = new Map<string, Fields>();
          for (const userID of Object.keys(step.fields).length > 0 ? step.userIDs : []) {
            const was = write(userID, step.fields);
            if (was !== undefined) before.set(userID, was);
          }
          if (step.kind === "set") await set(step.userIDs, step.fields, operationID);
          else await store.setConversations({ ...elsewhere, userIDs: step.userIDs, fields: step.fields });
          if (!isKept) continue;
          const [listed] = (await list()).settings;
          expect(listed).toMatchObject({ operationID, users: step.userIDs.length, changed: before.size });
          settings.push({ settingID: listed.settingID, fields: step.fields, before });
        }
        for (const userID of users) {
          for (const field of ["isPinned", "recvMsgOpt", "ex"] as const) {
            const stored = (await fieldOf(userID, field)) ?? defaults[field];
            expect([userID, field, stored]).toEqual([userID, field, now.get(userID)?.[field]]);
          }
        }
      }
      await store.close();
    }),
    { numRuns: Math.max(20, rounds(500)), seed },
  );
});

const elsewhere = { conversationID: "sg_g1", conversationType: 3, userID: "", groupID: "g1" } as const;
