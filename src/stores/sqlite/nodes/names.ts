/** How what is kept for a list is called. */
import type { ListDefinition } from "../../lists/list.js";
import { ourName } from "../sql.js";

/** The index in which the entries of a list stand in their order. */
export function orderIndex({ name }: Pick<ListDefinition, "name">): string {
  return ourName(`${name}InOrder`);
}

/** What gives a list a total once it has more than a few entries. */
export function countProcedure({ name }: Pick<ListDefinition, "name">): string {
  return `${name}Count`;
}
