-- What im-admin has made of a map in version 1 of the schema, beside what 0001.sql makes.

INSERT INTO im_admin_table_map (id, map) VALUES (1, '{"users":{"from":"people","key":{"userID":"id"},"fields":{"nickname":"name","appMangerLevel":"level"}},"conversations":{"from":"inbox","key":{"ownerUserID":"owner","conversationID":"name"},"fields":{"conversationType":"type","userID":"peer","groupID":"room","isPinned":"pinned"}}}');

DROP TABLE im_admin_users;

DROP TABLE im_admin_conversations;

CREATE VIEW im_admin_users AS
  SELECT user_id, nickname, face_url, ex, app_manger_level FROM (
    SELECT CAST(people.id AS TEXT) COLLATE BINARY AS user_id,
        replace(coalesce(CAST((name) AS TEXT), ''), char(0), '') AS nickname,
            '' AS face_url,
                '' AS ex,
                    coalesce(CAST((level) AS INTEGER), 0) AS app_manger_level
      FROM people
  ) WHERE NOT (coalesce(user_id, '') = '' OR instr(user_id, char(0)) > 0 OR app_manger_level NOT BETWEEN -2147483648 AND 2147483647);

CREATE INDEX im_admin_users_by_key ON people (CAST(id AS TEXT) COLLATE BINARY);

CREATE VIEW im_admin_conversations AS
  SELECT owner_user_id, conversation_id, conversation_type, user_id, group_id, recv_msg_opt, attached_info, is_pinned, is_private_chat, ex, burn_duration FROM (
    SELECT CAST(inbox.owner AS TEXT) COLLATE BINARY AS owner_user_id,
        CAST(inbox.name AS TEXT) COLLATE BINARY AS conversation_id,
            coalesce(CAST((type) AS INTEGER), 0) AS conversation_type,
                coalesce(CAST((peer) AS TEXT), '') AS user_id,
                    coalesce(CAST((room) AS TEXT), '') AS group_id,
                        0 AS recv_msg_opt,
                            '' AS attached_info,
                                coalesce((pinned) <> 0, 0) AS is_pinned,
                                    0 AS is_private_chat,
                                        '' AS ex,
                                            0 AS burn_duration
      FROM inbox
  ) WHERE NOT (coalesce(owner_user_id, '') = '' OR instr(owner_user_id, char(0)) > 0 OR coalesce(conversation_id, '') = '' OR instr(conversation_id, char(0)) > 0);

CREATE INDEX im_admin_conversations_by_key ON inbox (CAST(owner AS TEXT) COLLATE BINARY, CAST(name AS TEXT) COLLATE BINARY);

CREATE TRIGGER im_admin_conversations_insert INSTEAD OF INSERT ON im_admin_conversations
BEGIN
  SELECT RAISE(ABORT, 'conversations are mapped without recvMsgOpt') WHERE NEW.recv_msg_opt <> 0;
  SELECT RAISE(ABORT, 'conversations are mapped without attachedInfo') WHERE NEW.attached_info <> '';
  SELECT RAISE(ABORT, 'conversations are mapped without isPrivateChat') WHERE NEW.is_private_chat <> 0;
  SELECT RAISE(ABORT, 'conversations are mapped without ex') WHERE NEW.ex <> '';
  SELECT RAISE(ABORT, 'conversations are mapped without burnDuration') WHERE NEW.burn_duration <> 0;
  INSERT INTO inbox (owner, name, type, peer, room, pinned)
    VALUES (NEW.owner_user_id, NEW.conversation_id, NEW.conversation_type, nullif(NEW.user_id, ''), nullif(NEW.group_id, ''), NEW.is_pinned);
  SELECT RAISE(ABORT, 'conversations: the row of an ID cannot be found by it, since its columns have other types')
    WHERE NOT EXISTS (
      SELECT 1 FROM im_admin_conversations stored
        WHERE stored.owner_user_id = NEW.owner_user_id AND stored.conversation_id = NEW.conversation_id);
END;

CREATE TRIGGER im_admin_conversations_update INSTEAD OF UPDATE ON im_admin_conversations
BEGIN
  SELECT RAISE(ABORT, 'conversations are mapped without recvMsgOpt') WHERE NEW.recv_msg_opt <> 0;
  SELECT RAISE(ABORT, 'conversations are mapped without attachedInfo') WHERE NEW.attached_info <> '';
  SELECT RAISE(ABORT, 'conversations are mapped without isPrivateChat') WHERE NEW.is_private_chat <> 0;
  SELECT RAISE(ABORT, 'conversations are mapped without ex') WHERE NEW.ex <> '';
  SELECT RAISE(ABORT, 'conversations are mapped without burnDuration') WHERE NEW.burn_duration <> 0;
  UPDATE inbox SET pinned = NEW.is_pinned
    WHERE CAST(inbox.owner AS TEXT) COLLATE BINARY = OLD.owner_user_id AND CAST(inbox.name AS TEXT) COLLATE BINARY = OLD.conversation_id;
END;

CREATE TRIGGER im_admin_users_inserted AFTER INSERT ON people
BEGIN
  DELETE FROM im_admin_listed_users
    WHERE im_admin_listed_users.user_id = (CAST(NEW.id AS TEXT) COLLATE BINARY) AND true AND NOT EXISTS (
      SELECT 1 FROM (
        SELECT source.user_id, source.app_manger_level, source.nickname FROM im_admin_users source
          WHERE source.user_id = (CAST(NEW.id AS TEXT) COLLATE BINARY) AND source.app_manger_level >= 3
      ) now WHERE now.user_id = im_admin_listed_users.user_id);
  INSERT INTO im_admin_listed_users (user_id, app_manger_level, nickname)
    SELECT source.user_id, source.app_manger_level, source.nickname FROM im_admin_users source
      WHERE source.user_id = (CAST(NEW.id AS TEXT) COLLATE BINARY) AND true AND source.app_manger_level >= 3
    ON CONFLICT (user_id) DO UPDATE
      SET app_manger_level = excluded.app_manger_level, nickname = excluded.nickname
      WHERE app_manger_level <> excluded.app_manger_level OR nickname <> excluded.nickname;
  INSERT INTO im_admin_documents (list, key, member, text)
    SELECT im_admin_lists.id, ((2000 - member.role_level) || (20000000000000000 + member.join_time) || member.user_id), member.id, member.user_id || x'0a' || (CASE record.nickname
      WHEN '' THEN coalesce((SELECT nickname FROM im_admin_users WHERE user_id = member.user_id), '')
      ELSE record.nickname END)
      FROM im_admin_listed_group_members member INDEXED BY im_admin_joined_groups_in_order CROSS JOIN im_admin_lists ON member.group_id = im_admin_lists.owner
        CROSS JOIN im_admin_group_members record ON record.group_id = member.group_id AND record.user_id = member.user_id
      WHERE im_admin_lists.name = 'groupMembers' AND im_admin_lists.has_documents AND true AND member.user_id = (CAST(NEW.id AS TEXT) COLLATE BINARY)
    ON CONFLICT (list, key) DO UPDATE SET member = excluded.member, text = excluded.text
      WHERE member <> excluded.member OR text <> excluded.text;
  INSERT INTO im_admin_apply_changes (is_over) VALUES (1);
END;

CREATE TRIGGER im_admin_users_updated AFTER UPDATE OF "id", "name", "level", "rowid", "oid", "_rowid_" ON people
BEGIN
  DELETE FROM im_admin_listed_users
    WHERE im_admin_listed_users.user_id = (CAST(OLD.id AS TEXT) COLLATE BINARY) AND ((CAST(OLD.id AS TEXT) COLLATE BINARY)) IS NOT ((CAST(NEW.id AS TEXT) COLLATE BINARY)) AND NOT EXISTS (
      SELECT 1 FROM (
        SELECT source.user_id, source.app_manger_level, source.nickname FROM im_admin_users source
          WHERE source.user_id = (CAST(OLD.id AS TEXT) COLLATE BINARY) AND source.app_manger_level >= 3
      ) now WHERE now.user_id = im_admin_listed_users.user_id);
  INSERT INTO im_admin_listed_users (user_id, app_manger_level, nickname)
    SELECT source.user_id, source.app_manger_level, source.nickname FROM im_admin_users source
      WHERE source.user_id = (CAST(OLD.id AS TEXT) COLLATE BINARY) AND ((CAST(OLD.id AS TEXT) COLLATE BINARY)) IS NOT ((CAST(NEW.id AS TEXT) COLLATE BINARY)) AND source.app_manger_level >= 3
    ON CONFLICT (user_id) DO UPDATE
      SET app_manger_level = excluded.app_manger_level, nickname = excluded.nickname
      WHERE app_manger_level <> excluded.app_manger_level OR nickname <> excluded.nickname;
  INSERT INTO im_admin_documents (list, key, member, text)
    SELECT im_admin_lists.id, ((2000 - member.role_level) || (20000000000000000 + member.join_time) || member.user_id), member.id, member.user_id || x'0a' || (CASE record.nickname
      WHEN '' THEN coalesce((SELECT nickname FROM im_admin_users WHERE user_id = member.user_id), '')
      ELSE record.nickname END)
      FROM im_admin_listed_group_members member INDEXED BY im_admin_joined_groups_in_order CROSS JOIN im_admin_lists ON member.group_id = im_admin_lists.owner
        CROSS JOIN im_admin_group_members record ON record.group_id = member.group_id AND record.user_id = member.user_id
      WHERE im_admin_lists.name = 'groupMembers' AND im_admin_lists.has_documents AND ((CAST(OLD.id AS TEXT) COLLATE BINARY)) IS NOT ((CAST(NEW.id AS TEXT) COLLATE BINARY)) AND member.user_id = (CAST(OLD.id AS TEXT) COLLATE BINARY)
    ON CONFLICT (list, key) DO UPDATE SET member = excluded.member, text = excluded.text
      WHERE member <> excluded.member OR text <> excluded.text;
  INSERT INTO im_admin_apply_changes (is_over) VALUES (1);
  DELETE FROM im_admin_listed_users
    WHERE im_admin_listed_users.user_id = (CAST(NEW.id AS TEXT) COLLATE BINARY) AND true AND NOT EXISTS (
      SELECT 1 FROM (
        SELECT source.user_id, source.app_manger_level, source.nickname FROM im_admin_users source
          WHERE source.user_id = (CAST(NEW.id AS TEXT) COLLATE BINARY) AND source.app_manger_level >= 3
      ) now WHERE now.user_id = im_admin_listed_users.user_id);
  INSERT INTO im_admin_listed_users (user_id, app_manger_level, nickname)
    SELECT source.user_id, source.app_manger_level, source.nickname FROM im_admin_users source
      WHERE source.user_id = (CAST(NEW.id AS TEXT) COLLATE BINARY) AND true AND source.app_manger_level >= 3
    ON CONFLICT (user_id) DO UPDATE
      SET app_manger_level = excluded.app_manger_level, nickname = excluded.nickname
      WHERE app_manger_level <> excluded.app_manger_level OR nickname <> excluded.nickname;
  INSERT INTO im_admin_documents (list, key, member, text)
    SELECT im_admin_lists.id, ((2000 - member.role_level) || (20000000000000000 + member.join_time) || member.user_id), member.id, member.user_id || x'0a' || (CASE record.nickname
      WHEN '' THEN coalesce((SELECT nickname FROM im_admin_users WHERE user_id = member.user_id), '')
      ELSE record.nickname END)
      FROM im_admin_listed_group_members member INDEXED BY im_admin_joined_groups_in_order CROSS JOIN im_admin_lists ON member.group_id = im_admin_lists.owner
        CROSS JOIN im_admin_group_members record ON record.group_id = member.group_id AND record.user_id = member.user_id
      WHERE im_admin_lists.name = 'groupMembers' AND im_admin_lists.has_documents AND true AND member.user_id = (CAST(NEW.id AS TEXT) COLLATE BINARY)
    ON CONFLICT (list, key) DO UPDATE SET member = excluded.member, text = excluded.text
      WHERE member <> excluded.member OR text <> excluded.text;
  INSERT INTO im_admin_apply_changes (is_over) VALUES (1);
END;

CREATE TRIGGER im_admin_users_deleted AFTER DELETE ON people
BEGIN
  DELETE FROM im_admin_listed_users
    WHERE im_admin_listed_users.user_id = (CAST(OLD.id AS TEXT) COLLATE BINARY) AND true AND NOT EXISTS (
      SELECT 1 FROM (
        SELECT source.user_id, source.app_manger_level, source.nickname FROM im_admin_users source
          WHERE source.user_id = (CAST(OLD.id AS TEXT) COLLATE BINARY) AND source.app_manger_level >= 3
      ) now WHERE now.user_id = im_admin_listed_users.user_id);
  INSERT INTO im_admin_listed_users (user_id, app_manger_level, nickname)
    SELECT source.user_id, source.app_manger_level, source.nickname FROM im_admin_users source
      WHERE source.user_id = (CAST(OLD.id AS TEXT) COLLATE BINARY) AND true AND source.app_manger_level >= 3
    ON CONFLICT (user_id) DO UPDATE
      SET app_manger_level = excluded.app_manger_level, nickname = excluded.nickname
      WHERE app_manger_level <> excluded.app_manger_level OR nickname <> excluded.nickname;
  INSERT INTO im_admin_documents (list, key, member, text)
    SELECT im_admin_lists.id, ((2000 - member.role_level) || (20000000000000000 + member.join_time) || member.user_id), member.id, member.user_id || x'0a' || (CASE record.nickname
      WHEN '' THEN coalesce((SELECT nickname FROM im_admin_users WHERE user_id = member.user_id), '')
      ELSE record.nickname END)
      FROM im_admin_listed_group_members member INDEXED BY im_admin_joined_groups_in_order CROSS JOIN im_admin_lists ON member.group_id = im_admin_lists.owner
        CROSS JOIN im_admin_group_members record ON record.group_id = member.group_id AND record.user_id = member.user_id
      WHERE im_admin_lists.name = 'groupMembers' AND im_admin_lists.has_documents AND true AND member.user_id = (CAST(OLD.id AS TEXT) COLLATE BINARY)
    ON CONFLICT (list, key) DO UPDATE SET member = excluded.member, text = excluded.text
      WHERE member <> excluded.member OR text <> excluded.text;
  INSERT INTO im_admin_apply_changes (is_over) VALUES (1);
END;
