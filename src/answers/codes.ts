/**
 * What the codes of the interface mean, in words. Documentation, descriptions of the interface and the console say it
 * with the same ones, which a test compares.
 */
export const codes = {
  roleLevel: { 100: "owner", 60: "administrator", 20: "ordinary member" },
  handleResult: { 0: "pending", 1: "accepted", "-1": "refused" },
  appMangerLevel: {
    0: "ordinary user",
    1: "ordinary user",
    2: "administrator",
    3: "notification account",
    4: "robot",
  },
  status: { 0: "normal", 1: "banned", 2: "dismissed", 3: "muted" },
  groupType: { 0: "normal", 1: "super group", 2: "work group" },
  needVerification: {
    0: "needed unless invited",
    1: "needed unless invited by the owner or an administrator",
    2: "not needed",
  },
  lookMemberInfo: { 0: "allowed", 1: "not allowed" },
  applyMemberFriend: { 0: "allowed", 1: "not allowed" },
  conversationType: { 1: "single chat", 3: "group chat" },
  recvMsgOpt: { 0: "received", 1: "not received", 2: "received without notification" },
  joinSource: { 1: "by an administrator", 2: "invited", 3: "found by search", 4: "by QR code" },
} as const satisfies Readonly<Record<string, Readonly<Record<number, string>>>>;
