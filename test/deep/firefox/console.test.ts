import { join } from "node:path";
import { expect, it } from "vitest";
import { serve } from "../../helpers/cliProcess.js";
import { temporaryFolder } from "../../helpers/stores.js";
import { fillBigGroup, memberInRow } from "../helpers/console/bigGroup.js";
import { launchFirefox } from "../helpers/console/firefox.js";

const million = 1_000_000;
const widths = [
  ["wide", 1440, 900],
  ["a phone", 390, 800],
] as const;

it("shows the console: a session, a million members, details, a search and a setting", async () => {
  const database = join(temporaryFolder(), "im.db");
  await fillBigGroup(database, million);
  const server = await serve(["--demo", "--console", "--secret", "a secret of Firefox", "--db", database]);
  for (const [name, width, height] of widths) {
    const firefox = await launchFirefox();
    const { evaluate, click, press, type } = firefox;
    const text = () => evaluate<string>("document.body.innerText");
    const hash = () => evaluate<string>("location.hash");
    const seen = (part: string) => expect.poll(text, { message: `${name}: ${part}` }).toContain(part);
    const expectNothing = async () => expect([await hash(), await firefox.violations()]).toEqual([await hash(), []]);
    const goTo = (place: string) => firefox.goTo(`${server.url}/console#${place}`);

    await firefox.resize(width, height);
    await goTo("/groups/big");
    await seen("Administrator's token");
    await expectNothing();
    await click("textarea, input");
    await type(server.token);
    await press("Enter");
    await seen("1,000,000 members");
    await expectNothing();

    // A position in the middle, and the end.
    await evaluate(`(() => {
      const grid = document.querySelector("[role=grid]");
      grid.scrollTop = (grid.scrollHeight - grid.clientHeight) / 2;
    })()`);
    await expect.poll(hash).toMatch(/^#\/groups\/big\?row=(499|500)\d\d\d$/);
    const row = Number(/\d+$/.exec(await hash()));
    await seen(memberInRow(row + 1));
    await click("[role=row]", memberInRow(row + 1));
    await seen(`${(row + 1).toLocaleString("en-US")} of 1,000,000`);
    await expect.poll(hash).toContain(`open=${memberInRow(row + 1)}`);
    await expectNothing();
    await press("ArrowDown");
    await expect.poll(hash).toContain(`open=${memberInRow(row + 2)}`);
    await press("End");
    await seen("1,000,000 of 1,000,000");
    await press("ArrowUp");
    await seen("999,999 of 1,000,000");
    await evaluate("history.back()");
    await expect.poll(hash).not.toContain("open=");
    await seen(memberInRow(million - 1));
    expect(await evaluate("document.activeElement.role")).toBe("grid");
    await press("End", "Enter");
    await seen("1,000,000 of 1,000,000");
    await press("Escape");
    await expect.poll(hash).not.toContain("open=");

    await click("input[type=search]");
    await type("李 777000");
    await seen("1 member");
    await expectNothing();

    await goTo(`/conversations/big?user=${memberInRow(3)}`);
    await click("label", "Pinned to the top");
    // The preview grows when the values have been counted, and the button moves.
    await seen("would really change");
    await click("button", "Set for 1 user");
    await seen("Done: the conversation is set for 1 user");
    await expectNothing();
    expect([name, firefox.errors]).toEqual([name, []]);
  }
});
