import type pg from "pg";
import type { BundledStore } from "../../../src/stores/postgres/index.js";
import { openMigrated } from "./migrated.js";

const names =
  `Ann|ANNA|Bert O'Neil|王芳|张王芳|芳|李小龙|100%|a_b|back\\slash|😀 smile|É|é|x\u001fy|İstanbul|Tel. 0200001234|abcΒΑΣΑ|`.split(
    "|",
  );
export const keywords =
  `ann|NEIL|o'n|芳|王芳|张王芳|小龙ann|0%|%|_b|\\s|😀|😀 s|é|É|\u001f|y\u001f|i̇|u12|u123|2999|zzz|王a|lash|ı|2000012|0200001234|9200001234|abcΒΑΣ|u1\u001f|e`.split(
    "|",
  );

/** Groups whose members have such names in the group, or in their profiles, or have no profiles. */
export function openSearched(pool: pg.Pool, sizes: Readonly<Record<string, number>>): Promise<BundledStore> {
  // A single connection, which logs its statements.
  pool.options.max = 1;
  const users = Array.from({ length: Math.max(...Object.values(sizes)) }, (_, index) => ({
    userID: `u${index}`,
    nickname: names[index % names.length] ?? "",
    appMangerLevel: index % 50 === 0 ? 3 : 1,
  }));
  const groupMembers = Object.entries(sizes).flatMap(([groupID, size]) =>
    users.slice(0, size).map(({ userID }, index) => ({
      groupID,
      userID,
      nickname: index % 3 ? "" : (names[(index * 7) % names.length] ?? ""),
      roleLevel: index % 100 ? 20 : 60,
    })),
  );
  return openMigrated(pool, {
    users: users.filter((_, index) => index % 40),
    groups: Object.keys(sizes).map((groupID) => ({ groupID })),
    groupMembers,
  });
}
