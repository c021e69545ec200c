/** Compares the lists of two databases. */
import type { Store } from "../../../../src/store.js";
import { type ExportedList, exportedLists } from "../../export/lists.js";
import { groups, markerID, users } from "./writes.js";

/** How many lists were compared, and the names of those that differ. */
export interface Comparison {
  compared: number;
  different: string[];
}

const owners = { group: groups, user: [...users, markerID] };

/** Compares all lists of all users and groups of a trial. */
export async function compareLists(left: Store, right: Store): Promise<Comparison> {
  const different: string[] = [];
  let compared = 0;
  for (const [name, list] of Object.entries(exportedLists)) {
    for (const owner of list.needs === undefined ? [""] : owners[list.needs as keyof typeof owners]) {
      const [one, other] = await Promise.all([left, right].map((store) => textOf(list, owner, store)));
      compared += 1;
      if (one !== other) different.push(`${name} ${owner}`.trim());
    }
  }
  return { compared, different };
}

/** A whole list as a text, or why there is none. */
async function textOf({ operation, needs, input }: ExportedList, owner: string, store: Store): Promise<string> {
  const pagination = { pageNumber: 1, showNumber: 1_000 };
  const wanted = needs === "group" ? { group: [owner] as const } : { user: owner };
  try {
    return JSON.stringify(await operation.run(store, { ...input(wanted), pagination }, {}, { operationID: "" }));
  } catch (error) {
    // A group or user may be gone, in both.
    return String((error as { errCode?: unknown }).errCode ?? error);
  }
}
