-- group members

WITH RECURSIVE request (owner, skip, size) AS MATERIALIZED (VALUES (?, ?, ?)),
list AS MATERIALIZED (
  SELECT im_admin_lists.id, im_admin_lists.total, im_admin_lists.height FROM request
    CROSS JOIN im_admin_lists ON im_admin_lists.name = 'groupMembers' AND im_admin_lists.owner = request.owner
),
seek (list, level, start, skip) AS (
  SELECT list.id, coalesce(list.height * ((SELECT skip FROM request) > 0), 0), '', (SELECT skip FROM request) FROM request LEFT JOIN list
  UNION ALL
  SELECT seek.list, seek.level - (seek.skip < node.total),
    CASE WHEN seek.skip < node.total THEN seek.start ELSE (
      SELECT start FROM im_admin_list_nodes following
        WHERE following.list = seek.list AND following.level = seek.level AND following.start > seek.start
        ORDER BY start LIMIT 1) END,
    CASE WHEN seek.skip < node.total THEN seek.skip ELSE seek.skip - node.total END
  FROM seek CROSS JOIN im_admin_list_nodes node
    ON node.list = seek.list AND node.level = seek.level AND node.start = seek.start
  WHERE seek.level > 0
),
leaf AS MATERIALIZED (SELECT start, skip FROM seek WHERE +level = 0 AND skip IS NOT NULL)
SELECT coalesce(
  (SELECT total FROM list),
  (SELECT count(*) FROM im_admin_listed_group_members INDEXED BY im_admin_group_members_in_order
    WHERE group_id = (SELECT owner FROM request))
) AS total, (
  SELECT CAST(coalesce('[' || group_concat(coalesce(
    (SELECT json_object(
      'groupID', entry.group_id,
      'userID', entry.user_id,
      'roleLevel', entry.role_level,
      'joinTime', entry.join_time,
      'nickname', CASE entry.nickname WHEN '' THEN found.nickname ELSE entry.nickname END,
      'faceURL', CASE entry.face_url WHEN '' THEN found.face_url ELSE entry.face_url END,
      'appMangerLevel', found.app_manger_level,
      'joinSource', entry.join_source,
      'operatorUserID', entry.operator_user_id,
      'ex', entry.ex,
      'muteEndTime', entry.mute_end_time,
      'inviterUserID', entry.inviter_user_id
    )
      FROM im_admin_users found WHERE found.user_id = entry.user_id),
    json_object(
      'groupID', entry.group_id,
      'userID', entry.user_id,
      'roleLevel', entry.role_level,
      'joinTime', entry.join_time,
      'nickname', entry.nickname,
      'faceURL', entry.face_url,
      'appMangerLevel', 0,
      'joinSource', entry.join_source,
      'operatorUserID', entry.operator_user_id,
      'ex', entry.ex,
      'muteEndTime', entry.mute_end_time,
      'inviterUserID', entry.inviter_user_id
    )), ',' ORDER BY place.key) || ']', '[]') AS BLOB) FROM (
    SELECT group_id, user_id, ((2000 - role_level) || (20000000000000000 + join_time) || user_id) AS key
      FROM im_admin_listed_group_members INDEXED BY im_admin_group_members_in_order
        WHERE group_id = (SELECT owner FROM request)
        AND ((2000 - role_level) || (20000000000000000 + join_time) || user_id) >= (SELECT start FROM leaf)
      ORDER BY ((2000 - role_level) || (20000000000000000 + join_time) || user_id)
      LIMIT (SELECT size FROM request) OFFSET coalesce((SELECT skip FROM leaf), 0)
  ) place
  CROSS JOIN im_admin_group_members entry ON entry.group_id = place.group_id AND entry.user_id = place.user_id
) AS items
FROM request WHERE EXISTS (SELECT 1 FROM im_admin_groups WHERE group_id = request.owner);

-- group members of some roles

WITH RECURSIVE request (owner, skip, size, ranges) AS MATERIALIZED (VALUES (?, ?, ?, ?)),
list AS MATERIALIZED (
  SELECT im_admin_lists.id, im_admin_lists.total, im_admin_lists.height FROM request
    CROSS JOIN im_admin_lists ON im_admin_lists.name = 'groupMembers' AND im_admin_lists.owner = request.owner
),
descent (is_copies, owner, list, range, bound, level, start, rank) AS (
  SELECT is_copies, asked.owner, asked.id, range.key, bound.value, coalesce(height, 0) + 1, '', 0 FROM (SELECT true AS is_copies, request.owner, list.id, list.height FROM request LEFT JOIN list) asked
    CROSS JOIN request CROSS JOIN json_each(request.ranges) range CROSS JOIN json_each(range.value) bound
  UNION ALL
  SELECT is_copies, owner, list, range, bound, level - 1, (SELECT max(start) FROM im_admin_list_nodes node
    WHERE node.list = descent.list AND node.level = descent.level - 1 AND node.start <= bound),
    rank + (SELECT coalesce(sum(total), 0) FROM im_admin_list_nodes passed
      WHERE passed.list = descent.list AND passed.level = descent.level - 1
        AND passed.start >= descent.start AND passed.start < (SELECT max(start) FROM im_admin_list_nodes node
          WHERE node.list = descent.list AND node.level = descent.level - 1 AND node.start <= bound))
    FROM descent WHERE level > 1
),
ranks (range, rank) AS MATERIALIZED (
  SELECT range, sum(rank + (SELECT count(*) FROM im_admin_listed_group_members INDEXED BY im_admin_group_members_in_order
    WHERE group_id = (SELECT owner FROM request) AND ((2000 - role_level) || (20000000000000000 + join_time) || user_id) >= descent.start AND ((2000 - role_level) || (20000000000000000 + join_time) || user_id) < descent.bound))
    FROM descent WHERE +level = 1 GROUP BY range, bound
),
ranges AS MATERIALIZED (
  SELECT min(rank) AS rank, max(rank) - min(rank) AS total FROM ranks GROUP BY range
),
seek (list, level, start, skip) AS (
  SELECT list.id, coalesce(list.height * ((SELECT rank + left FROM (
    SELECT rank, total, (SELECT skip FROM request) - sum(total) OVER (ORDER BY rank) + total AS left
      FROM ranges WHERE total > 0
  ) WHERE left >= 0 AND left < total) > 0), 0), '', (SELECT rank + left FROM (
    SELECT rank, total, (SELECT skip FROM request) - sum(total) OVER (ORDER BY rank) + total AS left
      FROM ranges WHERE total > 0
  ) WHERE left >= 0 AND left < total) FROM request LEFT JOIN list
  UNION ALL
  SELECT seek.list, seek.level - (seek.skip < node.total),
    CASE WHEN seek.skip < node.total THEN seek.start ELSE (
      SELECT start FROM im_admin_list_nodes following
        WHERE following.list = seek.list AND following.level = seek.level AND following.start > seek.start
        ORDER BY start LIMIT 1) END,
    CASE WHEN seek.skip < node.total THEN seek.skip ELSE seek.skip - node.total END
  FROM seek CROSS JOIN im_admin_list_nodes node
    ON node.list = seek.list AND node.level = seek.level AND node.start = seek.start
  WHERE seek.level > 0
),
leaf AS MATERIALIZED (SELECT start, skip FROM seek WHERE +level = 0 AND skip IS NOT NULL)
SELECT (SELECT coalesce(sum(total), 0) FROM ranges) AS total, (
  SELECT CAST(coalesce('[' || group_concat(coalesce(
    (SELECT json_object(
      'groupID', entry.group_id,
      'userID', entry.user_id,
      'roleLevel', entry.role_level,
      'joinTime', entry.join_time,
      'nickname', CASE entry.nickname WHEN '' THEN found.nickname ELSE entry.nickname END,
      'faceURL', CASE entry.face_url WHEN '' THEN found.face_url ELSE entry.face_url END,
      'appMangerLevel', found.app_manger_level,
      'joinSource', entry.join_source,
      'operatorUserID', entry.operator_user_id,
      'ex', entry.ex,
      'muteEndTime', entry.mute_end_time,
      'inviterUserID', entry.inviter_user_id
    )
      FROM im_admin_users found WHERE found.user_id = entry.user_id),
    json_object(
      'groupID', entry.group_id,
      'userID', entry.user_id,
      'roleLevel', entry.role_level,
      'joinTime', entry.join_time,
      'nickname', entry.nickname,
      'faceURL', entry.face_url,
      'appMangerLevel', 0,
      'joinSource', entry.join_source,
      'operatorUserID', entry.operator_user_id,
      'ex', entry.ex,
      'muteEndTime', entry.mute_end_time,
      'inviterUserID', entry.inviter_user_id
    )), ',' ORDER BY place.key) || ']', '[]') AS BLOB) FROM (
    SELECT group_id, user_id, ((2000 - role_level) || (20000000000000000 + join_time) || user_id) AS key
      FROM im_admin_listed_group_members INDEXED BY im_admin_group_members_in_order
        WHERE group_id = (SELECT owner FROM request)
        AND ((2000 - role_level) || (20000000000000000 + join_time) || user_id) >= (
          SELECT ((2000 - role_level) || (20000000000000000 + join_time) || user_id) FROM im_admin_listed_group_members INDEXED BY im_admin_group_members_in_order
            WHERE group_id = (SELECT owner FROM request)
              AND ((2000 - role_level) || (20000000000000000 + join_time) || user_id) >= (SELECT start FROM leaf)
            ORDER BY ((2000 - role_level) || (20000000000000000 + join_time) || user_id)
            LIMIT 1 OFFSET coalesce((SELECT skip FROM leaf), 0))
        AND ((2000 - role_level) || (20000000000000000 + join_time) || user_id) < (SELECT max(value ->> 1) FROM json_each((SELECT ranges FROM request)))
        AND substr(((2000 - role_level) || (20000000000000000 + join_time) || user_id), 1, 4) IN (
            SELECT value ->> 0 FROM json_each((SELECT ranges FROM request)))
      ORDER BY ((2000 - role_level) || (20000000000000000 + join_time) || user_id)
      LIMIT (SELECT size FROM request)
  ) place
  CROSS JOIN im_admin_group_members entry ON entry.group_id = place.group_id AND entry.user_id = place.user_id
) AS items
FROM request WHERE EXISTS (SELECT 1 FROM im_admin_groups WHERE group_id = request.owner);

-- group members with a keyword

WITH request (owner, words, most) AS MATERIALIZED (VALUES (?, ?, ?)),
list AS MATERIALIZED (
  SELECT id, total FROM im_admin_lists
    WHERE name = 'groupMembers' AND owner = (SELECT owner FROM request) AND has_documents
),
measured AS MATERIALIZED (
  SELECT word.value ->> 0 AS word, word.value ->> 1 AS match, (
    SELECT json_array(count(*), coalesce(max(id) - min(id), 0)) FROM (
      SELECT hit.rowid AS id FROM (SELECT word.value ->> 1 AS match) word CROSS JOIN im_admin_document_grams hit
        WHERE im_admin_document_grams MATCH word.match AND hit.rowid BETWEEN list.id * 4294967296 + 1 AND list.id * 4294967296 + 4294967295 LIMIT 500
    )) AS sample
  FROM list CROSS JOIN json_each((SELECT words FROM request)) word
),
sorted AS MATERIALIZED (
  SELECT word, match, sample ->> 0 AS found, sample ->> 1 AS span FROM measured ORDER BY 3, 4 DESC
)
SELECT list.id AS list, list.total,
  (SELECT json_group_array(json_object('word', word, 'found', found, 'span', span)) FROM sorted) AS words,
  (SELECT count(*) FROM (
    SELECT hit.rowid AS id FROM (SELECT match FROM sorted LIMIT 1) word CROSS JOIN im_admin_document_grams hit
      WHERE im_admin_document_grams MATCH word.match AND hit.rowid BETWEEN list.id * 4294967296 + 1 AND list.id * 4294967296 + 4294967295 LIMIT (SELECT most FROM request)
  )) AS candidates
FROM list;

WITH RECURSIVE request (owner, skip, size, ranges, pattern, literal) AS MATERIALIZED (VALUES (?, ?, ?, ?, ?, ?)),
hits AS MATERIALIZED (
  SELECT member.group_id, member.user_id, ((2000 - member.role_level) || (20000000000000000 + member.join_time) || member.user_id) AS key
    FROM im_admin_listed_group_members member INDEXED BY im_admin_group_members_in_order
      CROSS JOIN im_admin_group_members record ON record.group_id = member.group_id AND record.user_id = member.user_id
    WHERE member.group_id = (SELECT owner FROM request)
      AND ((2000 - member.role_level) || (20000000000000000 + member.join_time) || member.user_id) >= coalesce((SELECT min(value ->> 0) FROM json_each((SELECT ranges FROM request))), '')
        AND ((2000 - member.role_level) || (20000000000000000 + member.join_time) || member.user_id) < coalesce((SELECT max(value ->> 1) FROM json_each((SELECT ranges FROM request))), x'')
        AND ((SELECT ranges FROM request) IS NULL OR substr(((2000 - member.role_level) || (20000000000000000 + member.join_time) || member.user_id), 1, 4) IN (
            SELECT value ->> 0 FROM json_each((SELECT ranges FROM request))))
        AND (member.user_id LIKE (SELECT pattern FROM request) ESCAPE '\'
          AND ((SELECT literal FROM request) IS NULL OR instr(lower(member.user_id), (SELECT literal FROM request)) > 0)
          OR (CASE record.nickname
            WHEN '' THEN coalesce((SELECT nickname FROM im_admin_users WHERE user_id = member.user_id), '')
            ELSE record.nickname END) LIKE (SELECT pattern FROM request) ESCAPE '\'
            AND ((SELECT literal FROM request) IS NULL OR instr(lower((CASE record.nickname
              WHEN '' THEN coalesce((SELECT nickname FROM im_admin_users WHERE user_id = member.user_id), '')
              ELSE record.nickname END)), (SELECT literal FROM request)) > 0))
)
SELECT (SELECT count(*) FROM hits) AS total, (
  SELECT CAST(coalesce('[' || group_concat(coalesce(
    (SELECT json_object(
      'groupID', entry.group_id,
      'userID', entry.user_id,
      'roleLevel', entry.role_level,
      'joinTime', entry.join_time,
      'nickname', CASE entry.nickname WHEN '' THEN found.nickname ELSE entry.nickname END,
      'faceURL', CASE entry.face_url WHEN '' THEN found.face_url ELSE entry.face_url END,
      'appMangerLevel', found.app_manger_level,
      'joinSource', entry.join_source,
      'operatorUserID', entry.operator_user_id,
      'ex', entry.ex,
      'muteEndTime', entry.mute_end_time,
      'inviterUserID', entry.inviter_user_id
    )
      FROM im_admin_users found WHERE found.user_id = entry.user_id),
    json_object(
      'groupID', entry.group_id,
      'userID', entry.user_id,
      'roleLevel', entry.role_level,
      'joinTime', entry.join_time,
      'nickname', entry.nickname,
      'faceURL', entry.face_url,
      'appMangerLevel', 0,
      'joinSource', entry.join_source,
      'operatorUserID', entry.operator_user_id,
      'ex', entry.ex,
      'muteEndTime', entry.mute_end_time,
      'inviterUserID', entry.inviter_user_id
    )), ',' ORDER BY place.key) || ']', '[]') AS BLOB) FROM (
    SELECT * FROM hits ORDER BY key LIMIT (SELECT size FROM request) OFFSET (SELECT skip FROM request)
  ) place
  CROSS JOIN im_admin_group_members entry ON entry.group_id = place.group_id AND entry.user_id = place.user_id
) AS items
FROM request WHERE EXISTS (SELECT 1 FROM im_admin_groups WHERE group_id = request.owner);

-- members of a large group with a short keyword

WITH request (owner, words, most) AS MATERIALIZED (VALUES (?, ?, ?)),
list AS MATERIALIZED (
  SELECT id, total FROM im_admin_lists
    WHERE name = 'groupMembers' AND owner = (SELECT owner FROM request) AND has_documents
),
measured AS MATERIALIZED (
  SELECT word.value ->> 0 AS word, word.value ->> 1 AS match, (
    SELECT json_array(count(*), coalesce(max(id) - min(id), 0)) FROM (
      SELECT hit.rowid AS id FROM (SELECT word.value ->> 1 AS match) word CROSS JOIN im_admin_document_grams hit
        WHERE im_admin_document_grams MATCH word.match AND hit.rowid BETWEEN list.id * 4294967296 + 1 AND list.id * 4294967296 + 4294967295 LIMIT 500
    )) AS sample
  FROM list CROSS JOIN json_each((SELECT words FROM request)) word
),
sorted AS MATERIALIZED (
  SELECT word, match, sample ->> 0 AS found, sample ->> 1 AS span FROM measured ORDER BY 3, 4 DESC
)
SELECT list.id AS list, list.total,
  (SELECT json_group_array(json_object('word', word, 'found', found, 'span', span)) FROM sorted) AS words,
  (SELECT count(*) FROM (
    SELECT hit.rowid AS id FROM (SELECT match FROM sorted LIMIT 1) word CROSS JOIN im_admin_document_grams hit
      WHERE im_admin_document_grams MATCH word.match AND hit.rowid BETWEEN list.id * 4294967296 + 1 AND list.id * 4294967296 + 4294967295 LIMIT (SELECT most FROM request)
  )) AS candidates
FROM list;

WITH RECURSIVE request (owner, skip, size, ranges, pattern, literal, list, match, has_line_break) AS MATERIALIZED (VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)),
bounds (start) AS (
  SELECT ''
  UNION
  SELECT node.start FROM im_admin_lists CROSS JOIN im_admin_list_nodes node ON node.list = im_admin_lists.id
    WHERE im_admin_lists.id = (SELECT list FROM request) AND node.level = max(1, im_admin_lists.height - 2)
),
parts (start, end) AS MATERIALIZED (
  SELECT max(start, range.value ->> 0), min(following, coalesce(range.value ->> 1, x''))
    FROM (SELECT start, lead(start, 1, x'') OVER (ORDER BY start) AS following FROM bounds)
      CROSS JOIN json_each(coalesce((SELECT ranges FROM request), '[["", null]]')) range
    WHERE following > range.value ->> 0 AND start < coalesce(range.value ->> 1, x'')
),
counted (start, end, total) AS MATERIALIZED (
  SELECT start, end, (
    SELECT count(*) FROM im_admin_documents document
      WHERE document.list = (SELECT list FROM request)
        AND (document.text LIKE (SELECT pattern FROM request) ESCAPE '\'
          AND ((SELECT literal FROM request) IS NULL OR instr(lower(document.text), (SELECT literal FROM request)) > 0))
        AND (NOT (SELECT has_line_break FROM request) OR EXISTS (
          SELECT 1 FROM im_admin_listed_group_members member
            CROSS JOIN im_admin_group_members record ON record.group_id = member.group_id AND record.user_id = member.user_id
            WHERE member.id = document.member AND (member.user_id LIKE (SELECT pattern FROM request) ESCAPE '\'
              AND ((SELECT literal FROM request) IS NULL OR instr(lower(member.user_id), (SELECT literal FROM request)) > 0)
              OR (CASE record.nickname
                WHEN '' THEN coalesce((SELECT nickname FROM im_admin_users WHERE user_id = member.user_id), '')
                ELSE record.nickname END) LIKE (SELECT pattern FROM request) ESCAPE '\'
                AND ((SELECT literal FROM request) IS NULL OR instr(lower((CASE record.nickname
                  WHEN '' THEN coalesce((SELECT nickname FROM im_admin_users WHERE user_id = member.user_id), '')
                  ELSE record.nickname END)), (SELECT literal FROM request)) > 0)))) AND document.key >= start AND document.key < end
  ) FROM parts
),
around AS MATERIALIZED (
  SELECT start, end, rank FROM request
    CROSS JOIN (SELECT *, sum(total) OVER (ORDER BY start) - total AS rank FROM counted WHERE total > 0)
    WHERE rank < request.skip + request.size AND rank + total > request.skip
)
SELECT (SELECT coalesce(sum(total), 0) FROM counted) AS total, (
  SELECT CAST(coalesce('[' || group_concat(coalesce(
    (SELECT json_object(
      'groupID', entry.group_id,
      'userID', entry.user_id,
      'roleLevel', entry.role_level,
      'joinTime', entry.join_time,
      'nickname', CASE entry.nickname WHEN '' THEN found.nickname ELSE entry.nickname END,
      'faceURL', CASE entry.face_url WHEN '' THEN found.face_url ELSE entry.face_url END,
      'appMangerLevel', found.app_manger_level,
      'joinSource', entry.join_source,
      'operatorUserID', entry.operator_user_id,
      'ex', entry.ex,
      'muteEndTime', entry.mute_end_time,
      'inviterUserID', entry.inviter_user_id
    )
      FROM im_admin_users found WHERE found.user_id = entry.user_id),
    json_object(
      'groupID', entry.group_id,
      'userID', entry.user_id,
      'roleLevel', entry.role_level,
      'joinTime', entry.join_time,
      'nickname', entry.nickname,
      'faceURL', entry.face_url,
      'appMangerLevel', 0,
      'joinSource', entry.join_source,
      'operatorUserID', entry.operator_user_id,
      'ex', entry.ex,
      'muteEndTime', entry.mute_end_time,
      'inviterUserID', entry.inviter_user_id
    )), ',' ORDER BY place.key) || ']', '[]') AS BLOB) FROM (
    SELECT member.group_id, member.user_id, found.key FROM (
      SELECT document.member, document.key
        FROM around CROSS JOIN im_admin_documents document
          WHERE document.list = (SELECT list FROM request)
            AND (document.text LIKE (SELECT pattern FROM request) ESCAPE '\'
              AND ((SELECT literal FROM request) IS NULL OR instr(lower(document.text), (SELECT literal FROM request)) > 0))
            AND (NOT (SELECT has_line_break FROM request) OR EXISTS (
              SELECT 1 FROM im_admin_listed_group_members member
                CROSS JOIN im_admin_group_members record ON record.group_id = member.group_id AND record.user_id = member.user_id
                WHERE member.id = document.member AND (member.user_id LIKE (SELECT pattern FROM request) ESCAPE '\'
                  AND ((SELECT literal FROM request) IS NULL OR instr(lower(member.user_id), (SELECT literal FROM request)) > 0)
                  OR (CASE record.nickname
                    WHEN '' THEN coalesce((SELECT nickname FROM im_admin_users WHERE user_id = member.user_id), '')
                    ELSE record.nickname END) LIKE (SELECT pattern FROM request) ESCAPE '\'
                    AND ((SELECT literal FROM request) IS NULL OR instr(lower((CASE record.nickname
                      WHEN '' THEN coalesce((SELECT nickname FROM im_admin_users WHERE user_id = member.user_id), '')
                      ELSE record.nickname END)), (SELECT literal FROM request)) > 0)))) AND document.key >= around.start AND document.key < around.end
        ORDER BY document.key
        LIMIT (SELECT size FROM request) OFFSET coalesce((SELECT (SELECT skip FROM request) - min(rank) FROM around), 0)
    ) found CROSS JOIN im_admin_listed_group_members member ON member.id = found.member
  ) place
  CROSS JOIN im_admin_group_members entry ON entry.group_id = place.group_id AND entry.user_id = place.user_id
) AS items
FROM request WHERE EXISTS (SELECT 1 FROM im_admin_groups WHERE group_id = request.owner) AND EXISTS (SELECT 1 FROM im_admin_lists
  WHERE id = request.list AND name = 'groupMembers' AND owner = request.owner AND has_documents);

-- members of a large group with a long keyword

WITH request (owner, words, most) AS MATERIALIZED (VALUES (?, ?, ?)),
list AS MATERIALIZED (
  SELECT id, total FROM im_admin_lists
    WHERE name = 'groupMembers' AND owner = (SELECT owner FROM request) AND has_documents
),
measured AS MATERIALIZED (
  SELECT word.value ->> 0 AS word, word.value ->> 1 AS match, (
    SELECT json_array(count(*), coalesce(max(id) - min(id), 0)) FROM (
      SELECT hit.rowid AS id FROM (SELECT word.value ->> 1 AS match) word CROSS JOIN im_admin_document_trigrams hit
        WHERE im_admin_document_trigrams MATCH word.match AND hit.rowid BETWEEN list.id * 4294967296 + 1 AND list.id * 4294967296 + 4294967295 LIMIT 500
    )) AS sample
  FROM list CROSS JOIN json_each((SELECT words FROM request)) word
),
sorted AS MATERIALIZED (
  SELECT word, match, sample ->> 0 AS found, sample ->> 1 AS span FROM measured ORDER BY 3, 4 DESC
)
SELECT list.id AS list, list.total,
  (SELECT json_group_array(json_object('word', word, 'found', found, 'span', span)) FROM sorted) AS words,
  (SELECT count(*) FROM (
    SELECT hit.rowid AS id FROM (SELECT match FROM sorted LIMIT 1) word CROSS JOIN im_admin_document_trigrams hit
      WHERE im_admin_document_trigrams MATCH word.match AND hit.rowid BETWEEN list.id * 4294967296 + 1 AND list.id * 4294967296 + 4294967295 LIMIT (SELECT most FROM request)
  )) AS candidates
FROM list;

WITH RECURSIVE request (owner, skip, size, ranges, pattern, literal, list, match, has_line_break) AS MATERIALIZED (VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)),
bounds (start) AS (
  SELECT ''
  UNION
  SELECT node.start FROM im_admin_lists CROSS JOIN im_admin_list_nodes node ON node.list = im_admin_lists.id
    WHERE im_admin_lists.id = (SELECT list FROM request) AND node.level = max(1, im_admin_lists.height - 2)
),
parts (start, end) AS MATERIALIZED (
  SELECT max(start, range.value ->> 0), min(following, coalesce(range.value ->> 1, x''))
    FROM (SELECT start, lead(start, 1, x'') OVER (ORDER BY start) AS following FROM bounds)
      CROSS JOIN json_each(coalesce((SELECT ranges FROM request), '[["", null]]')) range
    WHERE following > range.value ->> 0 AND start < coalesce(range.value ->> 1, x'')
),
counted (start, end, total) AS MATERIALIZED (
  SELECT start, end, (
    SELECT count(*) FROM im_admin_documents document
      WHERE document.list = (SELECT list FROM request)
        AND (document.text LIKE (SELECT pattern FROM request) ESCAPE '\'
          AND ((SELECT literal FROM request) IS NULL OR instr(lower(document.text), (SELECT literal FROM request)) > 0))
        AND (NOT (SELECT has_line_break FROM request) OR EXISTS (
          SELECT 1 FROM im_admin_listed_group_members member
            CROSS JOIN im_admin_group_members record ON record.group_id = member.group_id AND record.user_id = member.user_id
            WHERE member.id = document.member AND (member.user_id LIKE (SELECT pattern FROM request) ESCAPE '\'
              AND ((SELECT literal FROM request) IS NULL OR instr(lower(member.user_id), (SELECT literal FROM request)) > 0)
              OR (CASE record.nickname
                WHEN '' THEN coalesce((SELECT nickname FROM im_admin_users WHERE user_id = member.user_id), '')
                ELSE record.nickname END) LIKE (SELECT pattern FROM request) ESCAPE '\'
                AND ((SELECT literal FROM request) IS NULL OR instr(lower((CASE record.nickname
                  WHEN '' THEN coalesce((SELECT nickname FROM im_admin_users WHERE user_id = member.user_id), '')
                  ELSE record.nickname END)), (SELECT literal FROM request)) > 0)))) AND document.key >= start AND document.key < end
  ) FROM parts
),
around AS MATERIALIZED (
  SELECT start, end, rank FROM request
    CROSS JOIN (SELECT *, sum(total) OVER (ORDER BY start) - total AS rank FROM counted WHERE total > 0)
    WHERE rank < request.skip + request.size AND rank + total > request.skip
)
SELECT (SELECT coalesce(sum(total), 0) FROM counted) AS total, (
  SELECT CAST(coalesce('[' || group_concat(coalesce(
    (SELECT json_object(
      'groupID', entry.group_id,
      'userID', entry.user_id,
      'roleLevel', entry.role_level,
      'joinTime', entry.join_time,
      'nickname', CASE entry.nickname WHEN '' THEN found.nickname ELSE entry.nickname END,
      'faceURL', CASE entry.face_url WHEN '' THEN found.face_url ELSE entry.face_url END,
      'appMangerLevel', found.app_manger_level,
      'joinSource', entry.join_source,
      'operatorUserID', entry.operator_user_id,
      'ex', entry.ex,
      'muteEndTime', entry.mute_end_time,
      'inviterUserID', entry.inviter_user_id
    )
      FROM im_admin_users found WHERE found.user_id = entry.user_id),
    json_object(
      'groupID', entry.group_id,
      'userID', entry.user_id,
      'roleLevel', entry.role_level,
      'joinTime', entry.join_time,
      'nickname', entry.nickname,
      'faceURL', entry.face_url,
      'appMangerLevel', 0,
      'joinSource', entry.join_source,
      'operatorUserID', entry.operator_user_id,
      'ex', entry.ex,
      'muteEndTime', entry.mute_end_time,
      'inviterUserID', entry.inviter_user_id
    )), ',' ORDER BY place.key) || ']', '[]') AS BLOB) FROM (
    SELECT member.group_id, member.user_id, found.key FROM (
      SELECT document.member, document.key
        FROM around CROSS JOIN im_admin_documents document
          WHERE document.list = (SELECT list FROM request)
            AND (document.text LIKE (SELECT pattern FROM request) ESCAPE '\'
              AND ((SELECT literal FROM request) IS NULL OR instr(lower(document.text), (SELECT literal FROM request)) > 0))
            AND (NOT (SELECT has_line_break FROM request) OR EXISTS (
              SELECT 1 FROM im_admin_listed_group_members member
                CROSS JOIN im_admin_group_members record ON record.group_id = member.group_id AND record.user_id = member.user_id
                WHERE member.id = document.member AND (member.user_id LIKE (SELECT pattern FROM request) ESCAPE '\'
                  AND ((SELECT literal FROM request) IS NULL OR instr(lower(member.user_id), (SELECT literal FROM request)) > 0)
                  OR (CASE record.nickname
                    WHEN '' THEN coalesce((SELECT nickname FROM im_admin_users WHERE user_id = member.user_id), '')
                    ELSE record.nickname END) LIKE (SELECT pattern FROM request) ESCAPE '\'
                    AND ((SELECT literal FROM request) IS NULL OR instr(lower((CASE record.nickname
                      WHEN '' THEN coalesce((SELECT nickname FROM im_admin_users WHERE user_id = member.user_id), '')
                      ELSE record.nickname END)), (SELECT literal FROM request)) > 0)))) AND document.key >= around.start AND document.key < around.end
        ORDER BY document.key
        LIMIT (SELECT size FROM request) OFFSET coalesce((SELECT (SELECT skip FROM request) - min(rank) FROM around), 0)
    ) found CROSS JOIN im_admin_listed_group_members member ON member.id = found.member
  ) place
  CROSS JOIN im_admin_group_members entry ON entry.group_id = place.group_id AND entry.user_id = place.user_id
) AS items
FROM request WHERE EXISTS (SELECT 1 FROM im_admin_groups WHERE group_id = request.owner) AND EXISTS (SELECT 1 FROM im_admin_lists
  WHERE id = request.list AND name = 'groupMembers' AND owner = request.owner AND has_documents);

-- members of a large group with a Chinese keyword

WITH request (owner, words, most) AS MATERIALIZED (VALUES (?, ?, ?)),
list AS MATERIALIZED (
  SELECT id, total FROM im_admin_lists
    WHERE name = 'groupMembers' AND owner = (SELECT owner FROM request) AND has_documents
),
measured AS MATERIALIZED (
  SELECT word.value ->> 0 AS word, word.value ->> 1 AS match, (
    SELECT json_array(count(*), coalesce(max(id) - min(id), 0)) FROM (
      SELECT hit.rowid AS id FROM (SELECT word.value ->> 1 AS match) word CROSS JOIN im_admin_document_grams hit
        WHERE im_admin_document_grams MATCH word.match AND hit.rowid BETWEEN list.id * 4294967296 + 1 AND list.id * 4294967296 + 4294967295 LIMIT 500
    )) AS sample
  FROM list CROSS JOIN json_each((SELECT words FROM request)) word
),
sorted AS MATERIALIZED (
  SELECT word, match, sample ->> 0 AS found, sample ->> 1 AS span FROM measured ORDER BY 3, 4 DESC
)
SELECT list.id AS list, list.total,
  (SELECT json_group_array(json_object('word', word, 'found', found, 'span', span)) FROM sorted) AS words,
  (SELECT count(*) FROM (
    SELECT hit.rowid AS id FROM (SELECT match FROM sorted LIMIT 1) word CROSS JOIN im_admin_document_grams hit
      WHERE im_admin_document_grams MATCH word.match AND hit.rowid BETWEEN list.id * 4294967296 + 1 AND list.id * 4294967296 + 4294967295 LIMIT (SELECT most FROM request)
  )) AS candidates
FROM list;

WITH RECURSIVE request (owner, skip, size, ranges, pattern, literal, list, match, has_line_break) AS MATERIALIZED (VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)),
bounds (start) AS (
  SELECT ''
  UNION
  SELECT node.start FROM im_admin_lists CROSS JOIN im_admin_list_nodes node ON node.list = im_admin_lists.id
    WHERE im_admin_lists.id = (SELECT list FROM request) AND node.level = max(1, im_admin_lists.height - 2)
),
parts (start, end) AS MATERIALIZED (
  SELECT max(start, range.value ->> 0), min(following, coalesce(range.value ->> 1, x''))
    FROM (SELECT start, lead(start, 1, x'') OVER (ORDER BY start) AS following FROM bounds)
      CROSS JOIN json_each(coalesce((SELECT ranges FROM request), '[["", null]]')) range
    WHERE following > range.value ->> 0 AND start < coalesce(range.value ->> 1, x'')
),
counted (start, end, total) AS MATERIALIZED (
  SELECT start, end, (
    SELECT count(*) FROM im_admin_documents document
      WHERE document.list = (SELECT list FROM request)
        AND (document.text LIKE (SELECT pattern FROM request) ESCAPE '\'
          AND ((SELECT literal FROM request) IS NULL OR instr(lower(document.text), (SELECT literal FROM request)) > 0))
        AND (NOT (SELECT has_line_break FROM request) OR EXISTS (
          SELECT 1 FROM im_admin_listed_group_members member
            CROSS JOIN im_admin_group_members record ON record.group_id = member.group_id AND record.user_id = member.user_id
            WHERE member.id = document.member AND (member.user_id LIKE (SELECT pattern FROM request) ESCAPE '\'
              AND ((SELECT literal FROM request) IS NULL OR instr(lower(member.user_id), (SELECT literal FROM request)) > 0)
              OR (CASE record.nickname
                WHEN '' THEN coalesce((SELECT nickname FROM im_admin_users WHERE user_id = member.user_id), '')
                ELSE record.nickname END) LIKE (SELECT pattern FROM request) ESCAPE '\'
                AND ((SELECT literal FROM request) IS NULL OR instr(lower((CASE record.nickname
                  WHEN '' THEN coalesce((SELECT nickname FROM im_admin_users WHERE user_id = member.user_id), '')
                  ELSE record.nickname END)), (SELECT literal FROM request)) > 0)))) AND document.key >= start AND document.key < end
  ) FROM parts
),
around AS MATERIALIZED (
  SELECT start, end, rank FROM request
    CROSS JOIN (SELECT *, sum(total) OVER (ORDER BY start) - total AS rank FROM counted WHERE total > 0)
    WHERE rank < request.skip + request.size AND rank + total > request.skip
)
SELECT (SELECT coalesce(sum(total), 0) FROM counted) AS total, (
  SELECT CAST(coalesce('[' || group_concat(coalesce(
    (SELECT json_object(
      'groupID', entry.group_id,
      'userID', entry.user_id,
      'roleLevel', entry.role_level,
      'joinTime', entry.join_time,
      'nickname', CASE entry.nickname WHEN '' THEN found.nickname ELSE entry.nickname END,
      'faceURL', CASE entry.face_url WHEN '' THEN found.face_url ELSE entry.face_url END,
      'appMangerLevel', found.app_manger_level,
      'joinSource', entry.join_source,
      'operatorUserID', entry.operator_user_id,
      'ex', entry.ex,
      'muteEndTime', entry.mute_end_time,
      'inviterUserID', entry.inviter_user_id
    )
      FROM im_admin_users found WHERE found.user_id = entry.user_id),
    json_object(
      'groupID', entry.group_id,
      'userID', entry.user_id,
      'roleLevel', entry.role_level,
      'joinTime', entry.join_time,
      'nickname', entry.nickname,
      'faceURL', entry.face_url,
      'appMangerLevel', 0,
      'joinSource', entry.join_source,
      'operatorUserID', entry.operator_user_id,
      'ex', entry.ex,
      'muteEndTime', entry.mute_end_time,
      'inviterUserID', entry.inviter_user_id
    )), ',' ORDER BY place.key) || ']', '[]') AS BLOB) FROM (
    SELECT member.group_id, member.user_id, found.key FROM (
      SELECT document.member, document.key
        FROM around CROSS JOIN im_admin_documents document
          WHERE document.list = (SELECT list FROM request)
            AND (document.text LIKE (SELECT pattern FROM request) ESCAPE '\'
              AND ((SELECT literal FROM request) IS NULL OR instr(lower(document.text), (SELECT literal FROM request)) > 0))
            AND (NOT (SELECT has_line_break FROM request) OR EXISTS (
              SELECT 1 FROM im_admin_listed_group_members member
                CROSS JOIN im_admin_group_members record ON record.group_id = member.group_id AND record.user_id = member.user_id
                WHERE member.id = document.member AND (member.user_id LIKE (SELECT pattern FROM request) ESCAPE '\'
                  AND ((SELECT literal FROM request) IS NULL OR instr(lower(member.user_id), (SELECT literal FROM request)) > 0)
                  OR (CASE record.nickname
                    WHEN '' THEN coalesce((SELECT nickname FROM im_admin_users WHERE user_id = member.user_id), '')
                    ELSE record.nickname END) LIKE (SELECT pattern FROM request) ESCAPE '\'
                    AND ((SELECT literal FROM request) IS NULL OR instr(lower((CASE record.nickname
                      WHEN '' THEN coalesce((SELECT nickname FROM im_admin_users WHERE user_id = member.user_id), '')
                      ELSE record.nickname END)), (SELECT literal FROM request)) > 0)))) AND document.key >= around.start AND document.key < around.end
        ORDER BY document.key
        LIMIT (SELECT size FROM request) OFFSET coalesce((SELECT (SELECT skip FROM request) - min(rank) FROM around), 0)
    ) found CROSS JOIN im_admin_listed_group_members member ON member.id = found.member
  ) place
  CROSS JOIN im_admin_group_members entry ON entry.group_id = place.group_id AND entry.user_id = place.user_id
) AS items
FROM request WHERE EXISTS (SELECT 1 FROM im_admin_groups WHERE group_id = request.owner) AND EXISTS (SELECT 1 FROM im_admin_lists
  WHERE id = request.list AND name = 'groupMembers' AND owner = request.owner AND has_documents);

-- blacklist

WITH RECURSIVE request (owner, skip, size) AS MATERIALIZED (VALUES (?, ?, ?)),
list AS MATERIALIZED (
  SELECT im_admin_lists.id, im_admin_lists.total, im_admin_lists.height FROM request
    CROSS JOIN im_admin_lists ON im_admin_lists.name = 'blacks' AND im_admin_lists.owner = request.owner
),
seek (list, level, start, skip) AS (
  SELECT list.id, coalesce(list.height * ((SELECT skip FROM request) > 0), 0), '', (SELECT skip FROM request) FROM request LEFT JOIN list
  UNION ALL
  SELECT seek.list, seek.level - (seek.skip < node.total),
    CASE WHEN seek.skip < node.total THEN seek.start ELSE (
      SELECT start FROM im_admin_list_nodes following
        WHERE following.list = seek.list AND following.level = seek.level AND following.start > seek.start
        ORDER BY start LIMIT 1) END,
    CASE WHEN seek.skip < node.total THEN seek.skip ELSE seek.skip - node.total END
  FROM seek CROSS JOIN im_admin_list_nodes node
    ON node.list = seek.list AND node.level = seek.level AND node.start = seek.start
  WHERE seek.level > 0
),
leaf AS MATERIALIZED (SELECT start, skip FROM seek WHERE +level = 0 AND skip IS NOT NULL)
SELECT coalesce(
  (SELECT total FROM list),
  (SELECT count(*) FROM im_admin_listed_blacks INDEXED BY im_admin_blacks_in_order
    WHERE owner_user_id = (SELECT owner FROM request))
) AS total, (
  SELECT CAST(coalesce('[' || group_concat(json_object(
    'ownerUserID', entry.owner_user_id,
    'createTime', entry.create_time,
    'blackUserInfo', json(coalesce(
      (SELECT json_object(
        'userID', entry.black_user_id,
        'nickname', found.nickname,
        'faceURL', found.face_url,
        'ex', found.ex
      )
        FROM im_admin_users found WHERE found.user_id = entry.black_user_id),
      json_object(
        'userID', entry.black_user_id,
        'nickname', '',
        'faceURL', '',
        'ex', ''
      ))),
      'addSource', entry.add_source,
      'operatorUserID', entry.operator_user_id,
      'ex', entry.ex
  ), ',' ORDER BY place.key) || ']', '[]') AS BLOB) FROM (
    SELECT owner_user_id, black_user_id, ((20000000000000000 - create_time) || black_user_id) AS key
      FROM im_admin_listed_blacks INDEXED BY im_admin_blacks_in_order
        WHERE owner_user_id = (SELECT owner FROM request)
        AND ((20000000000000000 - create_time) || black_user_id) >= (SELECT start FROM leaf)
      ORDER BY ((20000000000000000 - create_time) || black_user_id)
      LIMIT (SELECT size FROM request) OFFSET coalesce((SELECT skip FROM leaf), 0)
  ) place
  CROSS JOIN im_admin_blacks entry ON entry.owner_user_id = place.owner_user_id AND entry.black_user_id = place.black_user_id
) AS items
FROM request WHERE EXISTS (SELECT 1 FROM im_admin_users WHERE user_id = request.owner);

-- joined groups

WITH RECURSIVE request (owner, skip, size) AS MATERIALIZED (VALUES (?, ?, ?)),
list AS MATERIALIZED (
  SELECT im_admin_lists.id, im_admin_lists.total, im_admin_lists.height FROM request
    CROSS JOIN im_admin_lists ON im_admin_lists.name = 'joinedGroups' AND im_admin_lists.owner = request.owner
),
seek (list, level, start, skip) AS (
  SELECT list.id, coalesce(list.height * ((SELECT skip FROM request) > 0), 0), '', (SELECT skip FROM request) FROM request LEFT JOIN list
  UNION ALL
  SELECT seek.list, seek.level - (seek.skip < node.total),
    CASE WHEN seek.skip < node.total THEN seek.start ELSE (
      SELECT start FROM im_admin_list_nodes following
        WHERE following.list = seek.list AND following.level = seek.level AND following.start > seek.start
        ORDER BY start LIMIT 1) END,
    CASE WHEN seek.skip < node.total THEN seek.skip ELSE seek.skip - node.total END
  FROM seek CROSS JOIN im_admin_list_nodes node
    ON node.list = seek.list AND node.level = seek.level AND node.start = seek.start
  WHERE seek.level > 0
),
leaf AS MATERIALIZED (SELECT start, skip FROM seek WHERE +level = 0 AND skip IS NOT NULL)
SELECT coalesce(
  (SELECT total FROM list),
  (SELECT count(*) FROM im_admin_listed_group_members INDEXED BY im_admin_joined_groups_in_order
    WHERE user_id = (SELECT owner FROM request))
) AS total, (
  SELECT CAST(coalesce('[' || group_concat(coalesce(
    (SELECT json_object(
      'groupID', entry.group_id,
      'groupName', found.group_name,
      'notification', found.notification,
      'introduction', found.introduction,
      'faceURL', found.face_url,
      'ownerUserID', coalesce((
        SELECT user_id FROM im_admin_listed_group_members INDEXED BY im_admin_group_members_in_order
          WHERE group_id = entry.group_id AND ((2000 - role_level) || (20000000000000000 + join_time) || user_id) >= '1900' AND ((2000 - role_level) || (20000000000000000 + join_time) || user_id) < '1901' ORDER BY ((2000 - role_level) || (20000000000000000 + join_time) || user_id) LIMIT 1), ''),
          'createTime', found.create_time,
          'memberCount', coalesce(
            (SELECT total FROM im_admin_lists WHERE name = 'groupMembers' AND owner = entry.group_id),
            (SELECT count(*) FROM im_admin_listed_group_members INDEXED BY im_admin_group_members_in_order WHERE group_id = entry.group_id)),
            'ex', found.ex,
            'status', found.status,
            'creatorUserID', found.creator_user_id,
            'groupType', found.group_type,
            'needVerification', found.need_verification,
            'lookMemberInfo', found.look_member_info,
            'applyMemberFriend', found.apply_member_friend,
            'notificationUpdateTime', found.notification_update_time,
            'notificationUserID', found.notification_user_id
    )
      FROM im_admin_groups found WHERE found.group_id = entry.group_id),
    json_object(
      'groupID', entry.group_id,
      'groupName', '',
      'notification', '',
      'introduction', '',
      'faceURL', '',
      'ownerUserID', coalesce((
        SELECT user_id FROM im_admin_listed_group_members INDEXED BY im_admin_group_members_in_order
          WHERE group_id = entry.group_id AND ((2000 - role_level) || (20000000000000000 + join_time) || user_id) >= '1900' AND ((2000 - role_level) || (20000000000000000 + join_time) || user_id) < '1901' ORDER BY ((2000 - role_level) || (20000000000000000 + join_time) || user_id) LIMIT 1), ''),
          'createTime', 0,
          'memberCount', coalesce(
            (SELECT total FROM im_admin_lists WHERE name = 'groupMembers' AND owner = entry.group_id),
            (SELECT count(*) FROM im_admin_listed_group_members INDEXED BY im_admin_group_members_in_order WHERE group_id = entry.group_id)),
            'ex', '',
            'status', 0,
            'creatorUserID', '',
            'groupType', 0,
            'needVerification', 0,
            'lookMemberInfo', 0,
            'applyMemberFriend', 0,
            'notificationUpdateTime', 0,
            'notificationUserID', ''
    )), ',' ORDER BY place.key) || ']', '[]') AS BLOB) FROM (
    SELECT group_id, user_id, ((20000000000000000 - join_time) || group_id) AS key
      FROM im_admin_listed_group_members INDEXED BY im_admin_joined_groups_in_order
        WHERE user_id = (SELECT owner FROM request)
        AND ((20000000000000000 - join_time) || group_id) >= (SELECT start FROM leaf)
      ORDER BY ((20000000000000000 - join_time) || group_id)
      LIMIT (SELECT size FROM request) OFFSET coalesce((SELECT skip FROM leaf), 0)
  ) place
  CROSS JOIN im_admin_group_members entry ON entry.group_id = place.group_id AND entry.user_id = place.user_id
) AS items
FROM request WHERE EXISTS (SELECT 1 FROM im_admin_users WHERE user_id = request.owner);

-- received join requests

WITH RECURSIVE request (owner, skip, size) AS MATERIALIZED (VALUES (?, ?, ?)),
list AS MATERIALIZED (
  SELECT im_admin_lists.id, im_admin_lists.total, im_admin_lists.height FROM request
    CROSS JOIN im_admin_lists ON im_admin_lists.name = 'receivedGroupRequests' AND im_admin_lists.owner = request.owner
),
sources (is_copies, owner, id, height, total) AS MATERIALIZED (
  SELECT * FROM (
    SELECT true AS is_copies, request.owner, list.id, coalesce(list.height, 0) AS height, coalesce(
      (SELECT total FROM list),
      (SELECT count(*) FROM im_admin_listed_received_group_requests INDEXED BY im_admin_received_group_requests_in_order
        WHERE manager_user_id = (SELECT owner FROM request))
    ) AS length
      FROM request LEFT JOIN list
    UNION ALL
    SELECT false, shared.owner, shared.id, shared.height, shared.total FROM request
      CROSS JOIN im_admin_listed_group_members member INDEXED BY im_admin_managed_groups_in_order
        ON member.user_id = request.owner AND member.role_level IN (60, 100)
      CROSS JOIN im_admin_lists shared ON shared.name = 'groupRequests' AND shared.owner = member.group_id
  ) WHERE length > 0
),
target (skip) AS MATERIALIZED (SELECT skip FROM request),
roughly AS MATERIALIZED (
  SELECT skip, max(start) FILTER (WHERE before <= skip) AS low,
      coalesce(min(stop) FILTER (WHERE through > skip), x'') AS high
    FROM (
      SELECT *, coalesce(sum(total) OVER (ORDER BY start ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before, sum(total) OVER (ORDER BY stop) AS through FROM (
        SELECT skip, coalesce(node.start, '') AS start, coalesce(node.total, sources.total) AS total,
            lead(node.start, 1, x'') OVER (PARTITION BY is_copies, owner ORDER BY node.start) AS stop
          FROM target CROSS JOIN sources LEFT JOIN im_admin_list_nodes node
            ON node.list = CASE WHEN skip > 0 THEN id END AND node.level = 2
      )
    )
),
exactly AS MATERIALIZED (
  SELECT skip, max(start) FILTER (WHERE before <= skip) AS low FROM (
    SELECT *, coalesce(sum(total) OVER (ORDER BY start ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before FROM (
      SELECT skip, coalesce(node.start, '') AS start,
          coalesce(node.total, sources.total) + CASE WHEN node.start = large THEN (SELECT coalesce(sum(total), 0) FROM im_admin_list_nodes node
            WHERE node.list = id AND node.level = 2 AND node.start < large) ELSE 0 END AS total
        FROM (SELECT *, coalesce((SELECT max(start) FROM im_admin_list_nodes above
          WHERE above.list = id AND above.level = 2 AND above.start <= low), '') AS large FROM roughly CROSS JOIN sources) sources
          LEFT JOIN im_admin_list_nodes node
            ON node.list = CASE WHEN skip > 0 THEN id END AND node.level = 1 AND node.start >= large AND node.start < high
    )
  )
),
start (low, skipped, further) AS MATERIALIZED (
  SELECT CASE WHEN skip > 0 THEN low ELSE '' END, left * is_single, left * (NOT is_single) + 0 FROM (
    SELECT skip, low, count(*) = 1 AS is_single, skip - sum(
        (SELECT coalesce(sum(total), 0) FROM im_admin_list_nodes node
          WHERE node.list = id AND node.level = 2 AND node.start < large)
          + (SELECT coalesce(sum(total), 0) FROM im_admin_list_nodes node
            WHERE node.list = id AND node.level = 1 AND node.start >= large AND node.start < leaf)
          + CASE WHEN is_copies
            THEN (SELECT count(*) FROM im_admin_listed_received_group_requests INDEXED BY im_admin_received_group_requests_in_order WHERE manager_user_id = owner AND ((20000000000000000 - req_time) || group_id || x'00' || user_id) >= leaf AND ((20000000000000000 - req_time) || group_id || x'00' || user_id) < low)
            ELSE (SELECT count(*) FROM im_admin_listed_group_requests INDEXED BY im_admin_group_requests_in_order WHERE group_id = owner AND ((20000000000000000 - req_time) || group_id || x'00' || user_id) >= leaf AND ((20000000000000000 - req_time) || group_id || x'00' || user_id) < low) END) AS left
      FROM (SELECT *, coalesce((SELECT max(start) FROM im_admin_list_nodes above
        WHERE above.list = id AND above.level = 2 AND above.start <= low), '') AS large, coalesce((SELECT max(start) FROM im_admin_list_nodes above
          WHERE above.list = id AND above.level = 1 AND above.start <= low), '') AS leaf FROM exactly CROSS JOIN sources)
  )
),
merged (is_copies, owner, key) AS (
  SELECT is_copies, owner, CASE WHEN is_copies
    THEN (SELECT ((20000000000000000 - req_time) || group_id || x'00' || user_id) FROM im_admin_listed_received_group_requests INDEXED BY im_admin_received_group_requests_in_order WHERE manager_user_id = owner AND ((20000000000000000 - req_time) || group_id || x'00' || user_id) >= low ORDER BY 1 LIMIT 1 OFFSET (SELECT skipped FROM start))
    ELSE (SELECT ((20000000000000000 - req_time) || group_id || x'00' || user_id) FROM im_admin_listed_group_requests INDEXED BY im_admin_group_requests_in_order WHERE group_id = owner AND ((20000000000000000 - req_time) || group_id || x'00' || user_id) >= low ORDER BY 1 LIMIT 1 OFFSET (SELECT skipped FROM start)) END FROM start CROSS JOIN sources
  UNION ALL
  SELECT is_copies, owner, CASE WHEN is_copies
    THEN (SELECT ((20000000000000000 - req_time) || group_id || x'00' || user_id) FROM im_admin_listed_received_group_requests INDEXED BY im_admin_received_group_requests_in_order WHERE manager_user_id = owner AND ((20000000000000000 - req_time) || group_id || x'00' || user_id) > merged.key ORDER BY 1 LIMIT 1 OFFSET 0)
    ELSE (SELECT ((20000000000000000 - req_time) || group_id || x'00' || user_id) FROM im_admin_listed_group_requests INDEXED BY im_admin_group_requests_in_order WHERE group_id = owner AND ((20000000000000000 - req_time) || group_id || x'00' || user_id) > merged.key ORDER BY 1 LIMIT 1 OFFSET 0) END FROM merged WHERE key IS NOT NULL
  ORDER BY 3
),
found AS MATERIALIZED (
  SELECT * FROM merged WHERE key IS NOT NULL AND true
    LIMIT (SELECT CASE WHEN skip < (SELECT coalesce(sum(total), 0) FROM sources) THEN size ELSE 0 END FROM request)
    OFFSET (SELECT coalesce(further, 0) FROM start)
)
SELECT (SELECT coalesce(sum(total), 0) FROM sources) AS total, (
  SELECT CAST(coalesce('[' || group_concat(json_object(
    'userInfo', json(coalesce(
      (SELECT json_object(
        'userID', entry.user_id,
        'nickname', found.nickname,
        'faceURL', found.face_url,
        'ex', found.ex
      )
        FROM im_admin_users found WHERE found.user_id = entry.user_id),
      json_object(
        'userID', entry.user_id,
        'nickname', '',
        'faceURL', '',
        'ex', ''
      ))),
      'groupInfo', json(coalesce(
        (SELECT json_object(
          'groupID', entry.group_id,
          'groupName', found.group_name,
          'notification', found.notification,
          'introduction', found.introduction,
          'faceURL', found.face_url,
          'ownerUserID', coalesce((
            SELECT user_id FROM im_admin_listed_group_members INDEXED BY im_admin_group_members_in_order
              WHERE group_id = entry.group_id AND ((2000 - role_level) || (20000000000000000 + join_time) || user_id) >= '1900' AND ((2000 - role_level) || (20000000000000000 + join_time) || user_id) < '1901' ORDER BY ((2000 - role_level) || (20000000000000000 + join_time) || user_id) LIMIT 1), ''),
              'createTime', found.create_time,
              'memberCount', coalesce(
                (SELECT total FROM im_admin_lists WHERE name = 'groupMembers' AND owner = entry.group_id),
                (SELECT count(*) FROM im_admin_listed_group_members INDEXED BY im_admin_group_members_in_order WHERE group_id = entry.group_id)),
                'ex', found.ex,
                'status', found.status,
                'creatorUserID', found.creator_user_id,
                'groupType', found.group_type,
                'needVerification', found.need_verification,
                'lookMemberInfo', found.look_member_info,
                'applyMemberFriend', found.apply_member_friend,
                'notificationUpdateTime', found.notification_update_time,
                'notificationUserID', found.notification_user_id
        )
          FROM im_admin_groups found WHERE found.group_id = entry.group_id),
        json_object(
          'groupID', entry.group_id,
          'groupName', '',
          'notification', '',
          'introduction', '',
          'faceURL', '',
          'ownerUserID', coalesce((
            SELECT user_id FROM im_admin_listed_group_members INDEXED BY im_admin_group_members_in_order
              WHERE group_id = entry.group_id AND ((2000 - role_level) || (20000000000000000 + join_time) || user_id) >= '1900' AND ((2000 - role_level) || (20000000000000000 + join_time) || user_id) < '1901' ORDER BY ((2000 - role_level) || (20000000000000000 + join_time) || user_id) LIMIT 1), ''),
              'createTime', 0,
              'memberCount', coalesce(
                (SELECT total FROM im_admin_lists WHERE name = 'groupMembers' AND owner = entry.group_id),
                (SELECT count(*) FROM im_admin_listed_group_members INDEXED BY im_admin_group_members_in_order WHERE group_id = entry.group_id)),
                'ex', '',
                'status', 0,
                'creatorUserID', '',
                'groupType', 0,
                'needVerification', 0,
                'lookMemberInfo', 0,
                'applyMemberFriend', 0,
                'notificationUpdateTime', 0,
                'notificationUserID', ''
        ))),
        'handleResult', entry.handle_result,
        'reqMsg', entry.req_msg,
        'handleMsg', entry.handle_msg,
        'reqTime', entry.req_time,
        'handleUserID', entry.handle_user_id,
        'handleTime', entry.handle_time,
        'ex', entry.ex,
        'joinSource', entry.join_source,
        'inviterUserID', entry.inviter_user_id
  ), ',' ORDER BY place.key) || ']', '[]') AS BLOB) FROM (
    SELECT CAST(substr(key, 18, separator - 18) AS TEXT) AS group_id,
        CAST(substr(key, separator + 1) AS TEXT) AS user_id, key
      FROM (SELECT CAST(key AS BLOB) AS key, instr(CAST(key AS BLOB), x'00') AS separator FROM found)
  ) place
  CROSS JOIN im_admin_group_requests entry ON entry.group_id = place.group_id AND entry.user_id = place.user_id
) AS items
FROM request WHERE EXISTS (SELECT 1 FROM im_admin_users WHERE user_id = request.owner);

-- received join requests for some groups

WITH RECURSIVE request (owner, skip, size, group_ids, results) AS MATERIALIZED (VALUES (?, ?, ?, ?, ?)),
hits AS MATERIALIZED (
  SELECT group_id, user_id, ((20000000000000000 - req_time) || group_id || x'00' || user_id) AS key FROM im_admin_group_requests
    WHERE group_id IN (
      SELECT group_id FROM im_admin_listed_group_members
        WHERE group_id IN (SELECT value FROM json_each((SELECT group_ids FROM request)))
          AND user_id = (SELECT owner FROM request) AND role_level IN (60, 100)
    ) AND ((SELECT results FROM request) IS NULL
      OR handle_result IN (SELECT value FROM json_each((SELECT results FROM request))))
)
SELECT (SELECT count(*) FROM hits) AS total, (
  SELECT CAST(coalesce('[' || group_concat(json_object(
    'userInfo', json(coalesce(
      (SELECT json_object(
        'userID', entry.user_id,
        'nickname', found.nickname,
        'faceURL', found.face_url,
        'ex', found.ex
      )
        FROM im_admin_users found WHERE found.user_id = entry.user_id),
      json_object(
        'userID', entry.user_id,
        'nickname', '',
        'faceURL', '',
        'ex', ''
      ))),
      'groupInfo', json(coalesce(
        (SELECT json_object(
          'groupID', entry.group_id,
          'groupName', found.group_name,
          'notification', found.notification,
          'introduction', found.introduction,
          'faceURL', found.face_url,
          'ownerUserID', coalesce((
            SELECT user_id FROM im_admin_listed_group_members INDEXED BY im_admin_group_members_in_order
              WHERE group_id = entry.group_id AND ((2000 - role_level) || (20000000000000000 + join_time) || user_id) >= '1900' AND ((2000 - role_level) || (20000000000000000 + join_time) || user_id) < '1901' ORDER BY ((2000 - role_level) || (20000000000000000 + join_time) || user_id) LIMIT 1), ''),
              'createTime', found.create_time,
              'memberCount', coalesce(
                (SELECT total FROM im_admin_lists WHERE name = 'groupMembers' AND owner = entry.group_id),
                (SELECT count(*) FROM im_admin_listed_group_members INDEXED BY im_admin_group_members_in_order WHERE group_id = entry.group_id)),
                'ex', found.ex,
                'status', found.status,
                'creatorUserID', found.creator_user_id,
                'groupType', found.group_type,
                'needVerification', found.need_verification,
                'lookMemberInfo', found.look_member_info,
                'applyMemberFriend', found.apply_member_friend,
                'notificationUpdateTime', found.notification_update_time,
                'notificationUserID', found.notification_user_id
        )
          FROM im_admin_groups found WHERE found.group_id = entry.group_id),
        json_object(
          'groupID', entry.group_id,
          'groupName', '',
          'notification', '',
          'introduction', '',
          'faceURL', '',
          'ownerUserID', coalesce((
            SELECT user_id FROM im_admin_listed_group_members INDEXED BY im_admin_group_members_in_order
              WHERE group_id = entry.group_id AND ((2000 - role_level) || (20000000000000000 + join_time) || user_id) >= '1900' AND ((2000 - role_level) || (20000000000000000 + join_time) || user_id) < '1901' ORDER BY ((2000 - role_level) || (20000000000000000 + join_time) || user_id) LIMIT 1), ''),
              'createTime', 0,
              'memberCount', coalesce(
                (SELECT total FROM im_admin_lists WHERE name = 'groupMembers' AND owner = entry.group_id),
                (SELECT count(*) FROM im_admin_listed_group_members INDEXED BY im_admin_group_members_in_order WHERE group_id = entry.group_id)),
                'ex', '',
                'status', 0,
                'creatorUserID', '',
                'groupType', 0,
                'needVerification', 0,
                'lookMemberInfo', 0,
                'applyMemberFriend', 0,
                'notificationUpdateTime', 0,
                'notificationUserID', ''
        ))),
        'handleResult', entry.handle_result,
        'reqMsg', entry.req_msg,
        'handleMsg', entry.handle_msg,
        'reqTime', entry.req_time,
        'handleUserID', entry.handle_user_id,
        'handleTime', entry.handle_time,
        'ex', entry.ex,
        'joinSource', entry.join_source,
        'inviterUserID', entry.inviter_user_id
  ), ',' ORDER BY place.key) || ']', '[]') AS BLOB) FROM (
    SELECT * FROM hits ORDER BY key LIMIT (SELECT size FROM request) OFFSET (SELECT skip FROM request)
  ) place
  CROSS JOIN im_admin_group_requests entry ON entry.group_id = place.group_id AND entry.user_id = place.user_id
) AS items
FROM request WHERE EXISTS (SELECT 1 FROM im_admin_users WHERE user_id = request.owner);

-- received join requests for some groups with some results

WITH RECURSIVE request (owner, skip, size, group_ids, results) AS MATERIALIZED (VALUES (?, ?, ?, ?, ?)),
hits AS MATERIALIZED (
  SELECT group_id, user_id, ((20000000000000000 - req_time) || group_id || x'00' || user_id) AS key FROM im_admin_group_requests
    WHERE group_id IN (
      SELECT group_id FROM im_admin_listed_group_members
        WHERE group_id IN (SELECT value FROM json_each((SELECT group_ids FROM request)))
          AND user_id = (SELECT owner FROM request) AND role_level IN (60, 100)
    ) AND ((SELECT results FROM request) IS NULL
      OR handle_result IN (SELECT value FROM json_each((SELECT results FROM request))))
)
SELECT (SELECT count(*) FROM hits) AS total, (
  SELECT CAST(coalesce('[' || group_concat(json_object(
    'userInfo', json(coalesce(
      (SELECT json_object(
        'userID', entry.user_id,
        'nickname', found.nickname,
        'faceURL', found.face_url,
        'ex', found.ex
      )
        FROM im_admin_users found WHERE found.user_id = entry.user_id),
      json_object(
        'userID', entry.user_id,
        'nickname', '',
        'faceURL', '',
        'ex', ''
      ))),
      'groupInfo', json(coalesce(
        (SELECT json_object(
          'groupID', entry.group_id,
          'groupName', found.group_name,
          'notification', found.notification,
          'introduction', found.introduction,
          'faceURL', found.face_url,
          'ownerUserID', coalesce((
            SELECT user_id FROM im_admin_listed_group_members INDEXED BY im_admin_group_members_in_order
              WHERE group_id = entry.group_id AND ((2000 - role_level) || (20000000000000000 + join_time) || user_id) >= '1900' AND ((2000 - role_level) || (20000000000000000 + join_time) || user_id) < '1901' ORDER BY ((2000 - role_level) || (20000000000000000 + join_time) || user_id) LIMIT 1), ''),
              'createTime', found.create_time,
              'memberCount', coalesce(
                (SELECT total FROM im_admin_lists WHERE name = 'groupMembers' AND owner = entry.group_id),
                (SELECT count(*) FROM im_admin_listed_group_members INDEXED BY im_admin_group_members_in_order WHERE group_id = entry.group_id)),
                'ex', found.ex,
                'status', found.status,
                'creatorUserID', found.creator_user_id,
                'groupType', found.group_type,
                'needVerification', found.need_verification,
                'lookMemberInfo', found.look_member_info,
                'applyMemberFriend', found.apply_member_friend,
                'notificationUpdateTime', found.notification_update_time,
                'notificationUserID', found.notification_user_id
        )
          FROM im_admin_groups found WHERE found.group_id = entry.group_id),
        json_object(
          'groupID', entry.group_id,
          'groupName', '',
          'notification', '',
          'introduction', '',
          'faceURL', '',
          'ownerUserID', coalesce((
            SELECT user_id FROM im_admin_listed_group_members INDEXED BY im_admin_group_members_in_order
              WHERE group_id = entry.group_id AND ((2000 - role_level) || (20000000000000000 + join_time) || user_id) >= '1900' AND ((2000 - role_level) || (20000000000000000 + join_time) || user_id) < '1901' ORDER BY ((2000 - role_level) || (20000000000000000 + join_time) || user_id) LIMIT 1), ''),
              'createTime', 0,
              'memberCount', coalesce(
                (SELECT total FROM im_admin_lists WHERE name = 'groupMembers' AND owner = entry.group_id),
                (SELECT count(*) FROM im_admin_listed_group_members INDEXED BY im_admin_group_members_in_order WHERE group_id = entry.group_id)),
                'ex', '',
                'status', 0,
                'creatorUserID', '',
                'groupType', 0,
                'needVerification', 0,
                'lookMemberInfo', 0,
                'applyMemberFriend', 0,
                'notificationUpdateTime', 0,
                'notificationUserID', ''
        ))),
        'handleResult', entry.handle_result,
        'reqMsg', entry.req_msg,
        'handleMsg', entry.handle_msg,
        'reqTime', entry.req_time,
        'handleUserID', entry.handle_user_id,
        'handleTime', entry.handle_time,
        'ex', entry.ex,
        'joinSource', entry.join_source,
        'inviterUserID', entry.inviter_user_id
  ), ',' ORDER BY place.key) || ']', '[]') AS BLOB) FROM (
    SELECT * FROM hits ORDER BY key LIMIT (SELECT size FROM request) OFFSET (SELECT skip FROM request)
  ) place
  CROSS JOIN im_admin_group_requests entry ON entry.group_id = place.group_id AND entry.user_id = place.user_id
) AS items
FROM request WHERE EXISTS (SELECT 1 FROM im_admin_users WHERE user_id = request.owner);

-- received join requests with a result

WITH RECURSIVE request (owner, skip, size, ranges) AS MATERIALIZED (VALUES (?, ?, ?, ?)),
list AS MATERIALIZED (
  SELECT im_admin_lists.id, im_admin_lists.total, im_admin_lists.height FROM request
    CROSS JOIN im_admin_lists ON im_admin_lists.name = 'receivedGroupRequestsByResult' AND im_admin_lists.owner = request.owner
),
descent (is_copies, owner, list, range, bound, level, start, rank) AS (
  SELECT is_copies, asked.owner, asked.id, range.key, bound.value, coalesce(height, 0) + 1, '', 0 FROM (SELECT * FROM sources) asked
    CROSS JOIN request CROSS JOIN json_each(request.ranges) range CROSS JOIN json_each(range.value) bound
  UNION ALL
  SELECT is_copies, owner, list, range, bound, level - 1, (SELECT max(start) FROM im_admin_list_nodes node
    WHERE node.list = descent.list AND node.level = descent.level - 1 AND node.start <= bound),
    rank + (SELECT coalesce(sum(total), 0) FROM im_admin_list_nodes passed
      WHERE passed.list = descent.list AND passed.level = descent.level - 1
        AND passed.start >= descent.start AND passed.start < (SELECT max(start) FROM im_admin_list_nodes node
          WHERE node.list = descent.list AND node.level = descent.level - 1 AND node.start <= bound))
    FROM descent WHERE level > 1
),
ranks (range, rank) AS MATERIALIZED (
  SELECT range, sum(rank + CASE WHEN is_copies
    THEN (SELECT count(*) FROM im_admin_listed_received_group_requests INDEXED BY im_admin_received_group_requests_by_result_in_order WHERE manager_user_id = owner AND ((30000000000 + handle_result) || (20000000000000000 - req_time) || group_id || x'00' || user_id) >= descent.start AND ((30000000000 + handle_result) || (20000000000000000 - req_time) || group_id || x'00' || user_id) < descent.bound)
    ELSE (SELECT count(*) FROM im_admin_listed_group_requests INDEXED BY im_admin_group_requests_by_result_in_order WHERE group_id = owner AND ((30000000000 + handle_result) || (20000000000000000 - req_time) || group_id || x'00' || user_id) >= descent.start AND ((30000000000 + handle_result) || (20000000000000000 - req_time) || group_id || x'00' || user_id) < descent.bound) END)
    FROM descent WHERE +level = 1 GROUP BY range, bound
),
ranges AS MATERIALIZED (
  SELECT min(rank) AS rank, max(rank) - min(rank) AS total FROM ranks GROUP BY range
),
sources (is_copies, owner, id, height, total) AS MATERIALIZED (
  SELECT * FROM (
    SELECT true AS is_copies, request.owner, list.id, coalesce(list.height, 0) AS height, coalesce(
      (SELECT total FROM list),
      (SELECT count(*) FROM im_admin_listed_received_group_requests INDEXED BY im_admin_received_group_requests_by_result_in_order
        WHERE manager_user_id = (SELECT owner FROM request))
    ) AS length
      FROM request LEFT JOIN list
    UNION ALL
    SELECT false, shared.owner, shared.id, shared.height, shared.total FROM request
      CROSS JOIN im_admin_listed_group_members member INDEXED BY im_admin_managed_groups_in_order
        ON member.user_id = request.owner AND member.role_level IN (60, 100)
      CROSS JOIN im_admin_lists shared ON shared.name = 'groupRequestsByResult' AND shared.owner = member.group_id
  ) WHERE length > 0
),
target (skip) AS MATERIALIZED (SELECT CASE WHEN skip > 0 THEN coalesce((SELECT rank + left FROM (
  SELECT rank, total, (SELECT skip FROM request) - sum(total) OVER (ORDER BY rank) + total AS left
    FROM ranges WHERE total > 0
) WHERE left >= 0 AND left < total), (SELECT sum(total) FROM sources), 0) ELSE 0 END FROM request),
roughly AS MATERIALIZED (
  SELECT skip, max(start) FILTER (WHERE before <= skip) AS low,
      coalesce(min(stop) FILTER (WHERE through > skip), x'') AS high
    FROM (
      SELECT *, coalesce(sum(total) OVER (ORDER BY start ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before, sum(total) OVER (ORDER BY stop) AS through FROM (
        SELECT skip, coalesce(node.start, '') AS start, coalesce(node.total, sources.total) AS total,
            lead(node.start, 1, x'') OVER (PARTITION BY is_copies, owner ORDER BY node.start) AS stop
          FROM target CROSS JOIN sources LEFT JOIN im_admin_list_nodes node
            ON node.list = CASE WHEN skip > 0 THEN id END AND node.level = 2
      )
    )
),
exactly AS MATERIALIZED (
  SELECT skip, max(start) FILTER (WHERE before <= skip) AS low FROM (
    SELECT *, coalesce(sum(total) OVER (ORDER BY start ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before FROM (
      SELECT skip, coalesce(node.start, '') AS start,
          coalesce(node.total, sources.total) + CASE WHEN node.start = large THEN (SELECT coalesce(sum(total), 0) FROM im_admin_list_nodes node
            WHERE node.list = id AND node.level = 2 AND node.start < large) ELSE 0 END AS total
        FROM (SELECT *, coalesce((SELECT max(start) FROM im_admin_list_nodes above
          WHERE above.list = id AND above.level = 2 AND above.start <= low), '') AS large FROM roughly CROSS JOIN sources) sources
          LEFT JOIN im_admin_list_nodes node
            ON node.list = CASE WHEN skip > 0 THEN id END AND node.level = 1 AND node.start >= large AND node.start < high
    )
  )
),
start (low, skipped, further) AS MATERIALIZED (
  SELECT CASE WHEN skip > 0 THEN low ELSE (SELECT min(value ->> 0) FROM json_each((SELECT ranges FROM request))) END, left * is_single, left * (NOT is_single) + 0 FROM (
    SELECT skip, low, count(*) = 1 AS is_single, skip - sum(
        (SELECT coalesce(sum(total), 0) FROM im_admin_list_nodes node
          WHERE node.list = id AND node.level = 2 AND node.start < large)
          + (SELECT coalesce(sum(total), 0) FROM im_admin_list_nodes node
            WHERE node.list = id AND node.level = 1 AND node.start >= large AND node.start < leaf)
          + CASE WHEN is_copies
            THEN (SELECT count(*) FROM im_admin_listed_received_group_requests INDEXED BY im_admin_received_group_requests_by_result_in_order WHERE manager_user_id = owner AND ((30000000000 + handle_result) || (20000000000000000 - req_time) || group_id || x'00' || user_id) >= leaf AND ((30000000000 + handle_result) || (20000000000000000 - req_time) || group_id || x'00' || user_id) < low)
            ELSE (SELECT count(*) FROM im_admin_listed_group_requests INDEXED BY im_admin_group_requests_by_result_in_order WHERE group_id = owner AND ((30000000000 + handle_result) || (20000000000000000 - req_time) || group_id || x'00' || user_id) >= leaf AND ((30000000000 + handle_result) || (20000000000000000 - req_time) || group_id || x'00' || user_id) < low) END) AS left
      FROM (SELECT *, coalesce((SELECT max(start) FROM im_admin_list_nodes above
        WHERE above.list = id AND above.level = 2 AND above.start <= low), '') AS large, coalesce((SELECT max(start) FROM im_admin_list_nodes above
          WHERE above.list = id AND above.level = 1 AND above.start <= low), '') AS leaf FROM exactly CROSS JOIN sources)
  )
),
merged (is_copies, owner, key) AS (
  SELECT is_copies, owner, CASE WHEN is_copies
    THEN (SELECT ((30000000000 + handle_result) || (20000000000000000 - req_time) || group_id || x'00' || user_id) FROM im_admin_listed_received_group_requests INDEXED BY im_admin_received_group_requests_by_result_in_order WHERE manager_user_id = owner AND ((30000000000 + handle_result) || (20000000000000000 - req_time) || group_id || x'00' || user_id) >= low ORDER BY 1 LIMIT 1 OFFSET (SELECT skipped FROM start))
    ELSE (SELECT ((30000000000 + handle_result) || (20000000000000000 - req_time) || group_id || x'00' || user_id) FROM im_admin_listed_group_requests INDEXED BY im_admin_group_requests_by_result_in_order WHERE group_id = owner AND ((30000000000 + handle_result) || (20000000000000000 - req_time) || group_id || x'00' || user_id) >= low ORDER BY 1 LIMIT 1 OFFSET (SELECT skipped FROM start)) END FROM start CROSS JOIN sources
  UNION ALL
  SELECT is_copies, owner, CASE WHEN is_copies
    THEN (SELECT ((30000000000 + handle_result) || (20000000000000000 - req_time) || group_id || x'00' || user_id) FROM im_admin_listed_received_group_requests INDEXED BY im_admin_received_group_requests_by_result_in_order WHERE manager_user_id = owner AND ((30000000000 + handle_result) || (20000000000000000 - req_time) || group_id || x'00' || user_id) > merged.key ORDER BY 1 LIMIT 1 OFFSET 0)
    ELSE (SELECT ((30000000000 + handle_result) || (20000000000000000 - req_time) || group_id || x'00' || user_id) FROM im_admin_listed_group_requests INDEXED BY im_admin_group_requests_by_result_in_order WHERE group_id = owner AND ((30000000000 + handle_result) || (20000000000000000 - req_time) || group_id || x'00' || user_id) > merged.key ORDER BY 1 LIMIT 1 OFFSET 0) END FROM merged WHERE key IS NOT NULL
  ORDER BY 3
),
found AS MATERIALIZED (
  SELECT * FROM merged WHERE key IS NOT NULL AND key < (SELECT max(value ->> 1) FROM json_each((SELECT ranges FROM request)))
    LIMIT (SELECT CASE WHEN skip < (SELECT coalesce(sum(total), 0) FROM ranges) THEN size ELSE 0 END FROM request)
    OFFSET (SELECT coalesce(further, 0) FROM start)
)
SELECT (SELECT coalesce(sum(total), 0) FROM ranges) AS total, (
  SELECT CAST(coalesce('[' || group_concat(json_object(
    'userInfo', json(coalesce(
      (SELECT json_object(
        'userID', entry.user_id,
        'nickname', found.nickname,
        'faceURL', found.face_url,
        'ex', found.ex
      )
        FROM im_admin_users found WHERE found.user_id = entry.user_id),
      json_object(
        'userID', entry.user_id,
        'nickname', '',
        'faceURL', '',
        'ex', ''
      ))),
      'groupInfo', json(coalesce(
        (SELECT json_object(
          'groupID', entry.group_id,
          'groupName', found.group_name,
          'notification', found.notification,
          'introduction', found.introduction,
          'faceURL', found.face_url,
          'ownerUserID', coalesce((
            SELECT user_id FROM im_admin_listed_group_members INDEXED BY im_admin_group_members_in_order
              WHERE group_id = entry.group_id AND ((2000 - role_level) || (20000000000000000 + join_time) || user_id) >= '1900' AND ((2000 - role_level) || (20000000000000000 + join_time) || user_id) < '1901' ORDER BY ((2000 - role_level) || (20000000000000000 + join_time) || user_id) LIMIT 1), ''),
              'createTime', found.create_time,
              'memberCount', coalesce(
                (SELECT total FROM im_admin_lists WHERE name = 'groupMembers' AND owner = entry.group_id),
                (SELECT count(*) FROM im_admin_listed_group_members INDEXED BY im_admin_group_members_in_order WHERE group_id = entry.group_id)),
                'ex', found.ex,
                'status', found.status,
                'creatorUserID', found.creator_user_id,
                'groupType', found.group_type,
                'needVerification', found.need_verification,
                'lookMemberInfo', found.look_member_info,
                'applyMemberFriend', found.apply_member_friend,
                'notificationUpdateTime', found.notification_update_time,
                'notificationUserID', found.notification_user_id
        )
          FROM im_admin_groups found WHERE found.group_id = entry.group_id),
        json_object(
          'groupID', entry.group_id,
          'groupName', '',
          'notification', '',
          'introduction', '',
          'faceURL', '',
          'ownerUserID', coalesce((
            SELECT user_id FROM im_admin_listed_group_members INDEXED BY im_admin_group_members_in_order
              WHERE group_id = entry.group_id AND ((2000 - role_level) || (20000000000000000 + join_time) || user_id) >= '1900' AND ((2000 - role_level) || (20000000000000000 + join_time) || user_id) < '1901' ORDER BY ((2000 - role_level) || (20000000000000000 + join_time) || user_id) LIMIT 1), ''),
              'createTime', 0,
              'memberCount', coalesce(
                (SELECT total FROM im_admin_lists WHERE name = 'groupMembers' AND owner = entry.group_id),
                (SELECT count(*) FROM im_admin_listed_group_members INDEXED BY im_admin_group_members_in_order WHERE group_id = entry.group_id)),
                'ex', '',
                'status', 0,
                'creatorUserID', '',
                'groupType', 0,
                'needVerification', 0,
                'lookMemberInfo', 0,
                'applyMemberFriend', 0,
                'notificationUpdateTime', 0,
                'notificationUserID', ''
        ))),
        'handleResult', entry.handle_result,
        'reqMsg', entry.req_msg,
        'handleMsg', entry.handle_msg,
        'reqTime', entry.req_time,
        'handleUserID', entry.handle_user_id,
        'handleTime', entry.handle_time,
        'ex', entry.ex,
        'joinSource', entry.join_source,
        'inviterUserID', entry.inviter_user_id
  ), ',' ORDER BY place.key) || ']', '[]') AS BLOB) FROM (
    SELECT CAST(substr(key, 29, separator - 29) AS TEXT) AS group_id,
        CAST(substr(key, separator + 1) AS TEXT) AS user_id, key
      FROM (SELECT CAST(key AS BLOB) AS key, instr(CAST(key AS BLOB), x'00') AS separator FROM found)
  ) place
  CROSS JOIN im_admin_group_requests entry ON entry.group_id = place.group_id AND entry.user_id = place.user_id
) AS items
FROM request WHERE EXISTS (SELECT 1 FROM im_admin_users WHERE user_id = request.owner);

-- received join requests with several results

WITH RECURSIVE request (owner, skip, size, ranges, results) AS MATERIALIZED (VALUES (?, ?, ?, ?, ?)),
list AS MATERIALIZED (
  SELECT im_admin_lists.id, im_admin_lists.total, im_admin_lists.height FROM request
    CROSS JOIN im_admin_lists ON im_admin_lists.name = 'receivedGroupRequestsByResult' AND im_admin_lists.owner = request.owner
),
descent (is_copies, owner, list, range, bound, level, start, rank) AS (
  SELECT is_copies, asked.owner, asked.id, range.key, bound.value, coalesce(height, 0) + 1, '', 0 FROM (SELECT * FROM (
    SELECT true AS is_copies, request.owner, list.id, coalesce(list.height, 0) AS height, coalesce(
      (SELECT total FROM list),
      (SELECT count(*) FROM im_admin_listed_received_group_requests INDEXED BY im_admin_received_group_requests_by_result_in_order
        WHERE manager_user_id = (SELECT owner FROM request))
    ) AS length
      FROM request LEFT JOIN list
    UNION ALL
    SELECT false, shared.owner, shared.id, shared.height, shared.total FROM request
      CROSS JOIN im_admin_listed_group_members member INDEXED BY im_admin_managed_groups_in_order
        ON member.user_id = request.owner AND member.role_level IN (60, 100)
      CROSS JOIN im_admin_lists shared ON shared.name = 'groupRequestsByResult' AND shared.owner = member.group_id
  ) WHERE length > 0) asked
    CROSS JOIN request CROSS JOIN json_each(request.ranges) range CROSS JOIN json_each(range.value) bound
  UNION ALL
  SELECT is_copies, owner, list, range, bound, level - 1, (SELECT max(start) FROM im_admin_list_nodes node
    WHERE node.list = descent.list AND node.level = descent.level - 1 AND node.start <= bound),
    rank + (SELECT coalesce(sum(total), 0) FROM im_admin_list_nodes passed
      WHERE passed.list = descent.list AND passed.level = descent.level - 1
        AND passed.start >= descent.start AND passed.start < (SELECT max(start) FROM im_admin_list_nodes node
          WHERE node.list = descent.list AND node.level = descent.level - 1 AND node.start <= bound))
    FROM descent WHERE level > 1
),
ranks (range, rank) AS MATERIALIZED (
  SELECT range, sum(rank + CASE WHEN is_copies
    THEN (SELECT count(*) FROM im_admin_listed_received_group_requests INDEXED BY im_admin_received_group_requests_by_result_in_order WHERE manager_user_id = owner AND ((30000000000 + handle_result) || (20000000000000000 - req_time) || group_id || x'00' || user_id) >= descent.start AND ((30000000000 + handle_result) || (20000000000000000 - req_time) || group_id || x'00' || user_id) < descent.bound)
    ELSE (SELECT count(*) FROM im_admin_listed_group_requests INDEXED BY im_admin_group_requests_by_result_in_order WHERE group_id = owner AND ((30000000000 + handle_result) || (20000000000000000 - req_time) || group_id || x'00' || user_id) >= descent.start AND ((30000000000 + handle_result) || (20000000000000000 - req_time) || group_id || x'00' || user_id) < descent.bound) END)
    FROM descent WHERE +level = 1 GROUP BY range, bound
),
ranges AS MATERIALIZED (
  SELECT min(rank) AS rank, max(rank) - min(rank) AS total FROM ranks GROUP BY range
),
sources (is_copies, owner, id, height, total) AS MATERIALIZED (
  SELECT * FROM (
    SELECT true AS is_copies, request.owner, list.id, coalesce(list.height, 0) AS height, coalesce(
      (SELECT total FROM list),
      (SELECT count(*) FROM im_admin_listed_received_group_requests INDEXED BY im_admin_received_group_requests_in_order
        WHERE manager_user_id = (SELECT owner FROM request))
    ) AS length
      FROM request LEFT JOIN list
    UNION ALL
    SELECT false, shared.owner, shared.id, shared.height, shared.total FROM request
      CROSS JOIN im_admin_listed_group_members member INDEXED BY im_admin_managed_groups_in_order
        ON member.user_id = request.owner AND member.role_level IN (60, 100)
      CROSS JOIN im_admin_lists shared ON shared.name = 'groupRequests' AND shared.owner = member.group_id
  ) WHERE length > 0
),
target (skip) AS MATERIALIZED (SELECT 0 FROM request),
roughly AS MATERIALIZED (
  SELECT skip, max(start) FILTER (WHERE before <= skip) AS low,
      coalesce(min(stop) FILTER (WHERE through > skip), x'') AS high
    FROM (
      SELECT *, coalesce(sum(total) OVER (ORDER BY start ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before, sum(total) OVER (ORDER BY stop) AS through FROM (
        SELECT skip, coalesce(node.start, '') AS start, coalesce(node.total, sources.total) AS total,
            lead(node.start, 1, x'') OVER (PARTITION BY is_copies, owner ORDER BY node.start) AS stop
          FROM target CROSS JOIN sources LEFT JOIN im_admin_list_nodes node
            ON node.list = CASE WHEN skip > 0 THEN id END AND node.level = 2
      )
    )
),
exactly AS MATERIALIZED (
  SELECT skip, max(start) FILTER (WHERE before <= skip) AS low FROM (
    SELECT *, coalesce(sum(total) OVER (ORDER BY start ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before FROM (
      SELECT skip, coalesce(node.start, '') AS start,
          coalesce(node.total, sources.total) + CASE WHEN node.start = large THEN (SELECT coalesce(sum(total), 0) FROM im_admin_list_nodes node
            WHERE node.list = id AND node.level = 2 AND node.start < large) ELSE 0 END AS total
        FROM (SELECT *, coalesce((SELECT max(start) FROM im_admin_list_nodes above
          WHERE above.list = id AND above.level = 2 AND above.start <= low), '') AS large FROM roughly CROSS JOIN sources) sources
          LEFT JOIN im_admin_list_nodes node
            ON node.list = CASE WHEN skip > 0 THEN id END AND node.level = 1 AND node.start >= large AND node.start < high
    )
  )
),
start (low, skipped, further) AS MATERIALIZED (
  SELECT CASE WHEN skip > 0 THEN low ELSE '' END, left * is_single, left * (NOT is_single) + (SELECT skip FROM request) FROM (
    SELECT skip, low, count(*) = 1 AS is_single, skip - sum(
        (SELECT coalesce(sum(total), 0) FROM im_admin_list_nodes node
          WHERE node.list = id AND node.level = 2 AND node.start < large)
          + (SELECT coalesce(sum(total), 0) FROM im_admin_list_nodes node
            WHERE node.list = id AND node.level = 1 AND node.start >= large AND node.start < leaf)
          + CASE WHEN is_copies
            THEN (SELECT count(*) FROM im_admin_listed_received_group_requests INDEXED BY im_admin_received_group_requests_in_order WHERE manager_user_id = owner AND ((20000000000000000 - req_time) || group_id || x'00' || user_id) >= leaf AND ((20000000000000000 - req_time) || group_id || x'00' || user_id) < low)
            ELSE (SELECT count(*) FROM im_admin_listed_group_requests INDEXED BY im_admin_group_requests_in_order WHERE group_id = owner AND ((20000000000000000 - req_time) || group_id || x'00' || user_id) >= leaf AND ((20000000000000000 - req_time) || group_id || x'00' || user_id) < low) END) AS left
      FROM (SELECT *, coalesce((SELECT max(start) FROM im_admin_list_nodes above
        WHERE above.list = id AND above.level = 2 AND above.start <= low), '') AS large, coalesce((SELECT max(start) FROM im_admin_list_nodes above
          WHERE above.list = id AND above.level = 1 AND above.start <= low), '') AS leaf FROM exactly CROSS JOIN sources)
  )
),
merged (is_copies, owner, key) AS (
  SELECT is_copies, owner, CASE WHEN is_copies
    THEN (SELECT ((20000000000000000 - req_time) || group_id || x'00' || user_id) FROM im_admin_listed_received_group_requests INDEXED BY im_admin_received_group_requests_in_order WHERE manager_user_id = owner AND ((20000000000000000 - req_time) || group_id || x'00' || user_id) >= low ORDER BY 1 LIMIT 1 OFFSET (SELECT skipped FROM start))
    ELSE (SELECT ((20000000000000000 - req_time) || group_id || x'00' || user_id) FROM im_admin_listed_group_requests INDEXED BY im_admin_group_requests_in_order WHERE group_id = owner AND ((20000000000000000 - req_time) || group_id || x'00' || user_id) >= low ORDER BY 1 LIMIT 1 OFFSET (SELECT skipped FROM start)) END FROM start CROSS JOIN sources
  UNION ALL
  SELECT is_copies, owner, CASE WHEN is_copies
    THEN (SELECT ((20000000000000000 - req_time) || group_id || x'00' || user_id) FROM im_admin_listed_received_group_requests INDEXED BY im_admin_received_group_requests_in_order WHERE manager_user_id = owner AND ((20000000000000000 - req_time) || group_id || x'00' || user_id) > merged.key ORDER BY 1 LIMIT 1 OFFSET 0)
    ELSE (SELECT ((20000000000000000 - req_time) || group_id || x'00' || user_id) FROM im_admin_listed_group_requests INDEXED BY im_admin_group_requests_in_order WHERE group_id = owner AND ((20000000000000000 - req_time) || group_id || x'00' || user_id) > merged.key ORDER BY 1 LIMIT 1 OFFSET 0) END FROM merged WHERE key IS NOT NULL
  ORDER BY 3
),
found AS MATERIALIZED (
  SELECT * FROM merged WHERE key IS NOT NULL AND CASE WHEN is_copies
    THEN (SELECT handle_result FROM im_admin_listed_received_group_requests INDEXED BY im_admin_received_group_requests_in_order WHERE manager_user_id = owner AND ((20000000000000000 - req_time) || group_id || x'00' || user_id) = key)
    ELSE (SELECT handle_result FROM im_admin_listed_group_requests INDEXED BY im_admin_group_requests_in_order WHERE group_id = owner AND ((20000000000000000 - req_time) || group_id || x'00' || user_id) = key) END
    IN (SELECT value FROM json_each((SELECT results FROM request)))
    LIMIT (SELECT CASE WHEN skip < (SELECT coalesce(sum(total), 0) FROM ranges) THEN size ELSE 0 END FROM request)
    OFFSET (SELECT coalesce(further, 0) FROM start)
)
SELECT (SELECT coalesce(sum(total), 0) FROM ranges) AS total, (
  SELECT CAST(coalesce('[' || group_concat(json_object(
    'userInfo', json(coalesce(
      (SELECT json_object(
        'userID', entry.user_id,
        'nickname', found.nickname,
        'faceURL', found.face_url,
        'ex', found.ex
      )
        FROM im_admin_users found WHERE found.user_id = entry.user_id),
      json_object(
        'userID', entry.user_id,
        'nickname', '',
        'faceURL', '',
        'ex', ''
      ))),
      'groupInfo', json(coalesce(
        (SELECT json_object(
          'groupID', entry.group_id,
          'groupName', found.group_name,
          'notification', found.notification,
          'introduction', found.introduction,
          'faceURL', found.face_url,
          'ownerUserID', coalesce((
            SELECT user_id FROM im_admin_listed_group_members INDEXED BY im_admin_group_members_in_order
              WHERE group_id = entry.group_id AND ((2000 - role_level) || (20000000000000000 + join_time) || user_id) >= '1900' AND ((2000 - role_level) || (20000000000000000 + join_time) || user_id) < '1901' ORDER BY ((2000 - role_level) || (20000000000000000 + join_time) || user_id) LIMIT 1), ''),
              'createTime', found.create_time,
              'memberCount', coalesce(
                (SELECT total FROM im_admin_lists WHERE name = 'groupMembers' AND owner = entry.group_id),
                (SELECT count(*) FROM im_admin_listed_group_members INDEXED BY im_admin_group_members_in_order WHERE group_id = entry.group_id)),
                'ex', found.ex,
                'status', found.status,
                'creatorUserID', found.creator_user_id,
                'groupType', found.group_type,
                'needVerification', found.need_verification,
                'lookMemberInfo', found.look_member_info,
                'applyMemberFriend', found.apply_member_friend,
                'notificationUpdateTime', found.notification_update_time,
                'notificationUserID', found.notification_user_id
        )
          FROM im_admin_groups found WHERE found.group_id = entry.group_id),
        json_object(
          'groupID', entry.group_id,
          'groupName', '',
          'notification', '',
          'introduction', '',
          'faceURL', '',
          'ownerUserID', coalesce((
            SELECT user_id FROM im_admin_listed_group_members INDEXED BY im_admin_group_members_in_order
              WHERE group_id = entry.group_id AND ((2000 - role_level) || (20000000000000000 + join_time) || user_id) >= '1900' AND ((2000 - role_level) || (20000000000000000 + join_time) || user_id) < '1901' ORDER BY ((2000 - role_level) || (20000000000000000 + join_time) || user_id) LIMIT 1), ''),
              'createTime', 0,
              'memberCount', coalesce(
                (SELECT total FROM im_admin_lists WHERE name = 'groupMembers' AND owner = entry.group_id),
                (SELECT count(*) FROM im_admin_listed_group_members INDEXED BY im_admin_group_members_in_order WHERE group_id = entry.group_id)),
                'ex', '',
                'status', 0,
                'creatorUserID', '',
                'groupType', 0,
                'needVerification', 0,
                'lookMemberInfo', 0,
                'applyMemberFriend', 0,
                'notificationUpdateTime', 0,
                'notificationUserID', ''
        ))),
        'handleResult', entry.handle_result,
        'reqMsg', entry.req_msg,
        'handleMsg', entry.handle_msg,
        'reqTime', entry.req_time,
        'handleUserID', entry.handle_user_id,
        'handleTime', entry.handle_time,
        'ex', entry.ex,
        'joinSource', entry.join_source,
        'inviterUserID', entry.inviter_user_id
  ), ',' ORDER BY place.key) || ']', '[]') AS BLOB) FROM (
    SELECT CAST(substr(key, 18, separator - 18) AS TEXT) AS group_id,
        CAST(substr(key, separator + 1) AS TEXT) AS user_id, key
      FROM (SELECT CAST(key AS BLOB) AS key, instr(CAST(key AS BLOB), x'00') AS separator FROM found)
  ) place
  CROSS JOIN im_admin_group_requests entry ON entry.group_id = place.group_id AND entry.user_id = place.user_id
) AS items
FROM request WHERE EXISTS (SELECT 1 FROM im_admin_users WHERE user_id = request.owner);

-- notification accounts

WITH RECURSIVE request (owner, skip, size) AS MATERIALIZED (VALUES (?, ?, ?)),
list AS MATERIALIZED (
  SELECT im_admin_lists.id, im_admin_lists.total, im_admin_lists.height FROM request
    CROSS JOIN im_admin_lists ON im_admin_lists.name = 'notificationAccounts' AND im_admin_lists.owner = request.owner
),
seek (list, level, start, skip) AS (
  SELECT list.id, coalesce(list.height * ((SELECT skip FROM request) > 0), 0), '', (SELECT skip FROM request) FROM request LEFT JOIN list
  UNION ALL
  SELECT seek.list, seek.level - (seek.skip < node.total),
    CASE WHEN seek.skip < node.total THEN seek.start ELSE (
      SELECT start FROM im_admin_list_nodes following
        WHERE following.list = seek.list AND following.level = seek.level AND following.start > seek.start
        ORDER BY start LIMIT 1) END,
    CASE WHEN seek.skip < node.total THEN seek.skip ELSE seek.skip - node.total END
  FROM seek CROSS JOIN im_admin_list_nodes node
    ON node.list = seek.list AND node.level = seek.level AND node.start = seek.start
  WHERE seek.level > 0
),
leaf AS MATERIALIZED (SELECT start, skip FROM seek WHERE +level = 0 AND skip IS NOT NULL)
SELECT coalesce(
  (SELECT total FROM list),
  (SELECT count(*) FROM im_admin_listed_users INDEXED BY im_admin_notification_accounts_in_order
    WHERE true)
) AS total, (
  SELECT CAST(coalesce('[' || group_concat(json_object(
    'userID', entry.user_id,
    'faceURL', entry.face_url,
    'nickName', entry.nickname
  ), ',' ORDER BY place.key) || ']', '[]') AS BLOB) FROM (
    SELECT user_id, ('' || user_id) AS key
      FROM im_admin_listed_users INDEXED BY im_admin_notification_accounts_in_order
        WHERE true
        AND ('' || user_id) >= (SELECT start FROM leaf)
      ORDER BY ('' || user_id)
      LIMIT (SELECT size FROM request) OFFSET coalesce((SELECT skip FROM leaf), 0)
  ) place
  CROSS JOIN im_admin_users entry ON entry.user_id = place.user_id
) AS items
FROM request WHERE true;

-- notification accounts with a keyword

WITH RECURSIVE request (skip, size, level, pattern, literal) AS MATERIALIZED (VALUES (?, ?, ?, ?, ?))
SELECT (SELECT count(*) FROM im_admin_listed_users INDEXED BY im_admin_notification_accounts_in_order
  WHERE true AND ((SELECT level FROM request) IS NULL OR app_manger_level = (SELECT level FROM request))
  AND (user_id LIKE (SELECT pattern FROM request) ESCAPE '\'
    AND ((SELECT literal FROM request) IS NULL OR instr(lower(user_id), (SELECT literal FROM request)) > 0)
    OR nickname LIKE (SELECT pattern FROM request) ESCAPE '\'
      AND ((SELECT literal FROM request) IS NULL OR instr(lower(nickname), (SELECT literal FROM request)) > 0))) AS total, (
  SELECT CAST(coalesce('[' || group_concat(json_object(
    'userID', entry.user_id,
    'faceURL', entry.face_url,
    'nickName', entry.nickname
  ), ',' ORDER BY place.key) || ']', '[]') AS BLOB) FROM (
    SELECT user_id, ('' || user_id) AS key FROM im_admin_listed_users INDEXED BY im_admin_notification_accounts_in_order
      WHERE true AND ((SELECT level FROM request) IS NULL OR app_manger_level = (SELECT level FROM request))
      AND (user_id LIKE (SELECT pattern FROM request) ESCAPE '\'
        AND ((SELECT literal FROM request) IS NULL OR instr(lower(user_id), (SELECT literal FROM request)) > 0)
        OR nickname LIKE (SELECT pattern FROM request) ESCAPE '\'
          AND ((SELECT literal FROM request) IS NULL OR instr(lower(nickname), (SELECT literal FROM request)) > 0))
      ORDER BY ('' || user_id) LIMIT (SELECT size FROM request) OFFSET (SELECT skip FROM request)
  ) place
  CROSS JOIN im_admin_users entry ON entry.user_id = place.user_id
) AS items
FROM request WHERE true;

-- notification accounts of a level

WITH RECURSIVE request (owner, skip, size, ranges) AS MATERIALIZED (VALUES (?, ?, ?, ?)),
list AS MATERIALIZED (
  SELECT im_admin_lists.id, im_admin_lists.total, im_admin_lists.height FROM request
    CROSS JOIN im_admin_lists ON im_admin_lists.name = 'notificationAccountsByLevel' AND im_admin_lists.owner = request.owner
),
descent (is_copies, owner, list, range, bound, level, start, rank) AS (
  SELECT is_copies, asked.owner, asked.id, range.key, bound.value, coalesce(height, 0) + 1, '', 0 FROM (SELECT true AS is_copies, request.owner, list.id, list.height FROM request LEFT JOIN list) asked
    CROSS JOIN request CROSS JOIN json_each(request.ranges) range CROSS JOIN json_each(range.value) bound
  UNION ALL
  SELECT is_copies, owner, list, range, bound, level - 1, (SELECT max(start) FROM im_admin_list_nodes node
    WHERE node.list = descent.list AND node.level = descent.level - 1 AND node.start <= bound),
    rank + (SELECT coalesce(sum(total), 0) FROM im_admin_list_nodes passed
      WHERE passed.list = descent.list AND passed.level = descent.level - 1
        AND passed.start >= descent.start AND passed.start < (SELECT max(start) FROM im_admin_list_nodes node
          WHERE node.list = descent.list AND node.level = descent.level - 1 AND node.start <= bound))
    FROM descent WHERE level > 1
),
ranks (range, rank) AS MATERIALIZED (
  SELECT range, sum(rank + (SELECT count(*) FROM im_admin_listed_users INDEXED BY im_admin_notification_accounts_by_level_in_order
    WHERE true AND ((30000000000 + app_manger_level) || user_id) >= descent.start AND ((30000000000 + app_manger_level) || user_id) < descent.bound))
    FROM descent WHERE +level = 1 GROUP BY range, bound
),
ranges AS MATERIALIZED (
  SELECT min(rank) AS rank, max(rank) - min(rank) AS total FROM ranks GROUP BY range
),
seek (list, level, start, skip) AS (
  SELECT list.id, coalesce(list.height * ((SELECT rank + left FROM (
    SELECT rank, total, (SELECT skip FROM request) - sum(total) OVER (ORDER BY rank) + total AS left
      FROM ranges WHERE total > 0
  ) WHERE left >= 0 AND left < total) > 0), 0), '', (SELECT rank + left FROM (
    SELECT rank, total, (SELECT skip FROM request) - sum(total) OVER (ORDER BY rank) + total AS left
      FROM ranges WHERE total > 0
  ) WHERE left >= 0 AND left < total) FROM request LEFT JOIN list
  UNION ALL
  SELECT seek.list, seek.level - (seek.skip < node.total),
    CASE WHEN seek.skip < node.total THEN seek.start ELSE (
      SELECT start FROM im_admin_list_nodes following
        WHERE following.list = seek.list AND following.level = seek.level AND following.start > seek.start
        ORDER BY start LIMIT 1) END,
    CASE WHEN seek.skip < node.total THEN seek.skip ELSE seek.skip - node.total END
  FROM seek CROSS JOIN im_admin_list_nodes node
    ON node.list = seek.list AND node.level = seek.level AND node.start = seek.start
  WHERE seek.level > 0
),
leaf AS MATERIALIZED (SELECT start, skip FROM seek WHERE +level = 0 AND skip IS NOT NULL)
SELECT (SELECT coalesce(sum(total), 0) FROM ranges) AS total, (
  SELECT CAST(coalesce('[' || group_concat(json_object(
    'userID', entry.user_id,
    'faceURL', entry.face_url,
    'nickName', entry.nickname
  ), ',' ORDER BY place.key) || ']', '[]') AS BLOB) FROM (
    SELECT user_id, ((30000000000 + app_manger_level) || user_id) AS key
      FROM im_admin_listed_users INDEXED BY im_admin_notification_accounts_by_level_in_order
        WHERE true
        AND ((30000000000 + app_manger_level) || user_id) >= (
          SELECT ((30000000000 + app_manger_level) || user_id) FROM im_admin_listed_users INDEXED BY im_admin_notification_accounts_by_level_in_order
            WHERE true
              AND ((30000000000 + app_manger_level) || user_id) >= (SELECT start FROM leaf)
            ORDER BY ((30000000000 + app_manger_level) || user_id)
            LIMIT 1 OFFSET coalesce((SELECT skip FROM leaf), 0))
        AND ((30000000000 + app_manger_level) || user_id) < (SELECT max(value ->> 1) FROM json_each((SELECT ranges FROM request)))
        AND substr(((30000000000 + app_manger_level) || user_id), 1, 11) IN (
            SELECT value ->> 0 FROM json_each((SELECT ranges FROM request)))
      ORDER BY ((30000000000 + app_manger_level) || user_id)
      LIMIT (SELECT size FROM request)
  ) place
  CROSS JOIN im_admin_users entry ON entry.user_id = place.user_id
) AS items
FROM request WHERE true;

-- set conversations

WITH request (conversation_id, conversation_type, user_id, group_id, recv_msg_opt, attached_info, is_pinned, is_private_chat, ex, burn_duration, min_seq, max_seq, group_at_type, msg_destruct_time, is_msg_destruct)
  AS (VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)),
arrays (user_ids) AS (VALUES (?)),
users (user_id) AS (SELECT value FROM arrays, json_each(user_ids)),
obstacles (outcome, id) AS (
  SELECT stored.group_id IS NOT NULL, request.group_id
    FROM request LEFT JOIN im_admin_groups stored ON stored.group_id = request.group_id
    WHERE request.conversation_type = 3 AND coalesce(stored.status, 2) = 2
  UNION ALL
  SELECT 2, user_id FROM (SELECT user_id FROM users UNION SELECT user_id FROM request WHERE conversation_type = 1) concerned
    WHERE NOT EXISTS (SELECT 1 FROM im_admin_users stored WHERE stored.user_id = concerned.user_id)
  UNION ALL
  SELECT 3, users.user_id FROM request CROSS JOIN users CROSS JOIN im_admin_conversations stored
    WHERE stored.owner_user_id = users.user_id AND stored.conversation_id = request.conversation_id
      AND (stored.conversation_type <> request.conversation_type OR stored.user_id <> request.user_id
        OR stored.group_id <> request.group_id)
)
SELECT outcome, id FROM obstacles WHERE outcome = (SELECT min(outcome) FROM obstacles);

WITH request (conversation_id, conversation_type, user_id, group_id, recv_msg_opt, attached_info, is_pinned, is_private_chat, ex, burn_duration, min_seq, max_seq, group_at_type, msg_destruct_time, is_msg_destruct)
  AS (VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)),
arrays (user_ids) AS (VALUES (?)),
users (user_id) AS (SELECT value FROM arrays, json_each(user_ids)),
obstacles (outcome, id) AS (
  SELECT stored.group_id IS NOT NULL, request.group_id
    FROM request LEFT JOIN im_admin_groups stored ON stored.group_id = request.group_id
    WHERE request.conversation_type = 3 AND coalesce(stored.status, 2) = 2
  UNION ALL
  SELECT 2, user_id FROM (SELECT user_id FROM users UNION SELECT user_id FROM request WHERE conversation_type = 1) concerned
    WHERE NOT EXISTS (SELECT 1 FROM im_admin_users stored WHERE stored.user_id = concerned.user_id)
  UNION ALL
  SELECT 3, users.user_id FROM request CROSS JOIN users CROSS JOIN im_admin_conversations stored
    WHERE stored.owner_user_id = users.user_id AND stored.conversation_id = request.conversation_id
      AND (stored.conversation_type <> request.conversation_type OR stored.user_id <> request.user_id
        OR stored.group_id <> request.group_id)
)
UPDATE im_admin_conversations SET recv_msg_opt = coalesce((SELECT recv_msg_opt FROM request), recv_msg_opt),
attached_info = coalesce((SELECT attached_info FROM request), attached_info),
is_pinned = coalesce((SELECT is_pinned FROM request), is_pinned),
is_private_chat = coalesce((SELECT is_private_chat FROM request), is_private_chat),
ex = coalesce((SELECT ex FROM request), ex),
burn_duration = coalesce((SELECT burn_duration FROM request), burn_duration),
min_seq = coalesce((SELECT min_seq FROM request), min_seq),
max_seq = coalesce((SELECT max_seq FROM request), max_seq),
group_at_type = coalesce((SELECT group_at_type FROM request), group_at_type),
msg_destruct_time = coalesce((SELECT msg_destruct_time FROM request), msg_destruct_time),
is_msg_destruct = coalesce((SELECT is_msg_destruct FROM request), is_msg_destruct)
  WHERE conversation_id = (SELECT conversation_id FROM request)
    AND owner_user_id IN (SELECT user_id FROM users)
    AND (recv_msg_opt <> (SELECT recv_msg_opt FROM request) OR attached_info <> (SELECT attached_info FROM request) OR is_pinned <> (SELECT is_pinned FROM request) OR is_private_chat <> (SELECT is_private_chat FROM request) OR ex <> (SELECT ex FROM request) OR burn_duration <> (SELECT burn_duration FROM request) OR min_seq <> (SELECT min_seq FROM request) OR max_seq <> (SELECT max_seq FROM request) OR group_at_type <> (SELECT group_at_type FROM request) OR msg_destruct_time <> (SELECT msg_destruct_time FROM request) OR is_msg_destruct <> (SELECT is_msg_destruct FROM request)) AND NOT EXISTS (SELECT 1 FROM obstacles)
RETURNING owner_user_id;

WITH request (conversation_id, conversation_type, user_id, group_id, recv_msg_opt, attached_info, is_pinned, is_private_chat, ex, burn_duration, min_seq, max_seq, group_at_type, msg_destruct_time, is_msg_destruct)
  AS (VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)),
arrays (user_ids) AS (VALUES (?)),
users (user_id) AS (SELECT value FROM arrays, json_each(user_ids)),
obstacles (outcome, id) AS (
  SELECT stored.group_id IS NOT NULL, request.group_id
    FROM request LEFT JOIN im_admin_groups stored ON stored.group_id = request.group_id
    WHERE request.conversation_type = 3 AND coalesce(stored.status, 2) = 2
  UNION ALL
  SELECT 2, user_id FROM (SELECT user_id FROM users UNION SELECT user_id FROM request WHERE conversation_type = 1) concerned
    WHERE NOT EXISTS (SELECT 1 FROM im_admin_users stored WHERE stored.user_id = concerned.user_id)
  UNION ALL
  SELECT 3, users.user_id FROM request CROSS JOIN users CROSS JOIN im_admin_conversations stored
    WHERE stored.owner_user_id = users.user_id AND stored.conversation_id = request.conversation_id
      AND (stored.conversation_type <> request.conversation_type OR stored.user_id <> request.user_id
        OR stored.group_id <> request.group_id)
)
INSERT INTO im_admin_conversations (owner_user_id, conversation_id, conversation_type, user_id, group_id, recv_msg_opt, attached_info, is_pinned, is_private_chat, ex, burn_duration, min_seq, max_seq, group_at_type, msg_destruct_time, is_msg_destruct)
  SELECT users.user_id, conversation_id, conversation_type, request.user_id, group_id, coalesce(recv_msg_opt, 0), coalesce(attached_info, ''), coalesce(is_pinned, 0), coalesce(is_private_chat, 0), coalesce(ex, ''), coalesce(burn_duration, 0), coalesce(min_seq, 0), coalesce(max_seq, 0), coalesce(group_at_type, 0), coalesce(msg_destruct_time, 0), coalesce(is_msg_destruct, 0)
  FROM request CROSS JOIN users
  WHERE NOT EXISTS (SELECT 1 FROM obstacles) AND NOT EXISTS (
    SELECT 1 FROM im_admin_conversations stored
      WHERE stored.owner_user_id = users.user_id AND stored.conversation_id = request.conversation_id)
RETURNING owner_user_id;

-- conversations

SELECT owner_user_id, conversation_id, conversation_type, user_id, group_id, recv_msg_opt, attached_info, is_pinned, is_private_chat, ex, burn_duration, min_seq, max_seq, group_at_type, msg_destruct_time, is_msg_destruct FROM im_admin_conversations WHERE owner_user_id = ? ORDER BY conversation_id;

-- put

INSERT INTO im_admin_blacks (owner_user_id, black_user_id, create_time, add_source, operator_user_id, ex)
  SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5 FROM json_each(?) WHERE true
  ON CONFLICT (owner_user_id, black_user_id) DO UPDATE SET create_time = excluded.create_time, add_source = excluded.add_source, operator_user_id = excluded.operator_user_id, ex = excluded.ex;

-- remove

DELETE FROM im_admin_group_members WHERE (group_id, user_id) IN (
  SELECT value ->> 0, value ->> 1 FROM json_each(?));
