import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import sharp from "sharp";
import { expect, it } from "vitest";
import { demoGroupID, demoUserID } from "../../../adapters/cli/demo.js";
import { root } from "../../helpers/docs/pages.js";
import { temporaryFolder } from "../../helpers/stores.js";
import { useConsole } from "../helpers/console/open.js";

const openConsole = useConsole();

interface View {
  name: string;
  title: string;
  place: string;
  /** The heading, with the name of the group or user: the page shows its ID until the name has come. */
  heading: string;
  /** Texts that come after the heading, each from an answer of its own. */
  seen: readonly string[];
  act?(page: Page): Promise<unknown>;
  /** A width at which it looks otherwise than on a small screen, in pixels. */
  width?: number;
}

const group = { place: "/groups/2559217223", heading: "全员群 Everybody" };
const ada = { heading: "Ada Baker" };
const tabsOfAda = ["Joined groups 301", "Join requests 140", "Blacklist 1"];

const views: readonly View[] = [
  { name: "start", title: "Start", place: "/", heading: "What do you want to see?", seen: ["Set conversations"] },
  { name: "members", title: "Members of a group", ...group, seen: ["Join requests 0", "Owner 李伟", "David Baker"] },
  {
    name: "detail",
    title: "A row, with all its fields",
    ...group,
    seen: ["Raw JSON"],
    width: 1216,
    act: (page) => page.getByText("Jack Davies").click(),
  },
  {
    name: "groups",
    title: "Groups of a user",
    place: "/users/1000000007/groups",
    ...ada,
    seen: [...tabsOfAda, "Photography 300"],
  },
  {
    name: "requests",
    title: "Join requests",
    place: "/users/1000000007/requests",
    ...ada,
    seen: [...tabsOfAda, "Pending 140", "Accepted 160", "Refused 100", "All 400", "Henry King"],
  },
  {
    name: "blacklist",
    title: "Blacklist",
    place: "/users/1000000007/blacklist",
    ...ada,
    seen: [...tabsOfAda, "Ada Harris"],
  },
  {
    name: "accounts",
    title: "Notification accounts",
    place: "/accounts",
    heading: "Notification accounts",
    seen: ["4 accounts", "Security alerts"],
  },
  {
    name: "open",
    title: "Open anything",
    ...group,
    seen: ["Join requests 0", "Owner 李伟", "David Baker"],
    act: (page) => page.keyboard.press("/"),
  },
  {
    name: "conversations",
    title: "Set conversations",
    place: "/conversations/2559217223",
    heading: "Set conversations",
    seen: ["What will change"],
  },
  {
    name: "history",
    title: "History",
    place: "/history",
    heading: "History",
    seen: ["2 settings", "Mute: no notification"],
    act: (page) => page.locator(".settings bdi").getByText("Administrator").first().waitFor(),
    width: 1280,
  },
  { name: "failure", title: "An error", place: "/groups/404", heading: "404", seen: ["No such group: 404"] },
];

const themes = ["light", "dark"] as const;
const fileOf = (name: string, theme: string) => `images/console/${name}-${theme}.png`;

/** Sets the conversation of the demo world's largest group for two of its members. */
async function setForGroup(url: string, token: string, fields: object): Promise<void> {
  const conversation = { conversationID: `sg_${demoGroupID}`, conversationType: 3, groupID: demoGroupID, ...fields };
  const response = await fetch(`${url}/conversation/set_conversations`, {
    method: "POST",
    headers: { token, operationID: `of ${Object.keys(fields)}` },
    body: JSON.stringify({ userIDs: [demoUserID(1), demoUserID(2)], conversation }),
  });
  expect(await response.json()).toMatchObject({ errCode: 0 });
}

it.each(themes)("has a picture of each view: %s", async (colorScheme) => {
  const usual = { width: 960, height: 560 };
  const flags = ["--title", "demo", "--history", join(temporaryFolder(), "history.ndjson")];
  const { page, url, token, goTo } = await openConsole({ viewport: usual, colorScheme, timezoneId: "UTC", flags });
  for (const fields of [{ recvMsgOpt: 2 }, { isPinned: true }]) await setForGroup(url, token, fields);
  for (const { name, place, heading, seen, act, width: wanted = usual.width } of views) {
    const viewport = { ...usual, width: wanted };
    await page.setViewportSize(viewport);
    await goTo("/");
    await page.getByRole("heading", { name: "What do you want to see?" }).waitFor();
    await goTo(place);
    await page.getByRole("heading", { level: 1, name: heading, exact: true }).waitFor();
    await act?.(page);
    for (const text of seen) await page.getByText(text).first().waitFor();
    await page.locator(".bone").first().waitFor({ state: "detached" });
    // A row under the pointer has another colour.
    await page.mouse.move(0, viewport.height - 1);
    const file = `${root}docs/${fileOf(name, colorScheme)}`;
    if (process.env["VIEWS"] === "write") {
      const small = sharp(await page.screenshot()).png({ palette: true, colours: 16, compressionLevel: 9, effort: 10 });
      writeFileSync(file, await small.toBuffer());
    }
    const { width, height } = await sharp(file).metadata();
    expect({ width, height }).toEqual(viewport);
    expect(readFileSync(file).length).toBeLessThan(35_000);
    await page.keyboard.press("Escape");
  }
});

it("are all on the page of the console", () => {
  const page = readFileSync(`${root}docs/console.md`, "utf8");
  const rows = views.map(({ name, title }) => {
    const images = themes.map((theme) => `![${title}, ${theme}](${fileOf(name, theme)})`);
    return `| ${images.join(" | ")} |\n`;
  });
  expect(page).toContain(`| light | dark |\n|---|---|\n${rows.join("")}`);
  for (const { name } of views)
    for (const theme of themes) expect(existsSync(`${root}docs/${fileOf(name, theme)}`)).toBe(true);
});
