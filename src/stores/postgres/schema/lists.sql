------------------------------------------------------------------------------------------------------------------------
-- Lists and their trees
------------------------------------------------------------------------------------------------------------------------

CREATE TABLE im_admin.lists (
  list text COLLATE "C" NOT NULL,
  owner text COLLATE "C" NOT NULL,
  total bigint NOT NULL,
  height integer NOT NULL,
  settled_before xid8 NOT NULL,
  unfinished xid8[] NOT NULL,
  settled_in oid NOT NULL,
  PRIMARY KEY (list, owner)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);

CREATE TABLE im_admin.list_nodes (
  list text COLLATE "C" NOT NULL,
  owner text COLLATE "C" NOT NULL,
  level smallint NOT NULL,
  start text COLLATE "C" NOT NULL,
  entries text[] COLLATE "C" NOT NULL,
  totals bigint[],
  words text COLLATE "C",
  PRIMARY KEY (list, owner, level, start)
  -- Keeps a row uncompressed and in one page, if it fits.
) WITH (toast_tuple_target = 8160, autovacuum_vacuum_scale_factor = 0.05);

CREATE TABLE im_admin.list_changes (
  list text COLLATE "C" NOT NULL,
  owner text COLLATE "C" NOT NULL,
  transaction xid8 NOT NULL DEFAULT pg_current_xact_id(),
  key text COLLATE "C" NOT NULL,
  change smallint NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
CREATE INDEX list_changes_of_lists ON im_admin.list_changes (list, owner, transaction);

CREATE TABLE im_admin.packed_changes (
  record text COLLATE "C" NOT NULL,
  firsts text[] COLLATE "C" NOT NULL,
  seconds text[] COLLATE "C",
  :packed_definitions,
  changes smallint[] NOT NULL
);
ALTER TABLE im_admin.packed_changes
  ALTER firsts SET STORAGE EXTERNAL, ALTER seconds SET STORAGE EXTERNAL, :packed_storage;

CREATE TABLE im_admin.touched (record text COLLATE "C" NOT NULL, first text COLLATE "C", second text COLLATE "C", problem text)
  WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
CREATE INDEX touched_by_first ON im_admin.touched (record, first);
CREATE INDEX touched_by_second ON im_admin.touched (second) WHERE record IN (:listed_by_second);
CREATE INDEX touched_with_problems ON im_admin.touched (record) WHERE problem IS NOT NULL;

CREATE TABLE im_admin.list_entries (
  list text COLLATE "C" NOT NULL,
  parent text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  owner text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL
);
CREATE INDEX list_entries_of_lists ON im_admin.list_entries (list, parent, id);
CREATE INDEX list_entries_of_ids ON im_admin.list_entries (list, id);

-- Where the next settle() continues.
CREATE TABLE im_admin.settle_position (list text COLLATE "C" NOT NULL, owner text COLLATE "C" NOT NULL, server text NOT NULL);
INSERT INTO im_admin.settle_position VALUES ('', '', '');

-- How often settle() has begun at that place. It is a sequence, since a sequence also counts transactions that fail.
CREATE SEQUENCE im_admin.settle_attempts;

CREATE TABLE im_admin.table_map (map text NOT NULL, trusted_owners text[] NOT NULL DEFAULT '{}');

CREATE TABLE im_admin.mapped_objects (
  record text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  schema text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  relation regclass,
  type regtype
);

CREATE TABLE im_admin.mapped_columns (
  record text COLLATE "C" NOT NULL,
  part text COLLATE "C" NOT NULL,
  decides boolean NOT NULL,
  relation regclass NOT NULL,
  number smallint NOT NULL,
  name text COLLATE "C" NOT NULL
);

CREATE TABLE im_admin.mapped_files (
  record text COLLATE "C" NOT NULL,
  relation regclass NOT NULL,
  parent regclass,
  file oid NOT NULL
);

CREATE TABLE im_admin.schema_version (version integer NOT NULL);
INSERT INTO im_admin.schema_version VALUES (1);

CREATE TABLE im_admin.last_import (time bigint, token text COLLATE "C");

CREATE TABLE im_admin.followed (
  record text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  PRIMARY KEY (record, id)
);

-- A key may be too long for an index that is sorted.
CREATE INDEX followed_by_key ON im_admin.followed USING hash (key);

-- A host may publish all tables. Rows of a published table without a key could not be deleted.
ALTER TABLE im_admin.list_changes REPLICA IDENTITY FULL;
ALTER TABLE im_admin.packed_changes REPLICA IDENTITY FULL;
ALTER TABLE im_admin.touched REPLICA IDENTITY FULL;
ALTER TABLE im_admin.list_entries REPLICA IDENTITY FULL;
ALTER TABLE im_admin.settle_position REPLICA IDENTITY FULL;
ALTER TABLE im_admin.table_map REPLICA IDENTITY FULL;
ALTER TABLE im_admin.mapped_objects REPLICA IDENTITY FULL;
ALTER TABLE im_admin.mapped_columns REPLICA IDENTITY FULL;
ALTER TABLE im_admin.mapped_files REPLICA IDENTITY FULL;
ALTER TABLE im_admin.schema_version REPLICA IDENTITY FULL;
ALTER TABLE im_admin.last_import REPLICA IDENTITY FULL;

COMMENT ON TABLE im_admin.lists IS 'Lists that have a tree. list: the kind of the list, such as group_members; owner: the group or user that it belongs to. The tree has the changes of all transactions before settled_before, but not of those in unfinished. That holds only where list_changes has the oid settled_in: a restored dump has other transaction numbers.';
COMMENT ON TABLE im_admin.list_nodes IS 'The nodes of trees. A node of level 1 has keys, and the words of each key in one line, which a keyword search reads. A node of a higher level has the starts of its children and the number of keys below each.';
COMMENT ON TABLE im_admin.list_changes IS 'Changes that settle() has not settled yet: 1 adds a key, -1 removes it, 0 says that its words may have changed. The list changed_names has the user IDs of profiles whose nicknames have changed; change has no meaning there. An empty key tells settle() to look at the list.';
COMMENT ON TABLE im_admin.packed_changes IS 'The rows of statements that have written very many: so many rows of list_changes, with their index, would make the statement slow. firsts and seconds: the parts of their keys; levels, times and texts: the other values that decide in which lists a row is, and where. settle() moves what they change in lists to list_changes.';
COMMENT ON TABLE im_admin.touched IS 'The keys of records of your own tables that were touched, and that settle() has not looked up yet: first and second are the parts of the key. NULL stands for any: an emptied table has touched all records. problem: why settle() could not look it up; the lists with this row fail until the row is right.';
COMMENT ON TABLE im_admin.list_entries IS 'Where settle() has seen the rows of your own tables: the key of each row in the lists that have a tree. parent: the group or user of the list.';
COMMENT ON TABLE im_admin.settle_position IS 'The list after which the next settle() continues, and the server of the last one.';
COMMENT ON SEQUENCE im_admin.settle_attempts IS 'How often settle() has begun at the place in settle_position.';
COMMENT ON TABLE im_admin.table_map IS 'The map of your own tables as JSON, and the roles whose tables it may read beside those of the schema''s owner. It is empty if all records are in tables of this schema.';
COMMENT ON TABLE im_admin.mapped_objects IS 'All that the map reads for each kind of records: tables and views with their relkind, and functions, operators and types that are not the server''s own.';
COMMENT ON TABLE im_admin.mapped_columns IS 'The columns that each part of the map reads. decides: whether it decides which records are listed, in which order, or by which words they are found. number 0: the whole row.';
COMMENT ON TABLE im_admin.mapped_files IS 'The file (relfilenode) of each watched table and partition; parent: the table that it is a partition of. A table that gets another file was rewritten, perhaps with other values, and no trigger tells that, nor that a partition comes or goes with its rows.';
COMMENT ON TABLE im_admin.schema_version IS 'The version of this schema.';
COMMENT ON TABLE im_admin.last_import IS 'Up to when the records are those of another server, in milliseconds since 1970. token: the place in the changes of that server, if the records follow them.';
COMMENT ON TABLE im_admin.followed IS 'Which record each document of the other server has become: its key as JSON.';
