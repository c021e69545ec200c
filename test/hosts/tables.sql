-- The tables of a chat server, which knows nothing of im-admin.
CREATE TABLE person (
  id INTEGER PRIMARY KEY,
  email TEXT UNIQUE,
  name TEXT NOT NULL,
  avatar TEXT,
  bio TEXT,
  level INTEGER NOT NULL DEFAULT 1,
  deleted_at INTEGER
);
CREATE TABLE alias (
  person_id INTEGER PRIMARY KEY REFERENCES person (id) ON DELETE CASCADE ON UPDATE CASCADE,
  name TEXT
);
CREATE TABLE room (
  id TEXT PRIMARY KEY,
  title TEXT NOT NULL,
  topic TEXT,
  created_at INTEGER NOT NULL,
  archived INTEGER NOT NULL DEFAULT 0,
  last_message INTEGER
);
CREATE TABLE membership (
  room_id TEXT NOT NULL REFERENCES room (id) ON DELETE CASCADE ON UPDATE CASCADE,
  person_id INTEGER NOT NULL REFERENCES person (id) ON DELETE CASCADE ON UPDATE CASCADE,
  role TEXT NOT NULL,
  nickname TEXT,
  joined_at INTEGER NOT NULL,
  left_at INTEGER,
  last_read INTEGER,
  unread INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (room_id, person_id)
);
CREATE INDEX membership_person ON membership (person_id);
CREATE TABLE ban (
  room_id TEXT REFERENCES room (id) ON DELETE CASCADE ON UPDATE CASCADE,
  person_id INTEGER REFERENCES person (id) ON DELETE CASCADE ON UPDATE CASCADE,
  PRIMARY KEY (room_id, person_id)
) WITHOUT ROWID;
CREATE INDEX ban_person ON ban (person_id);
CREATE TABLE block (
  owner_id INTEGER REFERENCES person (id) ON DELETE CASCADE ON UPDATE CASCADE,
  blocked_id INTEGER REFERENCES person (id) ON DELETE CASCADE ON UPDATE CASCADE,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (owner_id, blocked_id)
) WITHOUT ROWID;
CREATE INDEX block_blocked ON block (blocked_id);
CREATE TABLE join_request (
  id INTEGER PRIMARY KEY,
  room_id TEXT NOT NULL REFERENCES room (id) ON DELETE CASCADE ON UPDATE CASCADE,
  person_id INTEGER NOT NULL REFERENCES person (id) ON DELETE CASCADE ON UPDATE CASCADE,
  state TEXT NOT NULL DEFAULT 'pending',
  message TEXT,
  asked_at INTEGER NOT NULL,
  UNIQUE (room_id, person_id)
);
CREATE INDEX join_request_person ON join_request (person_id);
CREATE TABLE message (
  id INTEGER PRIMARY KEY,
  room_id TEXT REFERENCES room (id) ON DELETE CASCADE ON UPDATE CASCADE,
  person_id INTEGER REFERENCES person (id) ON DELETE SET NULL ON UPDATE CASCADE,
  body TEXT
);
CREATE INDEX message_room ON message (room_id);
CREATE INDEX message_person ON message (person_id);
CREATE TRIGGER message_sent AFTER INSERT ON message BEGIN
  UPDATE room SET last_message = NEW.id WHERE id = NEW.room_id;
  UPDATE membership SET unread = unread + 1 WHERE room_id = NEW.room_id AND person_id <> NEW.person_id;
END;
-- What a statement told the host.
CREATE TABLE log (id INTEGER PRIMARY KEY, changes INTEGER, last INTEGER);
