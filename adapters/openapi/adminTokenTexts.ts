/** The docstrings of the operation that gives out tokens. Its types are not exported. */
export const adminTokenTexts = {
  GetAdminTokenInput: {
    text: "The administrator who asks for a token.",
    fields: {
      secret: "The secret that the server shares with its administrators.",
      userID: "The administrator that the token is for.",
    },
  },
  AdminToken: {
    text: "A token of an administrator.",
    fields: {
      token: "The token. Send it in the header `token`.",
      expireTimeSeconds: "Seconds until the token expires.",
    },
  },
};
