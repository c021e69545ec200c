import { expect, expectTypeOf, it } from "vitest";
import { defineTables, type MappedRecord, tablesSql } from "../../src/stores/tablesSql.js";

const users = { from: "chat.person", key: { userID: "id" } };

it("gives back the map that it is given", () => {
  const map = { users, groupRequests: "empty", separator: "/" } as const;
  expect(defineTables(map)).toBe(map);
});

it.each([
  [{ users: { from: "chat.person" } }, "users.key is missing"],
  [{ users: { ...users, key: {} } }, "users.key.userID is missing"],
  [{ users: { ...users, key: { userID: [] } } }, "users.key.userID must name a column, or several in an array"],
  [{ users: { ...users, key: { userID: "id", id: "id" } } }, "users.key.id is nothing that a map has"],
  [{ people: users }, "people is nothing that a map has"],
  [{ users: { ...users, fields: { name: "x" } } }, "users.fields.name is nothing that a map has"],
  [{ users: { ...users, fields: { userID: "x" } } }, "users.fields.userID is nothing that a map has"],
  [{ users: { ...users, fields: { nickname: "" } } }, "users.fields.nickname must not be empty"],
  [{ users: { ...users, where: "true -- not deleted" } }, "users.where must not contain a comment"],
  [
    { users: { ...users, from: "chat.person; DROP TABLE x" } },
    "users.from must be the name of a table, such as chat.person",
  ],
  [{ users: { ...users, also: [{ table: "chat.name", key: {} }] } }, "users.also[0].key must have a column of the key"],
  [{ users: "none" }, 'users must be "empty", and is "none"'],
  [{ separator: "" }, "separator must not be empty"],
  [undefined, "the map is missing"],
  [[], "the map must be an object, and is an array"],
  [{ users: [] }, "users must be an object, and is an array"],
  [{ users: { ...users, key: [] } }, "users.key must be an object, and is an array"],
  [{ users: { ...users, fields: [] } }, "users.fields must be an object, and is an array"],
  [{ users: { ...users, also: [[]] } }, "users.also[0] must be an object, and is an array"],
  [{ users: null }, "users must be Object, and is null"],
])("refuses %j", (map, message) => {
  expect(() => defineTables(map as never)).toThrow(new TypeError(message));
});

it("takes text in an expression that looks like a comment", () => {
  expect(() => defineTables({ users: { ...users, where: "kind <> '--'" } })).not.toThrow();
});

it("does not compile where a part of a key is forgotten", () => {
  expectTypeOf<{ from: string; key: { groupID: string } }>().not.toExtend<MappedRecord<"groupMembers">>();
  expectTypeOf<{ from: string; key: { groupID: string; userID: string } }>().toExtend<MappedRecord<"groupMembers">>();
  expectTypeOf<typeof users>().toExtend<MappedRecord<"users">>();
});

it("says which engines and schemas there are, and asks for the schemas of tables", () => {
  const sql = (options: object, map: object = { users }) => tablesSql(map, options as never);
  expect(() => sql({ engine: "mysql" })).toThrow(new TypeError('engine must be "postgres" or "sqlite"'));
  expect(() => sql({ engine: "sqlite" })).toThrow(
    new TypeError("users: name the table chat.person without its schema"),
  );
  expect(() => sql({ engine: "postgres", schema: "" })).toThrow("schema must be the name of a schema");
  for (const trustedOwners of ["owner", [""], [1]]) {
    expect(() => sql({ engine: "postgres", trustedOwners })).toThrow(
      new TypeError("trustedOwners must be an array of roles"),
    );
  }
  expect(() => sql({ engine: "postgres" }, { users: { ...users, from: "person" } })).toThrow(
    new TypeError("users: name the table person with its schema, such as public.person"),
  );
  expect(() => sql({ engine: "postgres", schema: "a$$b" })).toThrow("schema must not have $$ in its name");
  expect(() => sql({ engine: "postgres", schema: "$body$" })).toThrow("schema must not have $body$ in its name");
  const { install } = sql({ engine: "postgres", schema: "Acme" });
  expect(install.join("\n")).toContain('CREATE VIEW "Acme".users WITH');
  expect(install.join("\n")).not.toMatch(/\bim_admin\./);
  const trusting = sql({ engine: "postgres", schema: "acme", trustedOwners: ["im_admin", "im_admin__host"] });
  expect(trusting.install.join("\n")).toContain("ARRAY['im_admin', 'im_admin__host']::text[]");
});
