import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../helpers/stores.js";
import { useConsole } from "../helpers/console/open.js";

const openConsole = useConsole();

/** Translates the page as browsers do: texts are replaced by elements with other words, now and whenever others come. */
async function translate(page: Page, [before, after] = ["«", "»"]): Promise<void> {
  await page.evaluate(
    ([before, after]) => {
      function replaceTexts(root: Node): void {
        const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
        const texts: Text[] = [];
        while (walker.nextNode()) texts.push(walker.currentNode as Text);
        for (const text of root instanceof Text ? [root] : texts) {
          if (text.data.trim() === "" || text.parentElement?.closest("font, [translate=no], script, style")) continue;
          const [outer, inner] = [document.createElement("font"), document.createElement("font")];
          inner.textContent = `${before}${text.data}${after}`;
          outer.append(inner);
          text.replaceWith(outer);
        }
      }
      new MutationObserver((changes) => {
        for (const { addedNodes, target } of changes) for (const node of [...addedNodes, target]) replaceTexts(node);
      }).observe(document.body, { childList: true, characterData: true, subtree: true });
      replaceTexts(document.body);
    },
    [before, after],
  );
  await page.locator("font").first().waitFor();
}

it("shows the true number of ticked rows on a translated page", async () => {
  const { page } = await openConsole({ place: "/groups/2559217223", seen: "5,000 members" });
  await page.locator('[aria-rowindex="2"]').getByRole("checkbox").check();
  const bar = page.getByRole("region", { name: "Selection" }).locator("strong");
  await bar.waitFor();
  await translate(page);
  expect(await bar.innerText()).toBe("«1 selected»");
  await page.getByRole("checkbox", { name: "Select all rows" }).check();
  await expect.poll(() => bar.innerText()).toBe("«5,000 selected»");
  await page.getByLabel("Role", { exact: true }).selectOption({ index: 2 });
  await expect.poll(() => page.locator(".total").innerText()).toBe("«20 members»");
  await expect.poll(() => page.locator(".position").innerText()).toMatch(/^«Rows 1–\d+ of 20»$/);
  // A name is no word of any language.
  expect(await page.locator('[aria-rowindex="2"]').innerText()).toMatch(/\s[^«]+\s[\d]+\s«Administrator»/);
});

it("shows for how many users a conversation is set on a translated page, and leaves no words behind", async () => {
  const { page } = await openConsole({ place: "/conversations/2559217223", seen: "no user is listed yet" });
  await translate(page);
  await page.getByLabel("User IDs").fill("1001800006\n1003600005\n1005400004\n1007200003");
  const form = page.locator("main");
  await form.getByRole("button", { name: "«Set for 4 users»" }).waitFor();
  await expect.poll(() => form.innerText()).not.toContain("no user is listed yet");
  await page.getByRole("checkbox", { name: "Pinned to the top" }).check();
  await form.getByText("«4 of 4 users would really change»").waitFor();
  await form.getByRole("button", { name: "«Set for 4 users»" }).click();
  await form.getByText("«Done: the conversation is set for 4 users»").waitFor();
  await page.getByLabel("User IDs").fill("1001800006");
  await form.getByText("«0 of 1 user would really change»").waitFor();
  expect(await form.innerText()).not.toMatch(/Reading|Counting|4 of 4/);
});

it("shows on each screen what it shows without a translator, and nothing of the screen before", async () => {
  const flags = ["--history", `${temporaryFolder()}/history.ndjson`];
  const { page, url, token, goTo } = await openConsole({ flags, place: "/accounts", seen: "4 accounts" });
  for (const isPinned of [true, false]) {
    const conversation = { conversationID: "sg_2559217223", conversationType: 3, groupID: "2559217223", isPinned };
    await fetch(`${url}/conversation/set_conversations`, {
      method: "POST",
      headers: { token, operationID: `isPinned ${isPinned}` },
      body: JSON.stringify({ userIDs: ["1001800006", "1003600005"], conversation }),
    });
  }
  const plain = await page.context().newPage();
  const textOf = async (tab: Page) => (await tab.locator("main").innerText()).replace(/\s+/g, " ");
  // With longer words, another number of rows would be in view.
  await translate(page, ["", ""]);
  for (const [place, seen] of Object.entries({
    "/groups/2559217223": "5,000 members",
    "/groups/2559217223?filter=2": "20 members",
    "/groups/2559217223?filter=2&open=1003600005": "Raw JSON",
    "/groups/2559217223/requests": "No such request to join this group.",
    "/users/1000000007/groups": "301 groups",
    "/users/1000000007/requests": "140 requests",
    "/users/1000000007/requests?result=accepted": "160 requests",
    "/history": "2 settings",
    "/history?field=isPinned&user=1001800006": "2 settings",
    "/history?user=nobody": "Nothing matches",
    "/conversations/2559217223?user=1001800006": "What will change",
    "/accounts": "4 accounts",
  })) {
    await plain.goto("about:blank");
    await plain.goto(`${url}/console#${place}`);
    await plain.getByText(seen).first().waitFor();
    await goTo(place, seen);
    // Names and counts come after the list, at both.
    const differing = async () => {
      const [translated, usual] = [await textOf(page), await textOf(plain)];
      return translated === usual ? [] : [place, translated, usual];
    };
    await plain.waitForLoadState("networkidle");
    await expect.poll(differing).toEqual([]);
  }
});
