import { expect, it } from "vitest";
import { componentSchemas } from "../../../adapters/openapi/components.js";
import { functions } from "../../../adapters/openapi/operations.js";
import { groupMemberSchema } from "../../../src/answers/items.js";
import { defaultLimits } from "../../../src/limits.js";

const [first, ...others] = functions;

it("refuses an operation whose answer has a schema with another name already: each would refer to the other", () => {
  const twice = { ...first, name: "getMembersAgain", dataName: "MembersAgain" };
  expect(() => componentSchemas([first, ...others, twice] as typeof functions, defaultLimits)).toThrow(
    new TypeError("MembersAgain has the schema of GroupMemberList"),
  );
  const item = { ...first, dataName: "OneMember", data: groupMemberSchema };
  expect(() => componentSchemas([item] as typeof functions, defaultLimits)).toThrow(
    new TypeError("OneMember has the schema of GroupMember"),
  );
});

it("refuses one name for two schemas", () => {
  const other = { ...others[0], dataName: "GroupMemberList" };
  expect(() => componentSchemas([first, other] as typeof functions, defaultLimits)).toThrow(
    new TypeError("GroupMemberList names two schemas"),
  );
});

it("describes an answer that two operations share once", () => {
  const again = { ...first, name: "getMembersAgain" };
  const schemas = componentSchemas([first, again] as typeof functions, defaultLimits);
  expect(schemas["GetMembersAgainAnswer"]?.properties?.["data"]).toEqual(
    schemas["GetGroupMemberListAnswer"]?.properties?.["data"],
  );
  expect(schemas["GroupMemberList"]?.properties?.["total"]).toMatchObject({ type: "integer" });
});
