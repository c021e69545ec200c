-- The tables of an imaginary chat server, without foreign keys. Times are milliseconds since the epoch; 0 means never.
-- The collation compares and orders bytes, with spaces at the end. In MySQL, it is called utf8mb4_0900_bin.

CREATE TABLE users (
  user_id varchar(64) PRIMARY KEY,
  nickname text NOT NULL DEFAULT (''),
  face_url text NOT NULL DEFAULT (''),
  ex text NOT NULL DEFAULT (''),
  app_level integer NOT NULL DEFAULT 0
) COLLATE utf8mb4_nopad_bin;

CREATE TABLE chat_groups (
  group_id varchar(64) PRIMARY KEY,
  group_name text NOT NULL DEFAULT (''),
  notification text NOT NULL DEFAULT (''),
  introduction text NOT NULL DEFAULT (''),
  face_url text NOT NULL DEFAULT (''),
  create_time bigint NOT NULL DEFAULT 0,
  ex text NOT NULL DEFAULT (''),
  status integer NOT NULL DEFAULT 0,
  creator_user_id varchar(64) NOT NULL DEFAULT '',
  group_type integer NOT NULL DEFAULT 0,
  need_verification integer NOT NULL DEFAULT 0,
  look_member_info integer NOT NULL DEFAULT 0,
  apply_member_friend integer NOT NULL DEFAULT 0,
  notification_update_time bigint NOT NULL DEFAULT 0,
  notification_user_id varchar(64) NOT NULL DEFAULT ''
) COLLATE utf8mb4_nopad_bin;

CREATE TABLE group_members (
  group_id varchar(64) NOT NULL,
  user_id varchar(64) NOT NULL,
  role_level integer NOT NULL,
  join_time bigint NOT NULL DEFAULT 0,
  nickname text NOT NULL DEFAULT (''),
  face_url text NOT NULL DEFAULT (''),
  join_source integer NOT NULL DEFAULT 0,
  operator_user_id varchar(64) NOT NULL DEFAULT '',
  ex text NOT NULL DEFAULT (''),
  mute_end_time bigint NOT NULL DEFAULT 0,
  inviter_user_id varchar(64) NOT NULL DEFAULT '',
  PRIMARY KEY (group_id, user_id)
) COLLATE utf8mb4_nopad_bin;

CREATE TABLE blacks (
  owner_user_id varchar(64) NOT NULL,
  black_user_id varchar(64) NOT NULL,
  create_time bigint NOT NULL DEFAULT 0,
  add_source integer NOT NULL DEFAULT 0,
  operator_user_id varchar(64) NOT NULL DEFAULT '',
  ex text NOT NULL DEFAULT (''),
  PRIMARY KEY (owner_user_id, black_user_id)
) COLLATE utf8mb4_nopad_bin;

CREATE TABLE group_requests (
  group_id varchar(64) NOT NULL,
  user_id varchar(64) NOT NULL,
  handle_result integer NOT NULL DEFAULT 0,
  req_msg text NOT NULL DEFAULT (''),
  handle_msg text NOT NULL DEFAULT (''),
  req_time bigint NOT NULL DEFAULT 0,
  handle_user_id varchar(64) NOT NULL DEFAULT '',
  handle_time bigint NOT NULL DEFAULT 0,
  ex text NOT NULL DEFAULT (''),
  join_source integer NOT NULL DEFAULT 0,
  inviter_user_id varchar(64) NOT NULL DEFAULT '',
  PRIMARY KEY (group_id, user_id)
) COLLATE utf8mb4_nopad_bin;

-- The longest texts that im-admin sets have 65,536 characters: more bytes than `text` can hold.
CREATE TABLE conversations (
  owner_user_id varchar(64) NOT NULL,
  conversation_id varchar(64) NOT NULL,
  conversation_type integer NOT NULL,
  peer_user_id varchar(64) NOT NULL DEFAULT '',
  group_id varchar(64) NOT NULL DEFAULT '',
  recv_msg_opt integer NOT NULL DEFAULT 0,
  attached_info mediumtext NOT NULL DEFAULT (''),
  is_pinned boolean NOT NULL DEFAULT false,
  is_private_chat boolean NOT NULL DEFAULT false,
  ex mediumtext NOT NULL DEFAULT (''),
  burn_duration integer NOT NULL DEFAULT 0,
  min_seq bigint NOT NULL DEFAULT 0,
  max_seq bigint NOT NULL DEFAULT 0,
  group_at_type integer NOT NULL DEFAULT 0,
  msg_destruct_time bigint NOT NULL DEFAULT 0,
  is_msg_destruct boolean NOT NULL DEFAULT false,
  PRIMARY KEY (owner_user_id, conversation_id)
) COLLATE utf8mb4_nopad_bin;

-- An index for each list, in its order.
CREATE INDEX members_of_group ON group_members (group_id, role_level DESC, join_time, user_id);
CREATE INDEX groups_of_user ON group_members (user_id, join_time DESC, group_id);
CREATE INDEX blacks_of_user ON blacks (owner_user_id, create_time DESC, black_user_id);
CREATE INDEX requests_of_group ON group_requests (group_id, req_time DESC, user_id);
CREATE INDEX accounts ON users (app_level, user_id);
