/** Which settings the filters find, beside a list in memory, and what SQLite reads for them. */
import BetterSqlite3 from "better-sqlite3";
import { expect, it } from "vitest";
import { found } from "../../../adapters/history/readSettings.js";
import type { SettingBegun, SettingFilter } from "../../../adapters/node.js";
import { randomOf, rounds, seed } from "../../helpers/chance.js";
import { desktop } from "../../helpers/history.js";
import { memoryStore } from "../../helpers/stores.js";

const wanted = {
  adminUserID: ["ann", "bob"],
  conversationID: ["sg_g1", "si_u1_u2"],
  userID: ["u1", "u2", "nobody"],
  since: [3, 5],
  until: [6, 8],
  field: ["ex", "isPinned", "recvMsgOpt"],
} as const;
const names = Object.keys(wanted) as (keyof typeof wanted)[];

/** Every choice of filters, each with one of its values. */
function combinations(pick: (count: number) => number): SettingFilter[] {
  return Array.from({ length: 2 ** names.length }, (_, bits) => {
    const chosen = names.filter((_, place) => bits & (1 << place));
    return Object.fromEntries(chosen.map((name) => [name, wanted[name][pick(wanted[name].length)]]));
  });
}

it.each(Array.from({ length: rounds(100) }, (_, round) => round))(
  "finds what fits all filters, whatever they are: round %s",
  async (round) => {
    const random = randomOf(seed + round);
    const pick = (count: number) => Math.floor(random() * count);
    const any = <Item>(items: readonly Item[]) => items[pick(items.length)] as Item;
    const { history, list } = await desktop(memoryStore(), []);
    const kept: (SettingBegun & { order: number })[] = [];
    for (let order = 0; order < 60; order += 1) {
      const fields = any([{ ex: "" }, { isPinned: true }, { ex: "x", recvMsgOpt: 2 }, { ex: "x", isPinned: false }]);
      const begun: SettingBegun = {
        entry: "begun",
        requestID: String(order),
        time: pick(10),
        adminUserID: any(["ann", "bob", "eve"]),
        operationID: "",
        conversationID: any(["sg_g1", "si_u1_u2", "sg_g2"]),
        conversationType: 3,
        userID: "",
        groupID: "",
        fields,
        userIDs: any([["u1"], ["u2", "u3"], ["u1", "u2", "u1"], ["u3"]]),
      };
      kept.push({ ...begun, order });
      await history.append([begun]);
    }
    kept.sort((left, right) => right.time - left.time || right.order - left.order);
    const isFitting = (filter: SettingFilter) => (setting: SettingBegun) =>
      (filter.adminUserID ?? setting.adminUserID) === setting.adminUserID &&
      (filter.conversationID ?? setting.conversationID) === setting.conversationID &&
      (!filter.userID || setting.userIDs.includes(filter.userID)) &&
      (filter.since ?? 0) <= setting.time &&
      setting.time < (filter.until ?? 10) &&
      (!filter.field || filter.field in setting.fields);
    for (const filter of combinations(pick)) {
      const expected = kept.filter(isFitting(filter)).map(({ requestID }) => requestID);
      const found: string[] = [];
      for (let page = 1; found.length < expected.length || page === 1; page += 1) {
        const { total, settings } = await list(page, 7, filter);
        expect([filter, total]).toEqual([filter, expected.length]);
        expect(settings.length).toBe(Math.min(7, expected.length - found.length));
        found.push(...settings.map(({ settingID }: { settingID: string }) => settingID));
      }
      expect([filter, found]).toEqual([filter, expected]);
    }
  },
);

it.each(combinations(() => 0))("reads by an index, and sorts nothing, for %j", async (filter) => {
  const { path } = await desktop(memoryStore(), []);
  const database = new BetterSqlite3(path, { readonly: true });
  for (const last of [undefined, "a settingID"]) {
    const { from, values, setting } = found(filter, last);
    const plan = database.prepare(`EXPLAIN QUERY PLAN SELECT ${setting} ${from} LIMIT 50`).all(...values);
    const steps = plan.map((step) => (step as { detail: string }).detail);
    expect(steps[0]).toMatch(
      filter.userID === undefined
        ? /^SEARCH listed USING COVERING INDEX listed_by_/
        : /^SEARCH users USING PRIMARY KEY/,
    );
    for (const step of steps) expect(step).toMatch(/^(SEARCH|SCALAR SUBQUERY|REUSE SUBQUERY)/);
    if (last !== undefined) expect(steps[0]).toContain("time<?");
  }
  database.close();
});

it("says which filter is wrong", async () => {
  const { call } = await desktop(memoryStore(), []);
  const said = async (filter: object) =>
    (await call("/im_admin/list_settings", { pagination: { pageNumber: 1, showNumber: 1 }, ...filter })).errDlt;
  const id = "must be a string of 1 to 64 characters without control characters";
  expect(await said({ adminUserID: "" })).toBe(`1001 ArgsError: adminUserID ${id}`);
  expect(await said({ conversationID: 5 })).toBe(`1001 ArgsError: conversationID ${id}`);
  expect(await said({ userID: ["u1"] })).toBe(`1001 ArgsError: userID ${id}`);
  const time = "must be an integer from 0 to 9007199254740991";
  expect(await said({ since: "2026-05-01" })).toBe(`1001 ArgsError: since ${time}`);
  expect(await said({ until: -1 })).toBe(`1001 ArgsError: until ${time}`);
  expect(await said({ field: "conversationID" })).toBe(
    "1001 ArgsError: field must be one of recvMsgOpt,attachedInfo,isPinned,isPrivateChat,ex,burnDuration,minSeq,maxSeq,groupAtType,msgDestructTime,isMsgDestruct",
  );
  const none = { adminUserID: null, conversationID: null, userID: null, since: null, until: null, field: null };
  expect(await said(none)).toBe("");
});
