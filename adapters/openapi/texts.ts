/** What the description says of its own schemas, and where the docstrings of the code speak to programs that embed it. */
export const texts: Readonly<Record<string, { text?: string; fields?: Readonly<Record<string, string>> }>> = {
  Answer: {
    text: "The answer to a call.",
    fields: {
      errCode: "0 means success; any other number is a failure.",
      errMsg: "The name of the failure; empty on success.",
      errDlt: "What is wrong, and what would be right; empty on success.",
      data: "What was asked for; only on success.",
    },
  },
  SetConversationsAnswer: { text: "The answer to a call. Its `data` is null or absent." },
  ConversationInput: {
    text: "A conversation, and the fields to set.",
    fields: {
      conversationType: "1 single chat, 3 group chat.",
      userID: "The peer; required in a single chat. In a group chat: empty, null or absent.",
      groupID: "The group; required in a group chat. In a single chat: empty, null or absent.",
    },
  },
  Black: { fields: { createTime: "When the entry was made, in seconds since the epoch." } },
  BlackList: { fields: { blacks: "Those of the page." } },
  Limits: { fields: { bodyBytes: "Bytes of the body of a request. For a longer one the HTTP status is 413." } },
  errorCodes: { fields: { ServerInternalError: "Any other failure. The answer does not tell the cause." } },
  setConversations: {
    text: [
      "Sets fields of one conversation for many users at once: for all of them, or, if the call fails, for none.",
      'Only the supplied optional fields change; null is like absent. A user who does not have the conversation gets it, with the supplied fields and the defaults 0, false and "".',
      "Errors: 1001 for bad input, or if a stored conversation has another type, peer or group; 1004 if a listed user, the peer or the group does not exist; 1204 if the group was dismissed.",
    ].join("\n\n"),
  },
  GetAdminTokenInput: {
    text: "The administrator who asks for a token.",
    fields: {
      secret: "The secret that the server shares with its administrators.",
      userID: "The administrator that the token is for.",
    },
  },
  GetNamesInput: {
    fields: { groupIDs: "The groups; null and `[]` for none.", userIDs: "The users; null and `[]` for none." },
  },
  Names: { fields: { groups: "The groups that exist.", users: "The users that exist." } },
  NamedGroup: {
    text: "What a group is called.",
    fields: {
      groupID: "Identifies the group.",
      groupName: "What the group is called.",
      status: "0 normal, 1 banned, 2 dismissed, 3 muted.",
      createTime: "When the group was made, in milliseconds since the epoch.",
    },
  },
  NamedUser: {
    text: "What a user is called.",
    fields: { userID: "Identifies the user.", nickname: "What the user is called." },
  },
  AdminToken: {
    text: "A token of an administrator.",
    fields: {
      token: "The token. Send it in the header `token`.",
      expireTimeSeconds: "Seconds until the token expires.",
    },
  },
};
