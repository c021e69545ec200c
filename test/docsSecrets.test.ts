import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { pages, root } from "./helpers/docs/pages.js";

describe("secrets and tokens", () => {
  // A text after `??` or `||`, or after the `:-` of a shell.
  const fallback = /(?:secret|token|password)\w*\W{0,2}\s*(?:(?:\?\?|\|\|)\s*["'`][^"'`]|:[-=][^}])/i;

  it("would be found where one falls back to another that everybody knows", () => {
    expect('process.env.IM_ADMIN_SECRET ?? "change me"').toMatch(fallback);
    expect('process.env["TOKEN"] || `secret`').toMatch(fallback);
    expect("IM_ADMIN_SECRET:-change-me").toMatch(fallback);
    expect('process.env.IM_ADMIN_SECRET ?? ""').not.toMatch(fallback);
  });

  it.each(pages)("of $path have no such fallback", ({ text }) => {
    expect(text).not.toMatch(fallback);
  });

  const examples = readdirSync(`${root}examples`, { recursive: true, encoding: "utf8" });
  it.each(examples.filter((path) => /\.[a-z]+$/.test(path)))("of examples/%s have no such fallback", (path) => {
    expect(readFileSync(`${root}examples/${path}`, "utf8")).not.toMatch(fallback);
  });
});
