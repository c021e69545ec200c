import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import openapiTS, { astToString } from "openapi-typescript";
import { expect, it } from "vitest";
import { openApiDocument } from "../../../../adapters/openapi/index.js";
import { serveRecords, token } from "../../../helpers/client/servers.js";
import { root } from "../../../helpers/docs/pages.js";
import { packageFolder } from "../../../helpers/docs/programs.js";
import { compile } from "../../helpers/compile.js";
import { deep } from "../../helpers/recipes.js";

/** A program that uses a generated client. */
const program = `
import createClient from "openapi-fetch";
import { dataOf } from "./dataOf.js";
import type { components, paths } from "./interface.js";

export async function run(baseUrl: string, token: string) {
  const client = createClient<paths>({ baseUrl, headers: { token, operationID: "op-1" } });
  const pagination = { pageNumber: 1, showNumber: 10 };

  const members = await client.POST("/group/get_group_member_list", { body: { groupID: "g1", pagination } });
  // The envelope narrows.
  const names: string[] = members.data?.errCode === 0 ? members.data.data.members.map(({ nickname }) => nickname) : [];
  const [same] = dataOf(members).members;
  const sameName: string | undefined = same?.nickname;

  const missing = await client.POST("/friend/get_black_list", { body: { userID: "nobody", pagination } });
  const failure: Error & { errCode?: number } = await client
    .POST("/friend/get_black_list", { body: { userID: "nobody", pagination } })
    .then(dataOf<{ total: number }>)
    .catch((error) => error);
  const code: components["schemas"]["Failure"]["errCode"] | 0 | undefined = missing.data?.errCode;

  const set = await client.POST("/conversation/set_conversations", {
    body: {
      userIDs: ["u1"],
      conversation: { conversationID: "sg_g1", conversationType: 3, groupID: "g1", isPinned: true, ex: null },
    },
  });

  // @ts-expect-error: pagination is missing.
  const wrong = await client.POST("/user/search_notification_account", { body: {} });

  const nothing: null = dataOf(set);
  const thrown = [failure.errCode, failure.message];
  return { names, sameName, code, thrown, set: set.data, nothing, wrong: wrong.data?.errDlt };
}
`;

it("makes a client that compiles and runs, by openapi-typescript and openapi-fetch", async () => {
  const url = await serveRecords();
  const generated = astToString(await openapiTS(JSON.stringify(openApiDocument({ closed: true }))));
  const project = packageFolder(deep);
  writeFileSync(join(project, "package.json"), '{ "type": "module" }');
  writeFileSync(join(project, "interface.ts"), generated);
  writeFileSync(join(project, "program.ts"), program);
  copyFileSync(join(root, "test/clients/typescript/dataOf.ts"), join(project, "dataOf.ts"));

  expect(compile([join(project, "program.ts")])).toEqual([]);

  const { run } = await import(join(project, "program.js"));
  expect(await run(url, token)).toEqual({
    names: ["Ann"],
    sameName: "Ann",
    code: 1004,
    thrown: [1004, "user nobody: [1004]RecordNotFoundError"],
    nothing: null,
    set: { errCode: 0, errMsg: "", errDlt: "", data: null },
    wrong: "1001 ArgsError: pagination must be an object",
  });
});

it("names the operationID in each call unless the description is closed, and has a default for it", async () => {
  const typesOf = async (closed: boolean) => astToString(await openapiTS(JSON.stringify(openApiDocument({ closed }))));
  expect(await typesOf(false)).toContain('operationID: components["parameters"]["operationID"];');
  expect(await typesOf(true)).toContain('operationID?: components["parameters"]["operationID"];');
  expect(openApiDocument().components["parameters"]?.["operationID"]).toMatchObject({
    required: true,
    schema: { default: "generated-client" },
  });
});

it("makes another client for a host's base path, limits and tokens", async () => {
  const options = { basePath: "/admin", limits: { showNumber: 5 }, adminToken: true };
  const generated = astToString(await openapiTS(JSON.stringify(openApiDocument(options))));
  expect(generated).toContain('"/admin/group/get_group_member_list": {');
  expect(generated).toContain('"/admin/auth/get_admin_token": {');
});
