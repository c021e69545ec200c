import { existsSync, readFileSync, writeFileSync } from "node:fs";
import type { Page } from "playwright-core";
import sharp from "sharp";
import { expect, it } from "vitest";
import { root } from "../../helpers/docs/pages.js";
import { useConsole } from "../helpers/console/open.js";

const openConsole = useConsole();
const page = `${root}docs/console-views.md`;

/** Each view, where it is, what is done there, and what is seen when it is there. */
const views: [name: string, title: string, place: string, seen: string, act?: (page: Page) => Promise<unknown>][] = [
  ["start", "Start", "/", "Set conversations"],
  ["members", "Members of a group", "/groups/2559217223", "David Baker"],
  [
    "detail",
    "A row, with all its fields",
    "/groups/2559217223",
    "Raw JSON",
    (page) => page.getByText("Jack Davies").click(),
  ],
  ["groups", "Groups of a user", "/users/1000000007/groups", "Photography 300"],
  ["requests", "Join requests", "/users/1000000007/requests", "140 requests"],
  ["blacklist", "Blacklist", "/users/1000000007/blacklist", "Ada Harris"],
  ["accounts", "Notification accounts", "/accounts", "Security alerts"],
  ["open", "Open anything", "/groups/2559217223", "Everybody", (page) => page.keyboard.press("/")],
  ["conversations", "Set conversations", "/conversations/2559217223", "What will change"],
  ["failure", "An error", "/groups/404", "No such group: 404"],
];

const themes = ["light", "dark"] as const;
const fileOf = (name: string, theme: string) => `images/console/${name}-${theme}.png`;

/** A page with each view, in light and dark. */
function pageOfViews(): string {
  const parts = views.map(([name, title]) => {
    const images = themes.map((theme) => `![${title}, ${theme}](${fileOf(name, theme)})`);
    return `## ${title}\n\n${images.join("\n")}\n`;
  });
  const lead =
    "Each view of the [console](console.md), in light and dark, on the demo world. Tests make this page and its pictures:\n" +
    "`VIEWS=write npx vitest run --config test/deep/vitest.config.ts test/deep/console/views`.\n";
  return `# Views of the console\n\n${lead}\n${parts.join("\n")}`;
}

it.each(themes)("has a picture of each view: %s", async (colorScheme) => {
  const viewport = { width: 960, height: 560 };
  const { page, goTo } = await openConsole({ viewport, colorScheme, timezoneId: "UTC", flags: ["--title", "demo"] });
  for (const [name, , place, seen, act] of views) {
    await goTo("/");
    await page.getByRole("heading", { name: "What do you want to see?" }).waitFor();
    await goTo(place);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await act?.(page);
    await page.getByText(seen).first().waitFor();
    await page.locator(".bone").first().waitFor({ state: "detached" });
    // Counts of the heading come after the list.
    await page.waitForLoadState("networkidle");
    const file = `${root}docs/${fileOf(name, colorScheme)}`;
    if (process.env["VIEWS"] === "write") {
      const small = sharp(await page.screenshot()).png({ palette: true, colours: 32, compressionLevel: 9, effort: 10 });
      writeFileSync(file, await small.toBuffer());
    }
    const { width, height } = await sharp(file).metadata();
    expect({ width, height }).toEqual(viewport);
    expect(readFileSync(file).length).toBeLessThan(45_000);
    await page.keyboard.press("Escape");
  }
});

it("stands on a page that shows all of them", () => {
  if (process.env["VIEWS"] === "write") writeFileSync(page, pageOfViews());
  expect(readFileSync(page, "utf8")).toBe(pageOfViews());
  for (const [name] of views)
    for (const theme of themes) expect(existsSync(`${root}docs/${fileOf(name, theme)}`)).toBe(true);
});
