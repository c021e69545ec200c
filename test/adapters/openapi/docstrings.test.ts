import { expect, it } from "vitest";
import { docstringsFile } from "../../helpers/openapi/docstrings.js";

it("describes fields with the docstrings of the code", async () => {
  await expect(docstringsFile()).toMatchFileSnapshot("../../../adapters/openapi/docstrings.json");
});
