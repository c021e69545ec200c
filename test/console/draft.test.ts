import { expect, it } from "vitest";
import { changeDraft, emptyDraft } from "../../console/conversations/draft.js";
import { usersIn } from "../../console/conversations/users.js";

const listed = (...userIDs: string[]) => ({ users: usersIn([userIDs]) });

it.each([
  ["in the order of their IDs", "u2", "u10", "si_u10_u2"],
  ["the shorter of two first", "u1", "u10", "si_u1_u10"],
  ["by code points, not by UTF-16", "\u{1f600}", "\uffee", "si_\uffee_\u{1f600}"],
  ["one with itself", "u1", "u1", "si_u1_u1"],
])("proposes the ID that the chat server gives to a single chat of two users: %s", (_, one, other, conversationID) => {
  for (const [user, peer] of [
    [one, other],
    [other, one],
  ] as const) {
    const draft = changeDraft(emptyDraft({ groupID: "", peer }), listed(user));
    expect(draft).toMatchObject({ type: 1, conversationID });
  }
});

it("proposes no ID for many users, and keeps an ID that was entered", () => {
  const single = changeDraft(emptyDraft({ groupID: "", peer: "u3" }), listed("u1"));
  expect(changeDraft(single, listed("u1", "u2")).conversationID).toBe("");
  const entered = changeDraft(single, { conversationID: "mine" });
  expect(changeDraft(entered, { type: 3, groupID: "g1" }).conversationID).toBe("mine");
  expect(changeDraft(single, { type: 3, groupID: "g1" }).conversationID).toBe("sg_g1");
});
