/** "imAh" in ASCII: the application_id in the header of a file, which marks it as a history. */
export const applicationID = 0x69_6d_41_68;

export const schemaVersion = 1;

/** Whether another request of a setting was for the same users, and has not failed. */
const isMade = (setting: string, number: string, digest: string) => `EXISTS (SELECT 1 FROM requests AS other
    LEFT JOIN ends ON ends.request = other.number WHERE other.setting = ${setting} AND other.digest = ${digest}
    AND other.number <> ${number} AND outcome IS NOT 'failed')`;

/**
 * A history is in `requests` and `ends`, which have the entries as JSON. Triggers keep what lists need of them: the
 * counts of a setting after each of its entries, its places in the lists of a field, an administrator and a
 * conversation, and in those of its users. The field "" is that of all settings.
 */
const tables = [
  `CREATE TABLE settings (number INTEGER PRIMARY KEY, setting_id TEXT NOT NULL UNIQUE, key TEXT, time INTEGER NOT NULL,
    setting TEXT NOT NULL)`,
  "CREATE INDEX settings_by_key ON settings (key) WHERE key IS NOT NULL",
  "CREATE INDEX settings_by_set_back ON settings (json_extract(setting, '$.setsBack'))",
  `CREATE TABLE requests (number INTEGER PRIMARY KEY, request_id TEXT NOT NULL UNIQUE, setting INTEGER NOT NULL,
    request INTEGER NOT NULL, digest TEXT NOT NULL, users INTEGER NOT NULL, entry TEXT NOT NULL, UNIQUE (setting, request))`,
  "CREATE INDEX requests_by_digest ON requests (setting, digest)",
  `CREATE TABLE ends (request INTEGER PRIMARY KEY, outcome TEXT NOT NULL, changed INTEGER NOT NULL, entry TEXT NOT NULL)`,
  `CREATE TABLE counts (setting INTEGER, step INTEGER, requests INTEGER NOT NULL, users INTEGER NOT NULL,
    asked INTEGER NOT NULL, changed INTEGER NOT NULL, unknown INTEGER NOT NULL, outcome TEXT NOT NULL,
    PRIMARY KEY (setting, step)) WITHOUT ROWID`,
  `CREATE TABLE listed (setting INTEGER, field TEXT, admin_user_id TEXT NOT NULL, conversation_id TEXT NOT NULL,
    time INTEGER NOT NULL, PRIMARY KEY (setting, field)) WITHOUT ROWID`,
  "CREATE INDEX listed_by_time ON listed (field, time)",
  "CREATE INDEX listed_by_admin ON listed (field, admin_user_id, time)",
  "CREATE INDEX listed_by_conversation ON listed (field, conversation_id, time)",
  "CREATE INDEX listed_by_admin_and_conversation ON listed (field, admin_user_id, conversation_id, time)",
  `CREATE TABLE setting_users (user_id TEXT, time INTEGER, setting INTEGER,
    PRIMARY KEY (user_id, time, setting)) WITHOUT ROWID`,
  `CREATE TRIGGER settings_list AFTER INSERT ON settings BEGIN
    INSERT INTO listed SELECT new.number, field, json_extract(new.setting, '$.adminUserID'),
      json_extract(new.setting, '$.conversationID'), new.time
      FROM (SELECT '' AS field UNION ALL SELECT key FROM json_each(new.setting, '$.fields')); END`,
  `CREATE TRIGGER requests_count AFTER INSERT ON requests BEGIN
    INSERT OR IGNORE INTO setting_users SELECT value, time, number
      FROM settings CROSS JOIN json_each(new.entry, '$.userIDs') WHERE number = new.setting ORDER BY value;
    INSERT INTO counts SELECT new.setting, ifnull(step, 0) + 1, ifnull(requests, 0) + 1,
      ifnull(users, 0) + new.users * NOT ${isMade("new.setting", "new.number", "new.digest")},
      ifnull(asked, 0) + new.users * NOT EXISTS (SELECT 1 FROM requests AS other
        WHERE other.setting = new.setting AND other.digest = new.digest AND other.number <> new.number),
      ifnull(changed, 0), ifnull(unknown, 0) + 1, 'unknown'
      FROM (SELECT 1) LEFT JOIN (SELECT * FROM counts WHERE setting = new.setting ORDER BY step DESC LIMIT 1); END`,
  `CREATE TRIGGER ends_count AFTER INSERT ON ends BEGIN
    INSERT INTO counts SELECT counts.setting, step + 1, requests,
      counts.users - (new.outcome = 'failed' AND NOT ${isMade("counts.setting", "number", "digest")}) * ended.users,
      asked, counts.changed + new.changed, unknown - (new.outcome <> 'unknown'), iif(request = requests - 1, new.outcome, counts.outcome)
      FROM requests AS ended CROSS JOIN counts ON counts.setting = ended.setting
      WHERE number = new.request ORDER BY step DESC LIMIT 1; END`,
];

/** The rows that a new one would replace. Those of the other tables are made by triggers. */
const replaced = {
  settings: "number = new.number OR setting_id = new.setting_id",
  requests: "number = new.number OR request_id = new.request_id OR setting = new.setting AND request = new.request",
  ends: "request = new.request",
};

/** Lets nobody change or delete a row by accident. */
const guard = (table: string, event: string) =>
  `CREATE TRIGGER ${table}_${event.slice(0, 6)} BEFORE ${event} BEGIN SELECT RAISE(ABORT, 'a history only grows'); END`;

/** The statements that make the tables in an empty file. */
export const schema: readonly string[] = [
  ...tables,
  ...["settings", "requests", "ends", "counts", "listed", "setting_users"].flatMap((table) =>
    ["UPDATE", "DELETE"].map((event) => guard(table, `${event} ON ${table}`)),
  ),
  ...Object.entries(replaced).map(([table, rows]) =>
    guard(table, `INSERT ON ${table} WHEN EXISTS (SELECT 1 FROM ${table} WHERE ${rows})`),
  ),
  `PRAGMA application_id = ${applicationID}`,
  `PRAGMA user_version = ${schemaVersion}`,
];
