import { it } from "vitest";
import { assertAgreement } from "../helpers/agreement.js";
import { memoryStore } from "../helpers/stores.js";

it("answers random calls over random records as the example store does, which sorts arrays", () =>
  assertAgreement(async () => memoryStore(), 500));
