------------------------------------------------------------------------------------------------------------------------
-- The functions that im-admin calls
--
-- `items` is a JSON array as JavaScript writes it. If its items have more than `most_bytes`, it is NULL, `fitting` says how
-- many fit, and the rest is not read; one item always fits. The total is NULL if the group or user does not exist. If row-level
-- security hides rows, the functions fail, since totals and places count all rows. Their settings make the planner use
-- indexes, whatever statistics it has. They do not wait long for a table that a host's migration has locked: waiting calls
-- would take all connections of a pool.
------------------------------------------------------------------------------------------------------------------------

CREATE OR REPLACE FUNCTION im_admin.group_members_page(
    asked_group text, beginnings text[], keyword text, skip bigint, size bigint, most_bytes bigint DEFAULT 16777216,
    OUT total bigint, OUT items text, OUT fitting bigint, OUT pending bigint)
  LANGUAGE plpgsql STABLE :steady_plans SET lock_timeout = '3s' AS $$
#variable_conflict use_variable
DECLARE
  keys text[];
  :item_variables
BEGIN
  PERFORM require_mapped();
  IF NOT EXISTS (SELECT FROM group_at(asked_group)) THEN RETURN; END IF;
  IF keyword <> '' THEN
    SELECT * INTO total, keys, pending FROM found_page('group_members', asked_group, beginnings, keyword, skip, size);
  ELSE
    SELECT * INTO total, keys, pending FROM list_page('group_members', asked_group, beginnings, skip, size);
  END IF;
  :with_care
  FOR made, nth IN
    SELECT :group_member_item::text, found.place
      FROM unnest(keys) WITH ORDINALITY found (key, place)
        CROSS JOIN LATERAL (
          SELECT * FROM member_at(asked_group, key_id('group_members', found.key)) OFFSET 0
        ) member
        LEFT JOIN LATERAL (SELECT * FROM user_at(member.user_id) OFFSET 0) profile ON true
  LOOP
    :keep_item
  END LOOP;
  :end
  items := :kept_items;
END $$;
COMMENT ON FUNCTION im_admin.group_members_page IS 'A page of the members of a group: all, those of some levels, or those with a keyword. `beginnings`: how the keys of these levels begin.';

CREATE OR REPLACE FUNCTION im_admin.joined_groups_page(
    asked_user text, skip bigint, size bigint, most_bytes bigint DEFAULT 16777216,
    OUT total bigint, OUT items text, OUT fitting bigint, OUT pending bigint)
  LANGUAGE plpgsql STABLE :steady_plans SET lock_timeout = '3s' AS $$
#variable_conflict use_variable
DECLARE
  keys text[];
  :item_variables
BEGIN
  PERFORM require_mapped();
  IF NOT EXISTS (SELECT FROM user_at(asked_user)) THEN RETURN; END IF;
  SELECT * INTO total, keys, pending FROM list_page('joined_groups', asked_user, NULL, skip, size);
  FOR made, nth IN
    SELECT group_info(key_id('joined_groups', found.key))::text, found.place
      FROM unnest(keys) WITH ORDINALITY found (key, place)
  LOOP
    :keep_item
  END LOOP;
  items := :kept_items;
END $$;
COMMENT ON FUNCTION im_admin.joined_groups_page IS 'A page of the groups that a user has joined.';

CREATE OR REPLACE FUNCTION im_admin.blacks_page(
    asked_user text, skip bigint, size bigint, most_bytes bigint DEFAULT 16777216,
    OUT total bigint, OUT items text, OUT fitting bigint, OUT pending bigint)
  LANGUAGE plpgsql STABLE :steady_plans SET lock_timeout = '3s' AS $$
#variable_conflict use_variable
DECLARE
  keys text[];
  :item_variables
BEGIN
  PERFORM require_mapped();
  IF NOT EXISTS (SELECT FROM user_at(asked_user)) THEN RETURN; END IF;
  SELECT * INTO total, keys, pending FROM list_page('blacks', asked_user, NULL, skip, size);
  :with_care
  FOR made, nth IN
    SELECT :black_item::text, found.place
      FROM unnest(keys) WITH ORDINALITY found (key, place)
        CROSS JOIN LATERAL (
          SELECT * FROM black_at(asked_user, key_id('blacks', found.key)) OFFSET 0
        ) black
  LOOP
    :keep_item
  END LOOP;
  :end
  items := :kept_items;
END $$;
COMMENT ON FUNCTION im_admin.blacks_page IS 'A page of the blacklist of a user.';

CREATE OR REPLACE FUNCTION im_admin.received_group_requests_page(
    asked_user text, asked_groups text[], results integer[], skip bigint, size bigint, most_bytes bigint DEFAULT 16777216,
    OUT total bigint, OUT items text, OUT fitting bigint, OUT pending bigint)
  LANGUAGE plpgsql STABLE :steady_plans SET lock_timeout = '3s' AS $$
#variable_conflict use_variable
DECLARE
  managed text[];
  keys text[];
  :item_variables
BEGIN
  PERFORM require_mapped();
  IF NOT EXISTS (SELECT FROM user_at(asked_user)) THEN RETURN; END IF;
  managed := ARRAY(
    SELECT member.group_id FROM memberships_of(asked_user) member
      WHERE member.role_level IN (:managing_roles) AND (asked_groups IS NULL OR member.group_id = ANY (asked_groups)));
  IF results IS NULL THEN
    SELECT * INTO total, keys, pending FROM merged_page('group_requests', managed, skip, size);
  ELSE
    SELECT * INTO total, keys, pending FROM merged_page('group_requests_by_result', ARRAY(
        SELECT DISTINCT part_of_owner(id, result::text) FROM unnest(managed) id CROSS JOIN unnest(results) result
      ), skip, size);
  END IF;
  :with_care
  FOR made, nth IN
    SELECT :group_request_item::text, found.place
      FROM unnest(keys) WITH ORDINALITY found (key, place)
        CROSS JOIN LATERAL (
          SELECT * FROM request_at(:requested_group, key_id('group_requests', found.key)) OFFSET 0
        ) request
  LOOP
    :keep_item
  END LOOP;
  :end
  items := :kept_items;
END $$;
COMMENT ON FUNCTION im_admin.received_group_requests_page IS 'A page of the join requests for the groups that a user manages.';

CREATE OR REPLACE FUNCTION im_admin.notification_accounts_page(
    beginnings text[], keyword text, skip bigint, size bigint, most_bytes bigint DEFAULT 16777216,
    OUT total bigint, OUT items text, OUT fitting bigint, OUT pending bigint)
  LANGUAGE plpgsql STABLE :steady_plans SET lock_timeout = '3s' AS $$
#variable_conflict use_variable
DECLARE
  list text := CASE WHEN beginnings IS NULL THEN 'notification_accounts' ELSE 'notification_accounts_by_level' END;
  keys text[];
  :item_variables
BEGIN
  PERFORM require_mapped();
  IF keyword <> '' THEN
    SELECT * INTO total, keys, pending FROM found_page(list, '', beginnings, keyword, skip, size);
  ELSE
    SELECT * INTO total, keys, pending FROM list_page(list, '', beginnings, skip, size);
  END IF;
  :with_care
  FOR made, nth IN
    SELECT :notification_account_item::text, found.place
      FROM unnest(keys) WITH ORDINALITY found (key, place)
        CROSS JOIN LATERAL (SELECT * FROM user_at(key_id(list, found.key)) OFFSET 0) account
  LOOP
    :keep_item
  END LOOP;
  :end
  items := :kept_items;
END $$;
COMMENT ON FUNCTION im_admin.notification_accounts_page IS 'A page of the notification accounts: all, those of a level, or those with a keyword. `beginnings`: how the keys of the level begin.';

CREATE OR REPLACE FUNCTION im_admin.user_info(asked_user text) RETURNS json LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_variable
BEGIN
  :with_care
  RETURN (
    SELECT :user_info
      FROM (SELECT asked_user AS user_id) one LEFT JOIN LATERAL (SELECT * FROM user_at(asked_user) OFFSET 0) profile ON true);
  :end
END $$;
COMMENT ON FUNCTION im_admin.user_info IS 'The nested profile of a user, who may no longer exist.';

CREATE OR REPLACE FUNCTION im_admin.group_info(asked_group text) RETURNS json LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_variable
DECLARE
  -- The keys of owners begin so. A member with a greater roleLevel comes before them.
  owners text := :owner_beginning;
  member_count bigint;
  owner_key text;
  keys text[];
  :item_variables
BEGIN
  BEGIN
    IF (kept_list('group_members', asked_group)).total IS NOT NULL THEN
      SELECT page.total, page.keys INTO member_count, keys FROM list_page('group_members', asked_group, NULL, 0, 1) page;
      IF keys[1] COLLATE "C" < owners THEN
        keys := (list_page('group_members', asked_group, ARRAY[owners], 0, 1)).keys;
      END IF;
      owner_key := keys[1];
    ELSE
      SELECT count(*), min(listed.key COLLATE "C") FILTER (WHERE listed.key COLLATE "C" >= owners) INTO member_count, owner_key
        FROM rows_of_group_members('group_members', asked_group) listed;
    END IF;
  EXCEPTION WHEN OTHERS THEN
    IF NOT is_careful() OR NOT is_of_row(SQLSTATE) THEN RAISE; END IF;
    -- A member cannot be read, and so the number of members cannot, either.
    PERFORM note_unreadable('groups', 'memberCount', ARRAY[asked_group], SQLSTATE);
    member_count := 0;
    owner_key := NULL;
  END;
  :with_care
  RETURN (
    SELECT :group_info
      FROM (
        SELECT asked_group AS group_id,
            CASE WHEN starts_with(owner_key, owners) THEN key_id('group_members', owner_key) ELSE '' END AS owner_user_id
      ) one LEFT JOIN LATERAL (SELECT * FROM group_at(asked_group) OFFSET 0) own ON true);
  :end
END $$;
COMMENT ON FUNCTION im_admin.group_info IS 'A group, which may no longer exist, with the number of its members and its first owner (roleLevel 100).';
