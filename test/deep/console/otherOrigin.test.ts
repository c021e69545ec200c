import { createServer, request } from "node:http";
import { expect, it, onTestFinished } from "vitest";
import { serve } from "../../helpers/cliProcess.js";
import { listening, portOf } from "../../helpers/http/hosts.js";
import { launchBrowser } from "../helpers/console/chromium.js";

const built = new URL("../../../dist/adapters/console.js", import.meta.url).href;
const { createConsoleHandler }: typeof import("../../../adapters/console.js") = await import(built);

it("calls an API of another origin that allows it, and no other address", async () => {
  const api = await serve(["--demo", "--db", ":memory:", "--cors", "*"]);
  const handler = createConsoleHandler({ basePath: "/tools/console", api: api.url });
  const port = await listening(async (request, response) => {
    const answer = await handler(new Request(`http://localhost${request.url}`));
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
  });
  const browser = await launchBrowser();
  onTestFinished(() => browser.close());
  const page = await browser.newPage({ locale: "en-US" });

  const url = `http://127.0.0.1:${port}/tools/console`;
  await page.goto(`${url}#token=${api.token}&place=/groups/2559217223`);
  await page.getByText("5,000 members").waitFor();
  expect(page.url()).toBe(`${url}#/groups/2559217223`);
  const isAllowed = await page.evaluate(
    (address) =>
      fetch(address).then(
        () => true,
        () => false,
      ),
    `${url}/else`,
  );
  expect(isAllowed).toBe(false);
});

/** A proxy that takes `/tools/im` from the paths. */
async function proxyFor(url: string): Promise<string> {
  const proxy = createServer((incoming, outgoing) => {
    const { method, headers } = incoming;
    const options = { headers, ...(method !== undefined && { method }) };
    const passed = request(url + incoming.url?.replace(/^\/tools\/im/, ""), options, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(passed);
  });
  return `http://127.0.0.1:${await portOf(proxy.listen(0, "127.0.0.1"))}`;
}

it.each([
  ["behind a proxy that takes a prefix from the path", [], "/tools/im/console"],
  ["there, with a slash at its end", [], "/tools/im/console/"],
  ["below a base path", ["--base-path", "/admin"], "/tools/im/admin/console"],
])("finds the API of serve %s", async (_title, flags, path) => {
  const { url, token } = await serve(["--demo", "--console", "--db", ":memory:", ...flags]);
  const browser = await launchBrowser();
  onTestFinished(() => browser.close());
  const page = await browser.newPage({ locale: "en-US" });
  await page.goto(`${await proxyFor(url)}${path}#token=${token}&place=/groups/2559217223`);
  await page.getByText("5,000 members").waitFor();
});
