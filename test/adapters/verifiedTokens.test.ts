import { expect, it } from "vitest";
import { VerifiedTokens } from "../../adapters/verifiedTokens.js";

const later = Math.floor(Date.now() / 1000) + 3600;

it("remembers 1,000 tokens, and for one more forgets the one that came first", () => {
  const tokens = new VerifiedTokens();
  for (let index = 0; index < 1000; index += 1) tokens.add(`token ${index}`, `admin ${index}`, later);
  expect([tokens.find("token 0"), tokens.find("token 999")]).toEqual(["admin 0", "admin 999"]);
  tokens.add("token 1000", "admin 1000", later);
  expect([tokens.find("token 0"), tokens.find("token 1"), tokens.find("token 1000")]).toEqual([
    undefined,
    "admin 1",
    "admin 1000",
  ]);
});
