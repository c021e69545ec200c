import type { Store } from "../../../src/store.js";

/** A store that sets conversations for those of the users whom it knows: a copy may lack some whom the original has. */
export function ofKnownUsers(store: Store): Store {
  const setConversations: Store["setConversations"] = async (change, call) => {
    let { userIDs } = change;
    for (;;) {
      const result = await store.setConversations({ ...change, userIDs }, call);
      if (result.outcome !== "usersNotFound") return result;
      const unknown = new Set(result.userIDs);
      const known = userIDs.filter((userID) => !unknown.has(userID));
      // Nobody is left, or it is the peer who is unknown.
      if (known.length === 0 || known.length === userIDs.length) return result;
      userIDs = known;
    }
  };
  return Object.create(store, { setConversations: { value: setConversations } });
}
