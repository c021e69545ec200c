import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { build } from "esbuild";
import type { Browser, Page } from "playwright-core";
import ts from "typescript";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { serveRecords, token } from "../../helpers/client/servers.js";
import { blockIn } from "../../helpers/docs/pages.js";
import { packageFolder } from "../../helpers/docs/programs.js";
import { block } from "../../helpers/docs/recipePage.js";
import { portOf } from "../../helpers/http/hosts.js";
import { tokens } from "../../helpers/http/request.js";
import { compile } from "../helpers/compile.js";
import { launchBrowser } from "../helpers/console/chromium.js";
import { deep, run } from "../helpers/recipes.js";

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

/** A page, and its errors. */
async function openPage(url: string): Promise<{ page: Page; complaints: string[] }> {
  const page = await browser.newPage();
  page.setDefaultTimeout(30_000);
  onTestFinished(() => page.close());
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  await page.goto(url);
  return { page, complaints };
}

async function portOfRecipe(title: string): Promise<number> {
  const { listening } = await run(block(title));
  if (listening === undefined) throw new Error(`${title} listens nowhere`);
  return typeof listening === "string" ? Number(new URL(listening).port) : portOf(listening);
}

it("Swagger UI shows the operations, and tries one", async () => {
  const { page, complaints } = await openPage(`http://127.0.0.1:${await portOfRecipe("Swagger UI")}/docs/`);
  const operation = page.locator("#operations-group-getGroupMemberList");
  await operation.getByText("/admin/group/get_group_member_list").click();
  await operation.getByRole("button", { name: "Try it out" }).click();
  await page.getByRole("button", { name: "Authorize" }).first().click();
  const dialog = page.locator(".modal-ux");
  await dialog.getByRole("textbox").fill(tokens.admin);
  await dialog.getByRole("button", { name: "Apply credentials" }).click();
  await dialog.getByRole("button", { name: "Close" }).click();
  await operation.locator("textarea").fill('{ "groupID": "g1", "pagination": { "pageNumber": 1, "showNumber": 1 } }');
  await operation.getByRole("button", { name: "Execute" }).click();
  await operation.locator(".live-responses-table").getByText('"errCode": 0').waitFor();
  expect(complaints).toEqual([]);
});

it("Scalar shows the operations", async () => {
  const { page, complaints } = await openPage(`http://127.0.0.1:${await portOfRecipe("Scalar")}/docs/`);
  await page.getByRole("heading", { name: "im-admin", level: 1 }).waitFor();
  await page.getByText("/admin/group/get_group_member_list").first().waitFor();
  expect(complaints).toEqual([]);
});

it("TanStack Query shows a page, and further ones on demand, and takes a failure for one", async () => {
  const folder = packageFolder(deep);
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(join(folder, "queries.ts"), blockIn("docs/clients.md", "infiniteQueryOptions"));
  writeFileSync(join(folder, "Members.tsx"), blockIn("docs/clients.md", "useInfiniteQuery"));
  writeFileSync(
    join(folder, "main.tsx"),
    `import { QueryClient, QueryClientProvider, useQuery } from "@tanstack/react-query";
    import { createAdminClient } from "im-admin/client";
    import { createRoot } from "react-dom/client";
    import { Members } from "./Members.js";
    import { page } from "./queries.js";
    const client = createAdminClient({ url: location.origin, token: "${token}" });
    function Second() {
      const list = { name: "members", call: client.getGroupMemberList, input: { groupID: "g25" } };
      const { data } = useQuery(page(list, 2));
      const names: string[] = data?.members.map(({ userID }) => userID) ?? [];
      return <p id="second">{names.join()}</p>;
    }
    const groups = ["g25", "g404"].map((groupID) => <Members key={groupID} client={client} groupID={groupID} />);
    const parts = <QueryClientProvider client={new QueryClient()}>{groups}<Second /></QueryClientProvider>;
    const root = document.getElementById("root");
    if (root) createRoot(root).render(parts);`,
  );
  expect(compile([join(folder, "main.tsx")], { jsx: ts.JsxEmit.ReactJSX, noEmit: true })).toEqual([]);
  const { outputFiles } = await build({
    entryPoints: [join(folder, "main.tsx")],
    bundle: true,
    write: false,
    format: "esm",
    jsx: "automatic",
    jsxImportSource: "react",
    tsconfigRaw: {},
    define: { "process.env.NODE_ENV": '"production"' },
    logLevel: "error",
  });
  const script = outputFiles[0]?.text ?? "";
  const userIDs = Array.from({ length: 25 }, (_, index) => `u${10 + index}`);
  const api = await serveRecords({
    users: userIDs.map((userID) => ({ userID, nickname: `${userID} of them` })),
    groups: [{ groupID: "g25" }],
    groupMembers: userIDs.map((userID) => ({ groupID: "g25", userID })),
  });
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    if (request.method === "GET") {
      const isPage = request.url === "/";
      response.writeHead(200, { "content-type": isPage ? "text/html" : "text/javascript" });
      response.end(isPage ? '<div id="root"></div><script type="module" src="/main.js"></script>' : script);
      return;
    }
    const { operationid = "", token = "" } = request.headers as Record<string, string>;
    const body = (await request.toArray()).join("");
    const { groupID, pagination } = JSON.parse(body);
    asked.push(`${groupID} ${pagination.pageNumber}`);
    const answer = await fetch(api + request.url, {
      method: "POST",
      headers: { operationID: operationid, token },
      body,
    });
    response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text());
  });
  const { page, complaints } = await openPage(`http://127.0.0.1:${await portOf(server.listen(0, "127.0.0.1"))}/`);
  const rows = page.getByRole("listitem");
  const shown = () => expect.poll(async () => [complaints, await rows.allInnerTexts()]);
  await shown().toEqual([[], userIDs.slice(0, 20).map((userID) => `${userID} of them`)]);
  await page.getByRole("alert").getByText("group g404").waitFor();
  await expect.poll(() => page.locator("#second").innerText()).toBe(userIDs.slice(20).join());
  await page.getByRole("button", { name: "More" }).click();
  await shown().toEqual([[], userIDs.map((userID) => `${userID} of them`)]);
  expect(await page.getByRole("button", { name: "More" }).count()).toBe(0);
  // A failure is not asked for again.
  expect(asked.toSorted()).toEqual(["g25 1", "g25 2", "g25 2", "g404 1"]);
});
