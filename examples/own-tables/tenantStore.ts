import type { Store } from "im-admin";
import type { PostgresPool } from "im-admin/postgres";
import { setConversations } from "./setConversations.ts";

/** The store for one tenant. It takes and returns IDs without the tenant, and never returns those of another tenant. */
export function tenantStore(store: Store, pool: PostgresPool, tenant: string): Store {
  const prefix = `${tenant}:`;
  const inside = (id: string) => prefix + id;
  const outside = <Answer>(answer: Answer): Answer =>
    JSON.parse(JSON.stringify(answer ?? null), withoutTenant) ?? undefined;
  function withoutTenant(field: string, value: unknown): unknown {
    return /ID$/.test(field) && typeof value === "string" && value.startsWith(prefix)
      ? value.slice(prefix.length)
      : value;
  }
  return {
    listGroupMembers: async (query, call) =>
      outside(await store.listGroupMembers({ ...query, groupID: inside(query.groupID) }, call)),
    listBlacks: async (query, call) =>
      outside(await store.listBlacks({ ...query, ownerUserID: inside(query.ownerUserID) }, call)),
    listJoinedGroups: async (query, call) =>
      outside(await store.listJoinedGroups({ ...query, userID: inside(query.userID) }, call)),
    listReceivedGroupRequests: async ({ groupIDs, ...query }, call) => {
      const groups = groupIDs && { groupIDs: groupIDs.map(inside) };
      return outside(
        await store.listReceivedGroupRequests({ ...query, ...groups, userID: inside(query.userID) }, call),
      );
    },
    // That list would have the accounts of all tenants. This server has none.
    listNotificationAccounts: async () => ({ total: 0, items: [] }),
    setConversations: (change) => setConversations(pool, tenant, change),
  };
}
