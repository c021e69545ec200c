/** "imAh" in ASCII: the application_id in the header of a file, which marks it as a history. */
export const applicationID = 0x69_6d_41_68;

export const schemaVersion = 1;

/**
 * The tables of a history. `requests` and `ends` have the entries as JSON, and the others what lists need of them: a row
 * for each setting, its counts after each of its entries, its places in the lists of a field, an administrator and a
 * conversation, and in those of its users. The field "" is that of all settings.
 */
const tables = `
CREATE TABLE settings (number INTEGER PRIMARY KEY, setting_id TEXT NOT NULL UNIQUE, key TEXT, time INTEGER NOT NULL,
  setting TEXT NOT NULL);
CREATE INDEX settings_by_key ON settings (key) WHERE key IS NOT NULL;
CREATE TABLE requests (number INTEGER PRIMARY KEY, request_id TEXT NOT NULL UNIQUE, setting INTEGER NOT NULL,
  request INTEGER NOT NULL, digest TEXT NOT NULL, entry TEXT NOT NULL, UNIQUE (setting, request));
CREATE INDEX requests_by_digest ON requests (setting, digest);
CREATE TABLE ends (request INTEGER PRIMARY KEY, outcome TEXT NOT NULL, entry TEXT NOT NULL);
CREATE TABLE counts (setting INTEGER, step INTEGER, requests INTEGER NOT NULL, users INTEGER NOT NULL,
  asked_users INTEGER NOT NULL, changed INTEGER NOT NULL, unknown INTEGER NOT NULL, outcome TEXT NOT NULL,
  PRIMARY KEY (setting, step)) WITHOUT ROWID;
CREATE TABLE listed (setting INTEGER, field TEXT, admin_user_id TEXT NOT NULL, conversation_id TEXT NOT NULL,
  time INTEGER NOT NULL, PRIMARY KEY (setting, field)) WITHOUT ROWID;
CREATE INDEX listed_by_time ON listed (field, time);
CREATE INDEX listed_by_admin ON listed (field, admin_user_id, time);
CREATE INDEX listed_by_conversation ON listed (field, conversation_id, time);
CREATE INDEX listed_by_admin_and_conversation ON listed (field, admin_user_id, conversation_id, time);
CREATE TABLE setting_users (user_id TEXT, time INTEGER, setting INTEGER,
  PRIMARY KEY (user_id, time, setting)) WITHOUT ROWID`;

/** The key of each table, by which a row would be replaced. */
const keys = {
  settings: "number = new.number OR setting_id = new.setting_id",
  requests: "number = new.number OR request_id = new.request_id OR setting = new.setting AND request = new.request",
  ends: "request = new.request",
  counts: "setting = new.setting AND step = new.step",
  listed: "setting = new.setting AND field = new.field",
};

/** Lets nobody change or delete a row by accident. */
function guards(table: string): string[] {
  const refuse = "BEGIN SELECT RAISE(ABORT, 'a history only grows'); END";
  const key = keys[table as keyof typeof keys];
  const replaced = `BEFORE INSERT ON ${table} WHEN EXISTS (SELECT 1 FROM ${table} WHERE ${key}) ${refuse}`;
  return [
    `CREATE TRIGGER ${table}_update BEFORE UPDATE ON ${table} ${refuse}`,
    `CREATE TRIGGER ${table}_delete BEFORE DELETE ON ${table} ${refuse}`,
    // The rows of setting_users have nothing but their keys.
    ...(key === undefined ? [] : [`CREATE TRIGGER ${table}_replace ${replaced}`]),
  ];
}

/** The statements that make the tables in an empty file. */
export const schema: readonly string[] = [
  ...tables.split(";"),
  ...[...Object.keys(keys), "setting_users"].flatMap(guards),
  `PRAGMA application_id = ${applicationID}`,
  `PRAGMA user_version = ${schemaVersion}`,
];
