-- The tables of an imaginary chat server. Times are milliseconds since the epoch; 0 means never.

CREATE TABLE users (
  user_id text PRIMARY KEY,
  nickname text NOT NULL DEFAULT '',
  face_url text NOT NULL DEFAULT '',
  ex text NOT NULL DEFAULT '',
  app_level integer NOT NULL DEFAULT 0
);

CREATE TABLE groups (
  group_id text PRIMARY KEY,
  group_name text NOT NULL DEFAULT '',
  notification text NOT NULL DEFAULT '',
  introduction text NOT NULL DEFAULT '',
  face_url text NOT NULL DEFAULT '',
  create_time bigint NOT NULL DEFAULT 0,
  ex text NOT NULL DEFAULT '',
  status integer NOT NULL DEFAULT 0,
  creator_user_id text NOT NULL DEFAULT '',
  group_type integer NOT NULL DEFAULT 0,
  need_verification integer NOT NULL DEFAULT 0,
  look_member_info integer NOT NULL DEFAULT 0,
  apply_member_friend integer NOT NULL DEFAULT 0,
  notification_update_time bigint NOT NULL DEFAULT 0,
  notification_user_id text NOT NULL DEFAULT ''
);

CREATE TABLE group_members (
  group_id text NOT NULL REFERENCES groups,
  user_id text NOT NULL REFERENCES users,
  role_level integer NOT NULL CHECK (role_level IN (20, 60, 100)),
  join_time bigint NOT NULL DEFAULT 0,
  nickname text NOT NULL DEFAULT '',
  face_url text NOT NULL DEFAULT '',
  join_source integer NOT NULL DEFAULT 0,
  operator_user_id text NOT NULL DEFAULT '',
  ex text NOT NULL DEFAULT '',
  mute_end_time bigint NOT NULL DEFAULT 0,
  inviter_user_id text NOT NULL DEFAULT '',
  PRIMARY KEY (group_id, user_id)
);

CREATE TABLE blacks (
  owner_user_id text NOT NULL REFERENCES users,
  black_user_id text NOT NULL REFERENCES users,
  create_time bigint NOT NULL DEFAULT 0,
  add_source integer NOT NULL DEFAULT 0,
  operator_user_id text NOT NULL DEFAULT '',
  ex text NOT NULL DEFAULT '',
  PRIMARY KEY (owner_user_id, black_user_id)
);

CREATE TABLE group_requests (
  group_id text NOT NULL REFERENCES groups,
  user_id text NOT NULL REFERENCES users,
  handle_result integer NOT NULL DEFAULT 0,
  req_msg text NOT NULL DEFAULT '',
  handle_msg text NOT NULL DEFAULT '',
  req_time bigint NOT NULL DEFAULT 0,
  handle_user_id text NOT NULL DEFAULT '',
  handle_time bigint NOT NULL DEFAULT 0,
  ex text NOT NULL DEFAULT '',
  join_source integer NOT NULL DEFAULT 0,
  inviter_user_id text NOT NULL DEFAULT '',
  PRIMARY KEY (group_id, user_id)
);

CREATE TABLE conversations (
  owner_user_id text NOT NULL REFERENCES users,
  conversation_id text NOT NULL,
  conversation_type integer NOT NULL CHECK (conversation_type IN (1, 3)),
  peer_user_id text REFERENCES users,
  group_id text REFERENCES groups,
  recv_msg_opt integer NOT NULL DEFAULT 0,
  attached_info text NOT NULL DEFAULT '',
  is_pinned boolean NOT NULL DEFAULT false,
  is_private_chat boolean NOT NULL DEFAULT false,
  ex text NOT NULL DEFAULT '',
  burn_duration integer NOT NULL DEFAULT 0,
  min_seq bigint NOT NULL DEFAULT 0,
  max_seq bigint NOT NULL DEFAULT 0,
  group_at_type integer NOT NULL DEFAULT 0,
  msg_destruct_time bigint NOT NULL DEFAULT 0,
  is_msg_destruct boolean NOT NULL DEFAULT false,
  PRIMARY KEY (owner_user_id, conversation_id),
  CHECK (CASE conversation_type WHEN 1 THEN group_id IS NULL ELSE peer_user_id IS NULL END)
);

-- An index for each list, in its order. im-admin orders texts by their bytes, as COLLATE "C" does.
CREATE INDEX ON group_members (group_id, role_level DESC, join_time, user_id COLLATE "C");
CREATE INDEX ON group_members (user_id, join_time DESC, group_id COLLATE "C");
CREATE INDEX ON blacks (owner_user_id, create_time DESC, black_user_id COLLATE "C");
CREATE INDEX ON group_requests (group_id, req_time DESC, user_id COLLATE "C");
CREATE INDEX ON users (user_id COLLATE "C") WHERE app_level >= 3;
