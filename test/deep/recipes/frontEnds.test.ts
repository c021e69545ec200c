import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { build } from "esbuild";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { serveRecords, token } from "../../helpers/client/servers.js";
import { blockIn } from "../../helpers/docs/pages.js";
import { packageFolder } from "../../helpers/docs/programs.js";
import { block } from "../../helpers/docs/recipePage.js";
import { portOf } from "../../helpers/http/hosts.js";
import { tokens } from "../../helpers/http/request.js";
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

it("React Query shows the data of a call, and takes a failure for one", async () => {
  const folder = packageFolder(deep);
  writeFileSync(join(folder, "Members.tsx"), blockIn("docs/clients.md", "useQuery"));
  writeFileSync(
    join(folder, "main.tsx"),
    `import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
    import { createAdminClient } from "im-admin/client";
    import { createRoot } from "react-dom/client";
    import { Members } from "./Members.js";
    const client = createAdminClient({ url: location.origin, token: "${token}" });
    const groups = ["g1", "g404"].map((groupID) => <Members key={groupID} client={client} groupID={groupID} />);
    const page = <QueryClientProvider client={new QueryClient()}>{groups}</QueryClientProvider>;
    const root = document.getElementById("root");
    if (root) createRoot(root).render(page);`,
  );
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
  const api = await serveRecords();
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
    asked.push(JSON.parse(body).groupID);
    const answer = await fetch(api + request.url, {
      method: "POST",
      headers: { operationID: operationid, token },
      body,
    });
    response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text());
  });
  const { page, complaints } = await openPage(`http://127.0.0.1:${await portOf(server.listen(0, "127.0.0.1"))}/`);
  await expect
    .poll(async () => [...complaints, await page.locator("#root").innerText()], { timeout: 5_000 })
    .toEqual([expect.stringContaining("Ann")]);
  await page.getByRole("alert").getByText("group g404").waitFor();
  expect(complaints).toEqual([]);
  // A failure is not asked for again.
  expect(asked.toSorted()).toEqual(["g1", "g404"]);
});
