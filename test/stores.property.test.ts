import { it } from "vitest";
import { assertAgreement } from "./agreement.js";
import { memoryStore } from "./stores.js";

it("answers whatever is asked of whatever it holds as the example store does, which sorts arrays", () =>
  assertAgreement(async () => memoryStore(), 150));
