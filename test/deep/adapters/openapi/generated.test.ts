import { writeFileSync } from "node:fs";
import { join } from "node:path";
import openapiTS, { astToString } from "openapi-typescript";
import ts from "typescript";
import { expect, it } from "vitest";
import { openApiDocument } from "../../../../adapters/openapi/index.js";
import { serveRecords, token } from "../../../helpers/client/servers.js";
import { packageFolder } from "../../../helpers/docs/programs.js";
import { deep } from "../../helpers/recipes.js";

/** A program that uses a generated client. */
const program = `
import createClient from "openapi-fetch";
import type { components, paths } from "./interface.js";

export async function run(baseUrl: string, token: string) {
  const client = createClient<paths>({ baseUrl, headers: { token } });
  const params = { header: { operationID: "op-1" } };
  const pagination = { pageNumber: 1, showNumber: 10 };

  const members = await client.POST("/group/get_group_member_list", { params, body: { groupID: "g1", pagination } });
  // The envelope narrows.
  const names: string[] = members.data?.errCode === 0 ? members.data.data.members.map(({ nickname }) => nickname) : [];

  const missing = await client.POST("/friend/get_black_list", { params, body: { userID: "nobody", pagination } });
  const code: components["schemas"]["Failure"]["errCode"] | 0 | undefined = missing.data?.errCode;

  const set = await client.POST("/conversation/set_conversations", {
    params,
    body: {
      userIDs: ["u1"],
      conversation: { conversationID: "sg_g1", conversationType: 3, groupID: "g1", isPinned: true, ex: null },
    },
  });

  // @ts-expect-error: pagination is missing.
  const wrong = await client.POST("/user/search_notification_account", { params, body: {} });

  return { names, code, set: set.data, wrong: wrong.data?.errDlt };
}
`;

it("makes a client that compiles and runs, by openapi-typescript and openapi-fetch", async () => {
  const url = await serveRecords();
  const generated = astToString(await openapiTS(JSON.stringify(openApiDocument({ closed: true }))));
  const project = packageFolder(deep);
  writeFileSync(join(project, "package.json"), '{ "type": "module" }');
  writeFileSync(join(project, "interface.ts"), generated);
  writeFileSync(join(project, "program.ts"), program);

  const compiled = ts.createProgram([join(project, "program.ts")], {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    lib: ["lib.es2022.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: true,
  });
  compiled.emit();
  const messages = ts.getPreEmitDiagnostics(compiled).map(({ file, messageText }) => {
    return `${file?.fileName ?? ""}: ${ts.flattenDiagnosticMessageText(messageText, "\\n")}`;
  });
  expect(messages).toEqual([]);

  const { run } = await import(join(project, "program.js"));
  expect(await run(url, token)).toEqual({
    names: ["Ann"],
    code: 1004,
    set: { errCode: 0, errMsg: "", errDlt: "", data: null },
    wrong: "1001 ArgsError: pagination must be an object",
  });
});

it("makes another client for a host's base path, limits and tokens", async () => {
  const options = { basePath: "/admin", limits: { showNumber: 5 }, adminToken: true };
  const generated = astToString(await openapiTS(JSON.stringify(openApiDocument(options))));
  expect(generated).toContain('"/admin/group/get_group_member_list": {');
  expect(generated).toContain('"/admin/auth/get_admin_token": {');
});
