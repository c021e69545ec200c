ALTER TABLE im_admin_conversations ADD COLUMN min_seq INTEGER NOT NULL DEFAULT 0;

ALTER TABLE im_admin_conversations ADD COLUMN max_seq INTEGER NOT NULL DEFAULT 0;

ALTER TABLE im_admin_conversations ADD COLUMN group_at_type INTEGER NOT NULL DEFAULT 0;

ALTER TABLE im_admin_conversations ADD COLUMN msg_destruct_time INTEGER NOT NULL DEFAULT 0;

ALTER TABLE im_admin_conversations ADD COLUMN is_msg_destruct INTEGER NOT NULL DEFAULT 0 CHECK (is_msg_destruct IN (0, 1));

CREATE TABLE im_admin_last_import (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  time INTEGER NOT NULL
) STRICT;
