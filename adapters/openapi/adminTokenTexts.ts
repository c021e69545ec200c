/** What is said of the operation that gives out tokens, whose types are not exported. */
export const adminTokenTexts = {
  GetAdminTokenInput: {
    text: "Who asks for a token.",
    fields: {
      secret: "The secret that the server shares with those who may have a token.",
      userID: "The administrator whose token it is.",
    },
  },
  AdminToken: {
    text: "A token of an administrator.",
    fields: {
      token: "What is sent in the header `token`.",
      expireTimeSeconds: "Seconds until the token expires.",
    },
  },
};
