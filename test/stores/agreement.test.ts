import { it } from "vitest";
import { assertAgreement } from "../helpers/agreement.js";
import { memoryStore } from "../helpers/stores.js";

it("answers whatever is asked of whatever it holds as the example store does, which sorts arrays", () =>
  assertAgreement(async () => memoryStore(), 500));
