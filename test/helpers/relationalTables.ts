/**
 * The tables of an imaginary application on PostgreSQL: every reference is a foreign key, and levels are checked.
 *
 * Texts that are compared or ordered have the collation "C", whose order is that of code points, and whose `lower()`
 * folds ASCII letters only.
 */
export const relationalTables = `
  CREATE TABLE users (
    user_id text COLLATE "C" PRIMARY KEY,
    nickname text COLLATE "C" NOT NULL DEFAULT '',
    face_url text NOT NULL DEFAULT '',
    ex text NOT NULL DEFAULT '',
    app_manger_level int NOT NULL DEFAULT 0 CHECK (app_manger_level BETWEEN 0 AND 4)
  );

  CREATE TABLE groups (
    group_id text COLLATE "C" PRIMARY KEY,
    group_name text NOT NULL DEFAULT '',
    notification text NOT NULL DEFAULT '',
    introduction text NOT NULL DEFAULT '',
    face_url text NOT NULL DEFAULT '',
    create_time bigint NOT NULL DEFAULT 0,
    ex text NOT NULL DEFAULT '',
    status int NOT NULL DEFAULT 0 CHECK (status BETWEEN 0 AND 3),
    creator_user_id text REFERENCES users,
    group_type int NOT NULL DEFAULT 0,
    need_verification int NOT NULL DEFAULT 0,
    look_member_info int NOT NULL DEFAULT 0,
    apply_member_friend int NOT NULL DEFAULT 0,
    notification_update_time bigint NOT NULL DEFAULT 0,
    notification_user_id text REFERENCES users
  );

  CREATE TABLE group_members (
    group_id text COLLATE "C" REFERENCES groups,
    user_id text COLLATE "C" REFERENCES users,
    role_level int NOT NULL CHECK (role_level IN (20, 60, 100)),
    join_time bigint NOT NULL DEFAULT 0,
    nickname text COLLATE "C" NOT NULL DEFAULT '',
    face_url text NOT NULL DEFAULT '',
    join_source int NOT NULL DEFAULT 0,
    operator_user_id text REFERENCES users,
    ex text NOT NULL DEFAULT '',
    mute_end_time bigint NOT NULL DEFAULT 0,
    inviter_user_id text REFERENCES users,
    PRIMARY KEY (group_id, user_id)
  );

  CREATE TABLE blacks (
    owner_user_id text REFERENCES users,
    black_user_id text COLLATE "C" REFERENCES users,
    create_time bigint NOT NULL DEFAULT 0,
    add_source int NOT NULL DEFAULT 0,
    operator_user_id text REFERENCES users,
    ex text NOT NULL DEFAULT '',
    PRIMARY KEY (owner_user_id, black_user_id)
  );

  CREATE TABLE group_requests (
    group_id text COLLATE "C" REFERENCES groups,
    user_id text COLLATE "C" REFERENCES users,
    handle_result int NOT NULL DEFAULT 0 CHECK (handle_result IN (-1, 0, 1)),
    req_msg text NOT NULL DEFAULT '',
    handle_msg text NOT NULL DEFAULT '',
    req_time bigint NOT NULL DEFAULT 0,
    handle_user_id text REFERENCES users,
    handle_time bigint NOT NULL DEFAULT 0,
    ex text NOT NULL DEFAULT '',
    join_source int NOT NULL DEFAULT 0,
    inviter_user_id text REFERENCES users,
    PRIMARY KEY (group_id, user_id)
  );

  CREATE TABLE conversations (
    owner_user_id text REFERENCES users,
    conversation_id text COLLATE "C",
    conversation_type int NOT NULL,
    user_id text REFERENCES users,
    group_id text REFERENCES groups,
    recv_msg_opt int NOT NULL DEFAULT 0 CHECK (recv_msg_opt IN (0, 1, 2)),
    attached_info text NOT NULL DEFAULT '',
    is_pinned boolean NOT NULL DEFAULT false,
    is_private_chat boolean NOT NULL DEFAULT false,
    ex text NOT NULL DEFAULT '',
    burn_duration int NOT NULL DEFAULT 0,
    PRIMARY KEY (owner_user_id, conversation_id),
    CHECK (conversation_type = 1 AND user_id IS NOT NULL AND group_id IS NULL
      OR conversation_type = 3 AND user_id IS NULL AND group_id IS NOT NULL)
  );

  CREATE VIEW user_infos AS
    SELECT user_id, json_build_object('userID', user_id, 'nickname', nickname, 'faceURL', face_url, 'ex', ex) AS info
      FROM users;

  CREATE VIEW group_infos AS
    SELECT group_id, json_build_object(
        'groupID', group_id,
        'groupName', group_name,
        'notification', notification,
        'introduction', introduction,
        'faceURL', face_url,
        'ownerUserID', coalesce((
          SELECT user_id FROM group_members
            WHERE group_members.group_id = groups.group_id AND role_level = 100
            ORDER BY join_time, user_id LIMIT 1), ''),
        'createTime', create_time,
        'memberCount', (SELECT count(*) FROM group_members WHERE group_members.group_id = groups.group_id),
        'ex', ex,
        'status', status,
        'creatorUserID', coalesce(creator_user_id, ''),
        'groupType', group_type,
        'needVerification', need_verification,
        'lookMemberInfo', look_member_info,
        'applyMemberFriend', apply_member_friend,
        'notificationUpdateTime', notification_update_time,
        'notificationUserID', coalesce(notification_user_id, '')) AS info
      FROM groups;
`;
