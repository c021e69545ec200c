import { expect, it, onTestFinished } from "vitest";
import { serve } from "../../helpers/cliProcess.js";
import { listening } from "../../helpers/http/hosts.js";
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
