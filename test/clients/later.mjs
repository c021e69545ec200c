/** A server of a later version, which answers more fields and a code that nobody knows today. */
import { createServer } from "node:http";

const more = { laterField: { nested: [1, null, "x"] } };
const user = { userID: "u", nickname: "", faceURL: "", ex: "", ...more };
const black = {
  ownerUserID: "u",
  createTime: Number.MAX_SAFE_INTEGER,
  blackUserInfo: user,
  addSource: 0,
  operatorUserID: "u",
  ex: "",
  ...more,
};
const answers = {
  "/friend/get_black_list": {
    errCode: 0,
    errMsg: "",
    errDlt: "",
    data: { blacks: [black], total: 1, ...more },
    ...more,
  },
  "/group/get_joined_group_list": { errCode: 1101, errMsg: "LaterError", errDlt: "1101 LaterError", ...more },
};

/** Starts the server on a free port. */
export async function laterServer() {
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      response.setHeader("content-type", "application/json").end(JSON.stringify(answers[request.url ?? ""]));
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}
