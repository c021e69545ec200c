-- The chat server's own tables: two kinds of IDs, foreign keys, soft deletes, and tenants that share tables.
CREATE SCHEMA chat;
CREATE TABLE chat.tenant (id text PRIMARY KEY);
CREATE TABLE chat.person (
  id uuid PRIMARY KEY,
  tenant_id text NOT NULL REFERENCES chat.tenant,
  display_name text,
  deleted_at timestamptz
);
CREATE TABLE chat.avatar (person_id uuid PRIMARY KEY REFERENCES chat.person ON DELETE CASCADE, url text NOT NULL);
CREATE TABLE chat.room (
  id bigint PRIMARY KEY,
  tenant_id text NOT NULL REFERENCES chat.tenant,
  title text NOT NULL,
  archived boolean NOT NULL DEFAULT false
);
CREATE TABLE chat.membership (
  tenant_id text NOT NULL,
  room_id bigint NOT NULL REFERENCES chat.room ON DELETE CASCADE,
  person_id uuid NOT NULL REFERENCES chat.person ON DELETE CASCADE,
  role text NOT NULL DEFAULT 'member',
  joined_at timestamptz NOT NULL DEFAULT now(),
  left_at timestamptz
);
-- A user who has left may join again, and then has several rows.
CREATE UNIQUE INDEX membership_now ON chat.membership (tenant_id, room_id, person_id) WHERE left_at IS NULL;
CREATE INDEX membership_of_person ON chat.membership (tenant_id, person_id);
CREATE UNIQUE INDEX person_of_tenant ON chat.person (tenant_id, id);
CREATE UNIQUE INDEX room_of_tenant ON chat.room (tenant_id, id);
-- The settings of a conversation for each person. They are JSON, which a map cannot name as columns.
CREATE TABLE chat.inbox (
  tenant_id text NOT NULL,
  person_id uuid NOT NULL REFERENCES chat.person ON DELETE CASCADE,
  conversation text NOT NULL,
  type integer NOT NULL,
  peer text NOT NULL,
  room text NOT NULL,
  settings jsonb NOT NULL,
  PRIMARY KEY (tenant_id, person_id, conversation)
);
-- The sessions of signed-in users. The chat server writes them.
CREATE TABLE chat.session (cookie text PRIMARY KEY, tenant_id text NOT NULL REFERENCES chat.tenant, administrator text);
