-- group members

WITH RECURSIVE request (owner, skip, size) AS MATERIALIZED (VALUES (?, ?, ?)),
list AS MATERIALIZED (
  SELECT lists.id, lists.total, lists.height FROM request
    CROSS JOIN lists ON lists.name = 'groupMembers' AND lists.owner = request.owner
),
seek (list, level, start, skip) AS (
  SELECT list.id, coalesce(list.height * ((SELECT skip FROM request) > 0), 0), '', (SELECT skip FROM request) FROM request LEFT JOIN list
  UNION ALL
  SELECT seek.list, seek.level - (seek.skip < node.total),
    CASE WHEN seek.skip < node.total THEN seek.start ELSE (
      SELECT start FROM listNodes following
        WHERE following.list = seek.list AND following.level = seek.level AND following.start > seek.start
        ORDER BY start LIMIT 1) END,
    CASE WHEN seek.skip < node.total THEN seek.skip ELSE seek.skip - node.total END
  FROM seek CROSS JOIN listNodes node
    ON node.list = seek.list AND node.level = seek.level AND node.start = seek.start
  WHERE seek.level > 0
),
leaf AS MATERIALIZED (SELECT start, skip FROM seek WHERE +level = 0 AND skip IS NOT NULL)
SELECT coalesce(
  (SELECT total FROM list),
  (SELECT count(*) FROM groupMembers INDEXED BY groupMembersInOrder
    WHERE groupID = (SELECT owner FROM request))
) AS total, (
  SELECT CAST(json_group_array(json_object(
    'groupID', entry.groupID,
    'userID', entry.userID,
    'roleLevel', entry.roleLevel,
    'joinTime', entry.joinTime,
    'nickname', CASE entry.nickname WHEN '' THEN coalesce(profile.nickname, '') ELSE entry.nickname END,
    'faceURL', CASE entry.faceURL WHEN '' THEN coalesce(profile.faceURL, '') ELSE entry.faceURL END,
    'appMangerLevel', coalesce(profile.appMangerLevel, 0),
    'joinSource', entry.joinSource,
    'operatorUserID', entry.operatorUserID,
    'ex', entry.ex,
    'muteEndTime', entry.muteEndTime,
    'inviterUserID', entry.inviterUserID
  ) ORDER BY place.key) AS BLOB) FROM (
    SELECT id, ((2000 - roleLevel) || (20000000000000000 + joinTime) || userID) AS key
      FROM groupMembers INDEXED BY groupMembersInOrder
        WHERE groupID = (SELECT owner FROM request)
        AND ((2000 - roleLevel) || (20000000000000000 + joinTime) || userID) >= (SELECT start FROM leaf)
      ORDER BY ((2000 - roleLevel) || (20000000000000000 + joinTime) || userID)
      LIMIT (SELECT size FROM request) OFFSET coalesce((SELECT skip FROM leaf), 0)
  ) place
  CROSS JOIN groupMembers entry ON entry.id = place.id
  LEFT JOIN users profile ON profile.userID = entry.userID
) AS items
FROM request WHERE EXISTS (SELECT 1 FROM groups WHERE groupID = request.owner);

-- group members of some roles

WITH RECURSIVE request (owner, skip, size, ranges) AS MATERIALIZED (VALUES (?, ?, ?, ?)),
list AS MATERIALIZED (
  SELECT lists.id, lists.total, lists.height FROM request
    CROSS JOIN lists ON lists.name = 'groupMembers' AND lists.owner = request.owner
),
descent (list, range, bound, level, start, rank) AS (
  SELECT list.id, range.key, bound.value, coalesce(list.height, 0) + 1, '', 0 FROM request
    CROSS JOIN json_each(request.ranges) range CROSS JOIN json_each(range.value) bound LEFT JOIN list
  UNION ALL
  SELECT list, range, bound, level - 1, (SELECT max(start) FROM listNodes node
    WHERE node.list = descent.list AND node.level = descent.level - 1 AND node.start <= bound),
    rank + (SELECT coalesce(sum(total), 0) FROM listNodes passed
      WHERE passed.list = descent.list AND passed.level = descent.level - 1
        AND passed.start >= descent.start AND passed.start < (SELECT max(start) FROM listNodes node
          WHERE node.list = descent.list AND node.level = descent.level - 1 AND node.start <= bound))
    FROM descent WHERE level > 1
),
ranks (range, rank) AS MATERIALIZED (
  SELECT range, rank + (
    SELECT count(*) FROM groupMembers INDEXED BY groupMembersInOrder
      WHERE groupID = (SELECT owner FROM request)
      AND ((2000 - roleLevel) || (20000000000000000 + joinTime) || userID) >= descent.start
      AND ((2000 - roleLevel) || (20000000000000000 + joinTime) || userID) < descent.bound)
  FROM descent WHERE +level = 1
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
      SELECT start FROM listNodes following
        WHERE following.list = seek.list AND following.level = seek.level AND following.start > seek.start
        ORDER BY start LIMIT 1) END,
    CASE WHEN seek.skip < node.total THEN seek.skip ELSE seek.skip - node.total END
  FROM seek CROSS JOIN listNodes node
    ON node.list = seek.list AND node.level = seek.level AND node.start = seek.start
  WHERE seek.level > 0
),
leaf AS MATERIALIZED (SELECT start, skip FROM seek WHERE +level = 0 AND skip IS NOT NULL)
SELECT (SELECT coalesce(sum(total), 0) FROM ranges) AS total, (
  SELECT CAST(json_group_array(json_object(
    'groupID', entry.groupID,
    'userID', entry.userID,
    'roleLevel', entry.roleLevel,
    'joinTime', entry.joinTime,
    'nickname', CASE entry.nickname WHEN '' THEN coalesce(profile.nickname, '') ELSE entry.nickname END,
    'faceURL', CASE entry.faceURL WHEN '' THEN coalesce(profile.faceURL, '') ELSE entry.faceURL END,
    'appMangerLevel', coalesce(profile.appMangerLevel, 0),
    'joinSource', entry.joinSource,
    'operatorUserID', entry.operatorUserID,
    'ex', entry.ex,
    'muteEndTime', entry.muteEndTime,
    'inviterUserID', entry.inviterUserID
  ) ORDER BY place.key) AS BLOB) FROM (
    SELECT id, ((2000 - roleLevel) || (20000000000000000 + joinTime) || userID) AS key
      FROM groupMembers INDEXED BY groupMembersInOrder
        WHERE groupID = (SELECT owner FROM request)
        AND ((2000 - roleLevel) || (20000000000000000 + joinTime) || userID) >= (
          SELECT ((2000 - roleLevel) || (20000000000000000 + joinTime) || userID) FROM groupMembers INDEXED BY groupMembersInOrder
            WHERE groupID = (SELECT owner FROM request)
              AND ((2000 - roleLevel) || (20000000000000000 + joinTime) || userID) >= (SELECT start FROM leaf)
            ORDER BY ((2000 - roleLevel) || (20000000000000000 + joinTime) || userID)
            LIMIT 1 OFFSET coalesce((SELECT skip FROM leaf), 0))
        AND ((2000 - roleLevel) || (20000000000000000 + joinTime) || userID) < (SELECT max(value ->> 1) FROM json_each((SELECT ranges FROM request)))
        AND substr(((2000 - roleLevel) || (20000000000000000 + joinTime) || userID), 1, 4) IN (
            SELECT value ->> 0 FROM json_each((SELECT ranges FROM request)))
      ORDER BY ((2000 - roleLevel) || (20000000000000000 + joinTime) || userID)
      LIMIT (SELECT size FROM request)
  ) place
  CROSS JOIN groupMembers entry ON entry.id = place.id
  LEFT JOIN users profile ON profile.userID = entry.userID
) AS items
FROM request WHERE EXISTS (SELECT 1 FROM groups WHERE groupID = request.owner);

-- group members with a keyword

WITH request (owner, words, most) AS MATERIALIZED (VALUES (?, ?, ?)),
list AS MATERIALIZED (
  SELECT id, total FROM lists
    WHERE name = 'groupMembers' AND owner = (SELECT owner FROM request) AND hasDocuments
),
measured AS MATERIALIZED (
  SELECT word.value ->> 0 AS word, word.value ->> 1 AS match, (
    SELECT json_array(count(*), coalesce(max(id) - min(id), 0)) FROM (
      SELECT hit.rowid AS id FROM (SELECT word.value ->> 1 AS match) word CROSS JOIN documentGrams hit
        WHERE documentGrams MATCH word.match AND hit.rowid BETWEEN list.id * 4294967296 + 1 AND list.id * 4294967296 + 4294967295 LIMIT 500
    )) AS sample
  FROM list CROSS JOIN json_each((SELECT words FROM request)) word
),
sorted AS MATERIALIZED (
  SELECT word, match, sample ->> 0 AS found, sample ->> 1 AS span FROM measured ORDER BY 3, 4 DESC
)
SELECT list.id AS list, list.total,
  (SELECT json_group_array(json_object('word', word, 'found', found, 'span', span)) FROM sorted) AS words,
  (SELECT count(*) FROM (
    SELECT hit.rowid AS id FROM (SELECT match FROM sorted LIMIT 1) word CROSS JOIN documentGrams hit
      WHERE documentGrams MATCH word.match AND hit.rowid BETWEEN list.id * 4294967296 + 1 AND list.id * 4294967296 + 4294967295 LIMIT (SELECT most FROM request)
  )) AS candidates
FROM list;

WITH RECURSIVE request (owner, skip, size, ranges, pattern, literal) AS MATERIALIZED (VALUES (?, ?, ?, ?, ?, ?)),
hits AS MATERIALIZED (
  SELECT member.id, ((2000 - member.roleLevel) || (20000000000000000 + member.joinTime) || member.userID) AS key
    FROM groupMembers member INDEXED BY groupMembersInOrder
      LEFT JOIN users profile ON profile.userID = member.userID
    WHERE member.groupID = (SELECT owner FROM request)
      AND ((2000 - member.roleLevel) || (20000000000000000 + member.joinTime) || member.userID) >= coalesce((SELECT min(value ->> 0) FROM json_each((SELECT ranges FROM request))), '')
        AND ((2000 - member.roleLevel) || (20000000000000000 + member.joinTime) || member.userID) < coalesce((SELECT max(value ->> 1) FROM json_each((SELECT ranges FROM request))), x'')
        AND ((SELECT ranges FROM request) IS NULL OR substr(((2000 - member.roleLevel) || (20000000000000000 + member.joinTime) || member.userID), 1, 4) IN (
            SELECT value ->> 0 FROM json_each((SELECT ranges FROM request))))
        AND (member.userID LIKE (SELECT pattern FROM request) ESCAPE '\'
          AND ((SELECT literal FROM request) IS NULL OR instr(lower(member.userID), (SELECT literal FROM request)) > 0)
          OR CASE member.nickname WHEN '' THEN coalesce(profile.nickname, '') ELSE member.nickname END LIKE (SELECT pattern FROM request) ESCAPE '\'
            AND ((SELECT literal FROM request) IS NULL OR instr(lower(CASE member.nickname WHEN '' THEN coalesce(profile.nickname, '') ELSE member.nickname END), (SELECT literal FROM request)) > 0))
)
SELECT (SELECT count(*) FROM hits) AS total, (
  SELECT CAST(json_group_array(json_object(
    'groupID', entry.groupID,
    'userID', entry.userID,
    'roleLevel', entry.roleLevel,
    'joinTime', entry.joinTime,
    'nickname', CASE entry.nickname WHEN '' THEN coalesce(profile.nickname, '') ELSE entry.nickname END,
    'faceURL', CASE entry.faceURL WHEN '' THEN coalesce(profile.faceURL, '') ELSE entry.faceURL END,
    'appMangerLevel', coalesce(profile.appMangerLevel, 0),
    'joinSource', entry.joinSource,
    'operatorUserID', entry.operatorUserID,
    'ex', entry.ex,
    'muteEndTime', entry.muteEndTime,
    'inviterUserID', entry.inviterUserID
  ) ORDER BY place.key) AS BLOB) FROM (
    SELECT * FROM hits ORDER BY key LIMIT (SELECT size FROM request) OFFSET (SELECT skip FROM request)
  ) place
  CROSS JOIN groupMembers entry ON entry.id = place.id
  LEFT JOIN users profile ON profile.userID = entry.userID
) AS items
FROM request WHERE EXISTS (SELECT 1 FROM groups WHERE groupID = request.owner);

-- members of a large group with a short keyword

WITH request (owner, words, most) AS MATERIALIZED (VALUES (?, ?, ?)),
list AS MATERIALIZED (
  SELECT id, total FROM lists
    WHERE name = 'groupMembers' AND owner = (SELECT owner FROM request) AND hasDocuments
),
measured AS MATERIALIZED (
  SELECT word.value ->> 0 AS word, word.value ->> 1 AS match, (
    SELECT json_array(count(*), coalesce(max(id) - min(id), 0)) FROM (
      SELECT hit.rowid AS id FROM (SELECT word.value ->> 1 AS match) word CROSS JOIN documentGrams hit
        WHERE documentGrams MATCH word.match AND hit.rowid BETWEEN list.id * 4294967296 + 1 AND list.id * 4294967296 + 4294967295 LIMIT 500
    )) AS sample
  FROM list CROSS JOIN json_each((SELECT words FROM request)) word
),
sorted AS MATERIALIZED (
  SELECT word, match, sample ->> 0 AS found, sample ->> 1 AS span FROM measured ORDER BY 3, 4 DESC
)
SELECT list.id AS list, list.total,
  (SELECT json_group_array(json_object('word', word, 'found', found, 'span', span)) FROM sorted) AS words,
  (SELECT count(*) FROM (
    SELECT hit.rowid AS id FROM (SELECT match FROM sorted LIMIT 1) word CROSS JOIN documentGrams hit
      WHERE documentGrams MATCH word.match AND hit.rowid BETWEEN list.id * 4294967296 + 1 AND list.id * 4294967296 + 4294967295 LIMIT (SELECT most FROM request)
  )) AS candidates
FROM list;

WITH RECURSIVE request (owner, skip, size, ranges, pattern, literal, list, match, hasLineBreak) AS MATERIALIZED (VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)),
bounds (start) AS (
  SELECT ''
  UNION
  SELECT node.start FROM lists CROSS JOIN listNodes node ON node.list = lists.id
    WHERE lists.id = (SELECT list FROM request) AND node.level = max(1, lists.height - 2)
),
parts (start, end) AS MATERIALIZED (
  SELECT max(start, range.value ->> 0), min(following, coalesce(range.value ->> 1, x''))
    FROM (SELECT start, lead(start, 1, x'') OVER (ORDER BY start) AS following FROM bounds)
      CROSS JOIN json_each(coalesce((SELECT ranges FROM request), '[["", null]]')) range
    WHERE following > range.value ->> 0 AND start < coalesce(range.value ->> 1, x'')
),
counted (start, end, total) AS MATERIALIZED (
  SELECT start, end, (
    SELECT count(*) FROM documents document
      WHERE document.list = (SELECT list FROM request)
        AND (document.text LIKE (SELECT pattern FROM request) ESCAPE '\'
          AND ((SELECT literal FROM request) IS NULL OR instr(lower(document.text), (SELECT literal FROM request)) > 0))
        AND (NOT (SELECT hasLineBreak FROM request) OR EXISTS (
          SELECT 1 FROM groupMembers member LEFT JOIN users profile ON profile.userID = member.userID
            WHERE member.id = document.member AND (member.userID LIKE (SELECT pattern FROM request) ESCAPE '\'
              AND ((SELECT literal FROM request) IS NULL OR instr(lower(member.userID), (SELECT literal FROM request)) > 0)
              OR CASE member.nickname WHEN '' THEN coalesce(profile.nickname, '') ELSE member.nickname END LIKE (SELECT pattern FROM request) ESCAPE '\'
                AND ((SELECT literal FROM request) IS NULL OR instr(lower(CASE member.nickname WHEN '' THEN coalesce(profile.nickname, '') ELSE member.nickname END), (SELECT literal FROM request)) > 0)))) AND document.key >= start AND document.key < end
  ) FROM parts
),
around AS MATERIALIZED (
  SELECT start, end, rank FROM request
    CROSS JOIN (SELECT *, sum(total) OVER (ORDER BY start) - total AS rank FROM counted WHERE total > 0)
    WHERE rank < request.skip + request.size AND rank + total > request.skip
)
SELECT (SELECT coalesce(sum(total), 0) FROM counted) AS total, (
  SELECT CAST(json_group_array(json_object(
    'groupID', entry.groupID,
    'userID', entry.userID,
    'roleLevel', entry.roleLevel,
    'joinTime', entry.joinTime,
    'nickname', CASE entry.nickname WHEN '' THEN coalesce(profile.nickname, '') ELSE entry.nickname END,
    'faceURL', CASE entry.faceURL WHEN '' THEN coalesce(profile.faceURL, '') ELSE entry.faceURL END,
    'appMangerLevel', coalesce(profile.appMangerLevel, 0),
    'joinSource', entry.joinSource,
    'operatorUserID', entry.operatorUserID,
    'ex', entry.ex,
    'muteEndTime', entry.muteEndTime,
    'inviterUserID', entry.inviterUserID
  ) ORDER BY place.key) AS BLOB) FROM (
    SELECT document.member AS id, document.key
      FROM around CROSS JOIN documents document
        WHERE document.list = (SELECT list FROM request)
          AND (document.text LIKE (SELECT pattern FROM request) ESCAPE '\'
            AND ((SELECT literal FROM request) IS NULL OR instr(lower(document.text), (SELECT literal FROM request)) > 0))
          AND (NOT (SELECT hasLineBreak FROM request) OR EXISTS (
            SELECT 1 FROM groupMembers member LEFT JOIN users profile ON profile.userID = member.userID
              WHERE member.id = document.member AND (member.userID LIKE (SELECT pattern FROM request) ESCAPE '\'
                AND ((SELECT literal FROM request) IS NULL OR instr(lower(member.userID), (SELECT literal FROM request)) > 0)
                OR CASE member.nickname WHEN '' THEN coalesce(profile.nickname, '') ELSE member.nickname END LIKE (SELECT pattern FROM request) ESCAPE '\'
                  AND ((SELECT literal FROM request) IS NULL OR instr(lower(CASE member.nickname WHEN '' THEN coalesce(profile.nickname, '') ELSE member.nickname END), (SELECT literal FROM request)) > 0)))) AND document.key >= around.start AND document.key < around.end
      ORDER BY document.key
      LIMIT (SELECT size FROM request) OFFSET coalesce((SELECT (SELECT skip FROM request) - min(rank) FROM around), 0)
  ) place
  CROSS JOIN groupMembers entry ON entry.id = place.id
  LEFT JOIN users profile ON profile.userID = entry.userID
) AS items
FROM request WHERE EXISTS (SELECT 1 FROM groups WHERE groupID = request.owner) AND EXISTS (SELECT 1 FROM lists
  WHERE id = request.list AND name = 'groupMembers' AND owner = request.owner AND hasDocuments);

-- members of a large group with a long keyword

WITH request (owner, words, most) AS MATERIALIZED (VALUES (?, ?, ?)),
list AS MATERIALIZED (
  SELECT id, total FROM lists
    WHERE name = 'groupMembers' AND owner = (SELECT owner FROM request) AND hasDocuments
),
measured AS MATERIALIZED (
  SELECT word.value ->> 0 AS word, word.value ->> 1 AS match, (
    SELECT json_array(count(*), coalesce(max(id) - min(id), 0)) FROM (
      SELECT hit.rowid AS id FROM (SELECT word.value ->> 1 AS match) word CROSS JOIN documentTrigrams hit
        WHERE documentTrigrams MATCH word.match AND hit.rowid BETWEEN list.id * 4294967296 + 1 AND list.id * 4294967296 + 4294967295 LIMIT 500
    )) AS sample
  FROM list CROSS JOIN json_each((SELECT words FROM request)) word
),
sorted AS MATERIALIZED (
  SELECT word, match, sample ->> 0 AS found, sample ->> 1 AS span FROM measured ORDER BY 3, 4 DESC
)
SELECT list.id AS list, list.total,
  (SELECT json_group_array(json_object('word', word, 'found', found, 'span', span)) FROM sorted) AS words,
  (SELECT count(*) FROM (
    SELECT hit.rowid AS id FROM (SELECT match FROM sorted LIMIT 1) word CROSS JOIN documentTrigrams hit
      WHERE documentTrigrams MATCH word.match AND hit.rowid BETWEEN list.id * 4294967296 + 1 AND list.id * 4294967296 + 4294967295 LIMIT (SELECT most FROM request)
  )) AS candidates
FROM list;

WITH RECURSIVE request (owner, skip, size, ranges, pattern, literal, list, match, hasLineBreak) AS MATERIALIZED (VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)),
bounds (start) AS (
  SELECT ''
  UNION
  SELECT node.start FROM lists CROSS JOIN listNodes node ON node.list = lists.id
    WHERE lists.id = (SELECT list FROM request) AND node.level = max(1, lists.height - 2)
),
parts (start, end) AS MATERIALIZED (
  SELECT max(start, range.value ->> 0), min(following, coalesce(range.value ->> 1, x''))
    FROM (SELECT start, lead(start, 1, x'') OVER (ORDER BY start) AS following FROM bounds)
      CROSS JOIN json_each(coalesce((SELECT ranges FROM request), '[["", null]]')) range
    WHERE following > range.value ->> 0 AND start < coalesce(range.value ->> 1, x'')
),
counted (start, end, total) AS MATERIALIZED (
  SELECT start, end, (
    SELECT count(*) FROM documents document
      WHERE document.list = (SELECT list FROM request)
        AND (document.text LIKE (SELECT pattern FROM request) ESCAPE '\'
          AND ((SELECT literal FROM request) IS NULL OR instr(lower(document.text), (SELECT literal FROM request)) > 0))
        AND (NOT (SELECT hasLineBreak FROM request) OR EXISTS (
          SELECT 1 FROM groupMembers member LEFT JOIN users profile ON profile.userID = member.userID
            WHERE member.id = document.member AND (member.userID LIKE (SELECT pattern FROM request) ESCAPE '\'
              AND ((SELECT literal FROM request) IS NULL OR instr(lower(member.userID), (SELECT literal FROM request)) > 0)
              OR CASE member.nickname WHEN '' THEN coalesce(profile.nickname, '') ELSE member.nickname END LIKE (SELECT pattern FROM request) ESCAPE '\'
                AND ((SELECT literal FROM request) IS NULL OR instr(lower(CASE member.nickname WHEN '' THEN coalesce(profile.nickname, '') ELSE member.nickname END), (SELECT literal FROM request)) > 0)))) AND document.key >= start AND document.key < end
  ) FROM parts
),
around AS MATERIALIZED (
  SELECT start, end, rank FROM request
    CROSS JOIN (SELECT *, sum(total) OVER (ORDER BY start) - total AS rank FROM counted WHERE total > 0)
    WHERE rank < request.skip + request.size AND rank + total > request.skip
)
SELECT (SELECT coalesce(sum(total), 0) FROM counted) AS total, (
  SELECT CAST(json_group_array(json_object(
    'groupID', entry.groupID,
    'userID', entry.userID,
    'roleLevel', entry.roleLevel,
    'joinTime', entry.joinTime,
    'nickname', CASE entry.nickname WHEN '' THEN coalesce(profile.nickname, '') ELSE entry.nickname END,
    'faceURL', CASE entry.faceURL WHEN '' THEN coalesce(profile.faceURL, '') ELSE entry.faceURL END,
    'appMangerLevel', coalesce(profile.appMangerLevel, 0),
    'joinSource', entry.joinSource,
    'operatorUserID', entry.operatorUserID,
    'ex', entry.ex,
    'muteEndTime', entry.muteEndTime,
    'inviterUserID', entry.inviterUserID
  ) ORDER BY place.key) AS BLOB) FROM (
    SELECT document.member AS id, document.key
      FROM around CROSS JOIN documents document
        WHERE document.list = (SELECT list FROM request)
          AND (document.text LIKE (SELECT pattern FROM request) ESCAPE '\'
            AND ((SELECT literal FROM request) IS NULL OR instr(lower(document.text), (SELECT literal FROM request)) > 0))
          AND (NOT (SELECT hasLineBreak FROM request) OR EXISTS (
            SELECT 1 FROM groupMembers member LEFT JOIN users profile ON profile.userID = member.userID
              WHERE member.id = document.member AND (member.userID LIKE (SELECT pattern FROM request) ESCAPE '\'
                AND ((SELECT literal FROM request) IS NULL OR instr(lower(member.userID), (SELECT literal FROM request)) > 0)
                OR CASE member.nickname WHEN '' THEN coalesce(profile.nickname, '') ELSE member.nickname END LIKE (SELECT pattern FROM request) ESCAPE '\'
                  AND ((SELECT literal FROM request) IS NULL OR instr(lower(CASE member.nickname WHEN '' THEN coalesce(profile.nickname, '') ELSE member.nickname END), (SELECT literal FROM request)) > 0)))) AND document.key >= around.start AND document.key < around.end
      ORDER BY document.key
      LIMIT (SELECT size FROM request) OFFSET coalesce((SELECT (SELECT skip FROM request) - min(rank) FROM around), 0)
  ) place
  CROSS JOIN groupMembers entry ON entry.id = place.id
  LEFT JOIN users profile ON profile.userID = entry.userID
) AS items
FROM request WHERE EXISTS (SELECT 1 FROM groups WHERE groupID = request.owner) AND EXISTS (SELECT 1 FROM lists
  WHERE id = request.list AND name = 'groupMembers' AND owner = request.owner AND hasDocuments);

-- members of a large group with a Chinese keyword

WITH request (owner, words, most) AS MATERIALIZED (VALUES (?, ?, ?)),
list AS MATERIALIZED (
  SELECT id, total FROM lists
    WHERE name = 'groupMembers' AND owner = (SELECT owner FROM request) AND hasDocuments
),
measured AS MATERIALIZED (
  SELECT word.value ->> 0 AS word, word.value ->> 1 AS match, (
    SELECT json_array(count(*), coalesce(max(id) - min(id), 0)) FROM (
      SELECT hit.rowid AS id FROM (SELECT word.value ->> 1 AS match) word CROSS JOIN documentGrams hit
        WHERE documentGrams MATCH word.match AND hit.rowid BETWEEN list.id * 4294967296 + 1 AND list.id * 4294967296 + 4294967295 LIMIT 500
    )) AS sample
  FROM list CROSS JOIN json_each((SELECT words FROM request)) word
),
sorted AS MATERIALIZED (
  SELECT word, match, sample ->> 0 AS found, sample ->> 1 AS span FROM measured ORDER BY 3, 4 DESC
)
SELECT list.id AS list, list.total,
  (SELECT json_group_array(json_object('word', word, 'found', found, 'span', span)) FROM sorted) AS words,
  (SELECT count(*) FROM (
    SELECT hit.rowid AS id FROM (SELECT match FROM sorted LIMIT 1) word CROSS JOIN documentGrams hit
      WHERE documentGrams MATCH word.match AND hit.rowid BETWEEN list.id * 4294967296 + 1 AND list.id * 4294967296 + 4294967295 LIMIT (SELECT most FROM request)
  )) AS candidates
FROM list;

WITH RECURSIVE request (owner, skip, size, ranges, pattern, literal, list, match, hasLineBreak) AS MATERIALIZED (VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)),
bounds (start) AS (
  SELECT ''
  UNION
  SELECT node.start FROM lists CROSS JOIN listNodes node ON node.list = lists.id
    WHERE lists.id = (SELECT list FROM request) AND node.level = max(1, lists.height - 2)
),
parts (start, end) AS MATERIALIZED (
  SELECT max(start, range.value ->> 0), min(following, coalesce(range.value ->> 1, x''))
    FROM (SELECT start, lead(start, 1, x'') OVER (ORDER BY start) AS following FROM bounds)
      CROSS JOIN json_each(coalesce((SELECT ranges FROM request), '[["", null]]')) range
    WHERE following > range.value ->> 0 AND start < coalesce(range.value ->> 1, x'')
),
counted (start, end, total) AS MATERIALIZED (
  SELECT start, end, (
    SELECT count(*) FROM documents document
      WHERE document.list = (SELECT list FROM request)
        AND (document.text LIKE (SELECT pattern FROM request) ESCAPE '\'
          AND ((SELECT literal FROM request) IS NULL OR instr(lower(document.text), (SELECT literal FROM request)) > 0))
        AND (NOT (SELECT hasLineBreak FROM request) OR EXISTS (
          SELECT 1 FROM groupMembers member LEFT JOIN users profile ON profile.userID = member.userID
            WHERE member.id = document.member AND (member.userID LIKE (SELECT pattern FROM request) ESCAPE '\'
              AND ((SELECT literal FROM request) IS NULL OR instr(lower(member.userID), (SELECT literal FROM request)) > 0)
              OR CASE member.nickname WHEN '' THEN coalesce(profile.nickname, '') ELSE member.nickname END LIKE (SELECT pattern FROM request) ESCAPE '\'
                AND ((SELECT literal FROM request) IS NULL OR instr(lower(CASE member.nickname WHEN '' THEN coalesce(profile.nickname, '') ELSE member.nickname END), (SELECT literal FROM request)) > 0)))) AND document.key >= start AND document.key < end
  ) FROM parts
),
around AS MATERIALIZED (
  SELECT start, end, rank FROM request
    CROSS JOIN (SELECT *, sum(total) OVER (ORDER BY start) - total AS rank FROM counted WHERE total > 0)
    WHERE rank < request.skip + request.size AND rank + total > request.skip
)
SELECT (SELECT coalesce(sum(total), 0) FROM counted) AS total, (
  SELECT CAST(json_group_array(json_object(
    'groupID', entry.groupID,
    'userID', entry.userID,
    'roleLevel', entry.roleLevel,
    'joinTime', entry.joinTime,
    'nickname', CASE entry.nickname WHEN '' THEN coalesce(profile.nickname, '') ELSE entry.nickname END,
    'faceURL', CASE entry.faceURL WHEN '' THEN coalesce(profile.faceURL, '') ELSE entry.faceURL END,
    'appMangerLevel', coalesce(profile.appMangerLevel, 0),
    'joinSource', entry.joinSource,
    'operatorUserID', entry.operatorUserID,
    'ex', entry.ex,
    'muteEndTime', entry.muteEndTime,
    'inviterUserID', entry.inviterUserID
  ) ORDER BY place.key) AS BLOB) FROM (
    SELECT document.member AS id, document.key
      FROM around CROSS JOIN documents document
        WHERE document.list = (SELECT list FROM request)
          AND (document.text LIKE (SELECT pattern FROM request) ESCAPE '\'
            AND ((SELECT literal FROM request) IS NULL OR instr(lower(document.text), (SELECT literal FROM request)) > 0))
          AND (NOT (SELECT hasLineBreak FROM request) OR EXISTS (
            SELECT 1 FROM groupMembers member LEFT JOIN users profile ON profile.userID = member.userID
              WHERE member.id = document.member AND (member.userID LIKE (SELECT pattern FROM request) ESCAPE '\'
                AND ((SELECT literal FROM request) IS NULL OR instr(lower(member.userID), (SELECT literal FROM request)) > 0)
                OR CASE member.nickname WHEN '' THEN coalesce(profile.nickname, '') ELSE member.nickname END LIKE (SELECT pattern FROM request) ESCAPE '\'
                  AND ((SELECT literal FROM request) IS NULL OR instr(lower(CASE member.nickname WHEN '' THEN coalesce(profile.nickname, '') ELSE member.nickname END), (SELECT literal FROM request)) > 0)))) AND document.key >= around.start AND document.key < around.end
      ORDER BY document.key
      LIMIT (SELECT size FROM request) OFFSET coalesce((SELECT (SELECT skip FROM request) - min(rank) FROM around), 0)
  ) place
  CROSS JOIN groupMembers entry ON entry.id = place.id
  LEFT JOIN users profile ON profile.userID = entry.userID
) AS items
FROM request WHERE EXISTS (SELECT 1 FROM groups WHERE groupID = request.owner) AND EXISTS (SELECT 1 FROM lists
  WHERE id = request.list AND name = 'groupMembers' AND owner = request.owner AND hasDocuments);

-- blacklist

WITH RECURSIVE request (owner, skip, size) AS MATERIALIZED (VALUES (?, ?, ?)),
list AS MATERIALIZED (
  SELECT lists.id, lists.total, lists.height FROM request
    CROSS JOIN lists ON lists.name = 'blacks' AND lists.owner = request.owner
),
seek (list, level, start, skip) AS (
  SELECT list.id, coalesce(list.height * ((SELECT skip FROM request) > 0), 0), '', (SELECT skip FROM request) FROM request LEFT JOIN list
  UNION ALL
  SELECT seek.list, seek.level - (seek.skip < node.total),
    CASE WHEN seek.skip < node.total THEN seek.start ELSE (
      SELECT start FROM listNodes following
        WHERE following.list = seek.list AND following.level = seek.level AND following.start > seek.start
        ORDER BY start LIMIT 1) END,
    CASE WHEN seek.skip < node.total THEN seek.skip ELSE seek.skip - node.total END
  FROM seek CROSS JOIN listNodes node
    ON node.list = seek.list AND node.level = seek.level AND node.start = seek.start
  WHERE seek.level > 0
),
leaf AS MATERIALIZED (SELECT start, skip FROM seek WHERE +level = 0 AND skip IS NOT NULL)
SELECT coalesce(
  (SELECT total FROM list),
  (SELECT count(*) FROM blacks INDEXED BY blacksInOrder
    WHERE ownerUserID = (SELECT owner FROM request))
) AS total, (
  SELECT CAST(json_group_array(json_object(
    'ownerUserID', entry.ownerUserID,
    'createTime', entry.createTime,
    'blackUserInfo', json_object(
      'userID', entry.blackUserID,
      'nickname', coalesce(profile.nickname, ''),
      'faceURL', coalesce(profile.faceURL, ''),
      'ex', coalesce(profile.ex, '')
    ),
    'addSource', entry.addSource,
    'operatorUserID', entry.operatorUserID,
    'ex', entry.ex
  ) ORDER BY place.key) AS BLOB) FROM (
    SELECT ownerUserID, blackUserID, ((20000000000000000 - createTime) || blackUserID) AS key
      FROM blacks INDEXED BY blacksInOrder
        WHERE ownerUserID = (SELECT owner FROM request)
        AND ((20000000000000000 - createTime) || blackUserID) >= (SELECT start FROM leaf)
      ORDER BY ((20000000000000000 - createTime) || blackUserID)
      LIMIT (SELECT size FROM request) OFFSET coalesce((SELECT skip FROM leaf), 0)
  ) place
  CROSS JOIN blacks entry ON entry.ownerUserID = place.ownerUserID AND entry.blackUserID = place.blackUserID
  LEFT JOIN users profile ON profile.userID = entry.blackUserID
) AS items
FROM request WHERE EXISTS (SELECT 1 FROM users WHERE userID = request.owner);

-- joined groups

WITH RECURSIVE request (owner, skip, size) AS MATERIALIZED (VALUES (?, ?, ?)),
list AS MATERIALIZED (
  SELECT lists.id, lists.total, lists.height FROM request
    CROSS JOIN lists ON lists.name = 'joinedGroups' AND lists.owner = request.owner
),
seek (list, level, start, skip) AS (
  SELECT list.id, coalesce(list.height * ((SELECT skip FROM request) > 0), 0), '', (SELECT skip FROM request) FROM request LEFT JOIN list
  UNION ALL
  SELECT seek.list, seek.level - (seek.skip < node.total),
    CASE WHEN seek.skip < node.total THEN seek.start ELSE (
      SELECT start FROM listNodes following
        WHERE following.list = seek.list AND following.level = seek.level AND following.start > seek.start
        ORDER BY start LIMIT 1) END,
    CASE WHEN seek.skip < node.total THEN seek.skip ELSE seek.skip - node.total END
  FROM seek CROSS JOIN listNodes node
    ON node.list = seek.list AND node.level = seek.level AND node.start = seek.start
  WHERE seek.level > 0
),
leaf AS MATERIALIZED (SELECT start, skip FROM seek WHERE +level = 0 AND skip IS NOT NULL)
SELECT coalesce(
  (SELECT total FROM list),
  (SELECT count(*) FROM groupMembers INDEXED BY joinedGroupsInOrder
    WHERE userID = (SELECT owner FROM request))
) AS total, (
  SELECT CAST(json_group_array(json_object(
    'groupID', entry.groupID,
    'groupName', coalesce(joined.groupName, ''),
    'notification', coalesce(joined.notification, ''),
    'introduction', coalesce(joined.introduction, ''),
    'faceURL', coalesce(joined.faceURL, ''),
    'ownerUserID', coalesce((
      SELECT userID FROM groupMembers INDEXED BY groupMembersInOrder
        WHERE groupID = entry.groupID AND ((2000 - roleLevel) || (20000000000000000 + joinTime) || userID) >= '1900' AND ((2000 - roleLevel) || (20000000000000000 + joinTime) || userID) < '1901' ORDER BY ((2000 - roleLevel) || (20000000000000000 + joinTime) || userID) LIMIT 1), ''),
        'createTime', coalesce(joined.createTime, 0),
        'memberCount', coalesce(
          (SELECT total FROM lists WHERE name = 'groupMembers' AND owner = entry.groupID),
          (SELECT count(*) FROM groupMembers INDEXED BY groupMembersInOrder WHERE groupID = entry.groupID)),
          'ex', coalesce(joined.ex, ''),
          'status', coalesce(joined.status, 0),
          'creatorUserID', coalesce(joined.creatorUserID, ''),
          'groupType', coalesce(joined.groupType, 0),
          'needVerification', coalesce(joined.needVerification, 0),
          'lookMemberInfo', coalesce(joined.lookMemberInfo, 0),
          'applyMemberFriend', coalesce(joined.applyMemberFriend, 0),
          'notificationUpdateTime', coalesce(joined.notificationUpdateTime, 0),
          'notificationUserID', coalesce(joined.notificationUserID, '')
  ) ORDER BY place.key) AS BLOB) FROM (
    SELECT id, ((20000000000000000 - joinTime) || groupID) AS key
      FROM groupMembers INDEXED BY joinedGroupsInOrder
        WHERE userID = (SELECT owner FROM request)
        AND ((20000000000000000 - joinTime) || groupID) >= (SELECT start FROM leaf)
      ORDER BY ((20000000000000000 - joinTime) || groupID)
      LIMIT (SELECT size FROM request) OFFSET coalesce((SELECT skip FROM leaf), 0)
  ) place
  CROSS JOIN groupMembers entry ON entry.id = place.id
  LEFT JOIN groups joined ON joined.groupID = entry.groupID
) AS items
FROM request WHERE EXISTS (SELECT 1 FROM users WHERE userID = request.owner);

-- received join requests

WITH RECURSIVE request (owner, skip, size) AS MATERIALIZED (VALUES (?, ?, ?)),
list AS MATERIALIZED (
  SELECT lists.id, lists.total, lists.height FROM request
    CROSS JOIN lists ON lists.name = 'receivedGroupRequests' AND lists.owner = request.owner
),
seek (list, level, start, skip) AS (
  SELECT list.id, coalesce(list.height * ((SELECT skip FROM request) > 0), 0), '', (SELECT skip FROM request) FROM request LEFT JOIN list
  UNION ALL
  SELECT seek.list, seek.level - (seek.skip < node.total),
    CASE WHEN seek.skip < node.total THEN seek.start ELSE (
      SELECT start FROM listNodes following
        WHERE following.list = seek.list AND following.level = seek.level AND following.start > seek.start
        ORDER BY start LIMIT 1) END,
    CASE WHEN seek.skip < node.total THEN seek.skip ELSE seek.skip - node.total END
  FROM seek CROSS JOIN listNodes node
    ON node.list = seek.list AND node.level = seek.level AND node.start = seek.start
  WHERE seek.level > 0
),
leaf AS MATERIALIZED (SELECT start, skip FROM seek WHERE +level = 0 AND skip IS NOT NULL)
SELECT coalesce(
  (SELECT total FROM list),
  (SELECT count(*) FROM receivedGroupRequests INDEXED BY receivedGroupRequestsInOrder
    WHERE managerUserID = (SELECT owner FROM request))
) AS total, (
  SELECT CAST(json_group_array(json_object(
    'userInfo', json_object(
      'userID', entry.userID,
      'nickname', coalesce(profile.nickname, ''),
      'faceURL', coalesce(profile.faceURL, ''),
      'ex', coalesce(profile.ex, '')
    ),
    'groupInfo', json_object(
      'groupID', entry.groupID,
      'groupName', coalesce(joined.groupName, ''),
      'notification', coalesce(joined.notification, ''),
      'introduction', coalesce(joined.introduction, ''),
      'faceURL', coalesce(joined.faceURL, ''),
      'ownerUserID', coalesce((
        SELECT userID FROM groupMembers INDEXED BY groupMembersInOrder
          WHERE groupID = entry.groupID AND ((2000 - roleLevel) || (20000000000000000 + joinTime) || userID) >= '1900' AND ((2000 - roleLevel) || (20000000000000000 + joinTime) || userID) < '1901' ORDER BY ((2000 - roleLevel) || (20000000000000000 + joinTime) || userID) LIMIT 1), ''),
          'createTime', coalesce(joined.createTime, 0),
          'memberCount', coalesce(
            (SELECT total FROM lists WHERE name = 'groupMembers' AND owner = entry.groupID),
            (SELECT count(*) FROM groupMembers INDEXED BY groupMembersInOrder WHERE groupID = entry.groupID)),
            'ex', coalesce(joined.ex, ''),
            'status', coalesce(joined.status, 0),
            'creatorUserID', coalesce(joined.creatorUserID, ''),
            'groupType', coalesce(joined.groupType, 0),
            'needVerification', coalesce(joined.needVerification, 0),
            'lookMemberInfo', coalesce(joined.lookMemberInfo, 0),
            'applyMemberFriend', coalesce(joined.applyMemberFriend, 0),
            'notificationUpdateTime', coalesce(joined.notificationUpdateTime, 0),
            'notificationUserID', coalesce(joined.notificationUserID, '')
    ),
    'handleResult', entry.handleResult,
    'reqMsg', entry.reqMsg,
    'handleMsg', entry.handleMsg,
    'reqTime', entry.reqTime,
    'handleUserID', entry.handleUserID,
    'handleTime', entry.handleTime,
    'ex', entry.ex,
    'joinSource', entry.joinSource,
    'inviterUserID', entry.inviterUserID
  ) ORDER BY place.key) AS BLOB) FROM (
    SELECT groupID, userID, managerUserID, ((20000000000000000 - reqTime) || groupID || x'00' || userID) AS key
      FROM receivedGroupRequests INDEXED BY receivedGroupRequestsInOrder
        WHERE managerUserID = (SELECT owner FROM request)
        AND ((20000000000000000 - reqTime) || groupID || x'00' || userID) >= (SELECT start FROM leaf)
      ORDER BY ((20000000000000000 - reqTime) || groupID || x'00' || userID)
      LIMIT (SELECT size FROM request) OFFSET coalesce((SELECT skip FROM leaf), 0)
  ) place
  CROSS JOIN groupRequests entry ON entry.groupID = place.groupID AND entry.userID = place.userID
  LEFT JOIN users profile ON profile.userID = entry.userID
  LEFT JOIN groups joined ON joined.groupID = entry.groupID
) AS items
FROM request WHERE EXISTS (SELECT 1 FROM users WHERE userID = request.owner);

-- received join requests for some groups

WITH RECURSIVE request (owner, skip, size, groupIDs) AS MATERIALIZED (VALUES (?, ?, ?, ?)),
hits AS MATERIALIZED (
  SELECT groupID, userID, ((20000000000000000 - reqTime) || groupID || x'00' || userID) AS key FROM groupRequests
    WHERE groupID IN (
      SELECT groupID FROM groupMembers
        WHERE groupID IN (SELECT value FROM json_each((SELECT groupIDs FROM request)))
          AND userID = (SELECT owner FROM request) AND roleLevel IN (60, 100)
    )
)
SELECT (SELECT count(*) FROM hits) AS total, (
  SELECT CAST(json_group_array(json_object(
    'userInfo', json_object(
      'userID', entry.userID,
      'nickname', coalesce(profile.nickname, ''),
      'faceURL', coalesce(profile.faceURL, ''),
      'ex', coalesce(profile.ex, '')
    ),
    'groupInfo', json_object(
      'groupID', entry.groupID,
      'groupName', coalesce(joined.groupName, ''),
      'notification', coalesce(joined.notification, ''),
      'introduction', coalesce(joined.introduction, ''),
      'faceURL', coalesce(joined.faceURL, ''),
      'ownerUserID', coalesce((
        SELECT userID FROM groupMembers INDEXED BY groupMembersInOrder
          WHERE groupID = entry.groupID AND ((2000 - roleLevel) || (20000000000000000 + joinTime) || userID) >= '1900' AND ((2000 - roleLevel) || (20000000000000000 + joinTime) || userID) < '1901' ORDER BY ((2000 - roleLevel) || (20000000000000000 + joinTime) || userID) LIMIT 1), ''),
          'createTime', coalesce(joined.createTime, 0),
          'memberCount', coalesce(
            (SELECT total FROM lists WHERE name = 'groupMembers' AND owner = entry.groupID),
            (SELECT count(*) FROM groupMembers INDEXED BY groupMembersInOrder WHERE groupID = entry.groupID)),
            'ex', coalesce(joined.ex, ''),
            'status', coalesce(joined.status, 0),
            'creatorUserID', coalesce(joined.creatorUserID, ''),
            'groupType', coalesce(joined.groupType, 0),
            'needVerification', coalesce(joined.needVerification, 0),
            'lookMemberInfo', coalesce(joined.lookMemberInfo, 0),
            'applyMemberFriend', coalesce(joined.applyMemberFriend, 0),
            'notificationUpdateTime', coalesce(joined.notificationUpdateTime, 0),
            'notificationUserID', coalesce(joined.notificationUserID, '')
    ),
    'handleResult', entry.handleResult,
    'reqMsg', entry.reqMsg,
    'handleMsg', entry.handleMsg,
    'reqTime', entry.reqTime,
    'handleUserID', entry.handleUserID,
    'handleTime', entry.handleTime,
    'ex', entry.ex,
    'joinSource', entry.joinSource,
    'inviterUserID', entry.inviterUserID
  ) ORDER BY place.key) AS BLOB) FROM (
    SELECT * FROM hits ORDER BY key LIMIT (SELECT size FROM request) OFFSET (SELECT skip FROM request)
  ) place
  CROSS JOIN groupRequests entry ON entry.groupID = place.groupID AND entry.userID = place.userID
  LEFT JOIN users profile ON profile.userID = entry.userID
  LEFT JOIN groups joined ON joined.groupID = entry.groupID
) AS items
FROM request WHERE EXISTS (SELECT 1 FROM users WHERE userID = request.owner);

-- received join requests for some groups with some results

WITH RECURSIVE request (owner, skip, size, groupIDs, results) AS MATERIALIZED (VALUES (?, ?, ?, ?, ?)),
hits AS MATERIALIZED (
  SELECT groupID, userID, ((20000000000000000 - reqTime) || groupID || x'00' || userID) AS key FROM groupRequests
    WHERE groupID IN (
      SELECT groupID FROM groupMembers
        WHERE groupID IN (SELECT value FROM json_each((SELECT groupIDs FROM request)))
          AND userID = (SELECT owner FROM request) AND roleLevel IN (60, 100)
    ) AND handleResult IN (SELECT value FROM json_each((SELECT results FROM request)))
)
SELECT (SELECT count(*) FROM hits) AS total, (
  SELECT CAST(json_group_array(json_object(
    'userInfo', json_object(
      'userID', entry.userID,
      'nickname', coalesce(profile.nickname, ''),
      'faceURL', coalesce(profile.faceURL, ''),
      'ex', coalesce(profile.ex, '')
    ),
    'groupInfo', json_object(
      'groupID', entry.groupID,
      'groupName', coalesce(joined.groupName, ''),
      'notification', coalesce(joined.notification, ''),
      'introduction', coalesce(joined.introduction, ''),
      'faceURL', coalesce(joined.faceURL, ''),
      'ownerUserID', coalesce((
        SELECT userID FROM groupMembers INDEXED BY groupMembersInOrder
          WHERE groupID = entry.groupID AND ((2000 - roleLevel) || (20000000000000000 + joinTime) || userID) >= '1900' AND ((2000 - roleLevel) || (20000000000000000 + joinTime) || userID) < '1901' ORDER BY ((2000 - roleLevel) || (20000000000000000 + joinTime) || userID) LIMIT 1), ''),
          'createTime', coalesce(joined.createTime, 0),
          'memberCount', coalesce(
            (SELECT total FROM lists WHERE name = 'groupMembers' AND owner = entry.groupID),
            (SELECT count(*) FROM groupMembers INDEXED BY groupMembersInOrder WHERE groupID = entry.groupID)),
            'ex', coalesce(joined.ex, ''),
            'status', coalesce(joined.status, 0),
            'creatorUserID', coalesce(joined.creatorUserID, ''),
            'groupType', coalesce(joined.groupType, 0),
            'needVerification', coalesce(joined.needVerification, 0),
            'lookMemberInfo', coalesce(joined.lookMemberInfo, 0),
            'applyMemberFriend', coalesce(joined.applyMemberFriend, 0),
            'notificationUpdateTime', coalesce(joined.notificationUpdateTime, 0),
            'notificationUserID', coalesce(joined.notificationUserID, '')
    ),
    'handleResult', entry.handleResult,
    'reqMsg', entry.reqMsg,
    'handleMsg', entry.handleMsg,
    'reqTime', entry.reqTime,
    'handleUserID', entry.handleUserID,
    'handleTime', entry.handleTime,
    'ex', entry.ex,
    'joinSource', entry.joinSource,
    'inviterUserID', entry.inviterUserID
  ) ORDER BY place.key) AS BLOB) FROM (
    SELECT * FROM hits ORDER BY key LIMIT (SELECT size FROM request) OFFSET (SELECT skip FROM request)
  ) place
  CROSS JOIN groupRequests entry ON entry.groupID = place.groupID AND entry.userID = place.userID
  LEFT JOIN users profile ON profile.userID = entry.userID
  LEFT JOIN groups joined ON joined.groupID = entry.groupID
) AS items
FROM request WHERE EXISTS (SELECT 1 FROM users WHERE userID = request.owner);

-- received join requests with a result

WITH RECURSIVE request (owner, skip, size, ranges) AS MATERIALIZED (VALUES (?, ?, ?, ?)),
list AS MATERIALIZED (
  SELECT lists.id, lists.total, lists.height FROM request
    CROSS JOIN lists ON lists.name = 'receivedGroupRequestsByResult' AND lists.owner = request.owner
),
descent (list, range, bound, level, start, rank) AS (
  SELECT list.id, range.key, bound.value, coalesce(list.height, 0) + 1, '', 0 FROM request
    CROSS JOIN json_each(request.ranges) range CROSS JOIN json_each(range.value) bound LEFT JOIN list
  UNION ALL
  SELECT list, range, bound, level - 1, (SELECT max(start) FROM listNodes node
    WHERE node.list = descent.list AND node.level = descent.level - 1 AND node.start <= bound),
    rank + (SELECT coalesce(sum(total), 0) FROM listNodes passed
      WHERE passed.list = descent.list AND passed.level = descent.level - 1
        AND passed.start >= descent.start AND passed.start < (SELECT max(start) FROM listNodes node
          WHERE node.list = descent.list AND node.level = descent.level - 1 AND node.start <= bound))
    FROM descent WHERE level > 1
),
ranks (range, rank) AS MATERIALIZED (
  SELECT range, rank + (
    SELECT count(*) FROM receivedGroupRequests INDEXED BY receivedGroupRequestsByResultInOrder
      WHERE managerUserID = (SELECT owner FROM request)
      AND ((30000000000 + handleResult) || (20000000000000000 - reqTime) || groupID || x'00' || userID) >= descent.start
      AND ((30000000000 + handleResult) || (20000000000000000 - reqTime) || groupID || x'00' || userID) < descent.bound)
  FROM descent WHERE +level = 1
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
      SELECT start FROM listNodes following
        WHERE following.list = seek.list AND following.level = seek.level AND following.start > seek.start
        ORDER BY start LIMIT 1) END,
    CASE WHEN seek.skip < node.total THEN seek.skip ELSE seek.skip - node.total END
  FROM seek CROSS JOIN listNodes node
    ON node.list = seek.list AND node.level = seek.level AND node.start = seek.start
  WHERE seek.level > 0
),
leaf AS MATERIALIZED (SELECT start, skip FROM seek WHERE +level = 0 AND skip IS NOT NULL)
SELECT (SELECT coalesce(sum(total), 0) FROM ranges) AS total, (
  SELECT CAST(json_group_array(json_object(
    'userInfo', json_object(
      'userID', entry.userID,
      'nickname', coalesce(profile.nickname, ''),
      'faceURL', coalesce(profile.faceURL, ''),
      'ex', coalesce(profile.ex, '')
    ),
    'groupInfo', json_object(
      'groupID', entry.groupID,
      'groupName', coalesce(joined.groupName, ''),
      'notification', coalesce(joined.notification, ''),
      'introduction', coalesce(joined.introduction, ''),
      'faceURL', coalesce(joined.faceURL, ''),
      'ownerUserID', coalesce((
        SELECT userID FROM groupMembers INDEXED BY groupMembersInOrder
          WHERE groupID = entry.groupID AND ((2000 - roleLevel) || (20000000000000000 + joinTime) || userID) >= '1900' AND ((2000 - roleLevel) || (20000000000000000 + joinTime) || userID) < '1901' ORDER BY ((2000 - roleLevel) || (20000000000000000 + joinTime) || userID) LIMIT 1), ''),
          'createTime', coalesce(joined.createTime, 0),
          'memberCount', coalesce(
            (SELECT total FROM lists WHERE name = 'groupMembers' AND owner = entry.groupID),
            (SELECT count(*) FROM groupMembers INDEXED BY groupMembersInOrder WHERE groupID = entry.groupID)),
            'ex', coalesce(joined.ex, ''),
            'status', coalesce(joined.status, 0),
            'creatorUserID', coalesce(joined.creatorUserID, ''),
            'groupType', coalesce(joined.groupType, 0),
            'needVerification', coalesce(joined.needVerification, 0),
            'lookMemberInfo', coalesce(joined.lookMemberInfo, 0),
            'applyMemberFriend', coalesce(joined.applyMemberFriend, 0),
            'notificationUpdateTime', coalesce(joined.notificationUpdateTime, 0),
            'notificationUserID', coalesce(joined.notificationUserID, '')
    ),
    'handleResult', entry.handleResult,
    'reqMsg', entry.reqMsg,
    'handleMsg', entry.handleMsg,
    'reqTime', entry.reqTime,
    'handleUserID', entry.handleUserID,
    'handleTime', entry.handleTime,
    'ex', entry.ex,
    'joinSource', entry.joinSource,
    'inviterUserID', entry.inviterUserID
  ) ORDER BY place.key) AS BLOB) FROM (
    SELECT groupID, userID, managerUserID, ((30000000000 + handleResult) || (20000000000000000 - reqTime) || groupID || x'00' || userID) AS key
      FROM receivedGroupRequests INDEXED BY receivedGroupRequestsByResultInOrder
        WHERE managerUserID = (SELECT owner FROM request)
        AND ((30000000000 + handleResult) || (20000000000000000 - reqTime) || groupID || x'00' || userID) >= (
          SELECT ((30000000000 + handleResult) || (20000000000000000 - reqTime) || groupID || x'00' || userID) FROM receivedGroupRequests INDEXED BY receivedGroupRequestsByResultInOrder
            WHERE managerUserID = (SELECT owner FROM request)
              AND ((30000000000 + handleResult) || (20000000000000000 - reqTime) || groupID || x'00' || userID) >= (SELECT start FROM leaf)
            ORDER BY ((30000000000 + handleResult) || (20000000000000000 - reqTime) || groupID || x'00' || userID)
            LIMIT 1 OFFSET coalesce((SELECT skip FROM leaf), 0))
        AND ((30000000000 + handleResult) || (20000000000000000 - reqTime) || groupID || x'00' || userID) < (SELECT max(value ->> 1) FROM json_each((SELECT ranges FROM request)))
        AND substr(((30000000000 + handleResult) || (20000000000000000 - reqTime) || groupID || x'00' || userID), 1, 11) IN (
            SELECT value ->> 0 FROM json_each((SELECT ranges FROM request)))
      ORDER BY ((30000000000 + handleResult) || (20000000000000000 - reqTime) || groupID || x'00' || userID)
      LIMIT (SELECT size FROM request)
  ) place
  CROSS JOIN groupRequests entry ON entry.groupID = place.groupID AND entry.userID = place.userID
  LEFT JOIN users profile ON profile.userID = entry.userID
  LEFT JOIN groups joined ON joined.groupID = entry.groupID
) AS items
FROM request WHERE EXISTS (SELECT 1 FROM users WHERE userID = request.owner);

-- received join requests with several results

WITH RECURSIVE request (owner, skip, size, ranges, results) AS MATERIALIZED (VALUES (?, ?, ?, ?, ?)),
list AS MATERIALIZED (
  SELECT lists.id, lists.total, lists.height FROM request
    CROSS JOIN lists ON lists.name = 'receivedGroupRequestsByResult' AND lists.owner = request.owner
),
descent (list, range, bound, level, start, rank) AS (
  SELECT list.id, range.key, bound.value, coalesce(list.height, 0) + 1, '', 0 FROM request
    CROSS JOIN json_each(request.ranges) range CROSS JOIN json_each(range.value) bound LEFT JOIN list
  UNION ALL
  SELECT list, range, bound, level - 1, (SELECT max(start) FROM listNodes node
    WHERE node.list = descent.list AND node.level = descent.level - 1 AND node.start <= bound),
    rank + (SELECT coalesce(sum(total), 0) FROM listNodes passed
      WHERE passed.list = descent.list AND passed.level = descent.level - 1
        AND passed.start >= descent.start AND passed.start < (SELECT max(start) FROM listNodes node
          WHERE node.list = descent.list AND node.level = descent.level - 1 AND node.start <= bound))
    FROM descent WHERE level > 1
),
ranks (range, rank) AS MATERIALIZED (
  SELECT range, rank + (
    SELECT count(*) FROM receivedGroupRequests INDEXED BY receivedGroupRequestsByResultInOrder
      WHERE managerUserID = (SELECT owner FROM request)
      AND ((30000000000 + handleResult) || (20000000000000000 - reqTime) || groupID || x'00' || userID) >= descent.start
      AND ((30000000000 + handleResult) || (20000000000000000 - reqTime) || groupID || x'00' || userID) < descent.bound)
  FROM descent WHERE +level = 1
),
ranges AS MATERIALIZED (
  SELECT min(rank) AS rank, max(rank) - min(rank) AS total FROM ranks GROUP BY range
)
SELECT (SELECT coalesce(sum(total), 0) FROM ranges) AS total, (
  SELECT CAST(json_group_array(json_object(
    'userInfo', json_object(
      'userID', entry.userID,
      'nickname', coalesce(profile.nickname, ''),
      'faceURL', coalesce(profile.faceURL, ''),
      'ex', coalesce(profile.ex, '')
    ),
    'groupInfo', json_object(
      'groupID', entry.groupID,
      'groupName', coalesce(joined.groupName, ''),
      'notification', coalesce(joined.notification, ''),
      'introduction', coalesce(joined.introduction, ''),
      'faceURL', coalesce(joined.faceURL, ''),
      'ownerUserID', coalesce((
        SELECT userID FROM groupMembers INDEXED BY groupMembersInOrder
          WHERE groupID = entry.groupID AND ((2000 - roleLevel) || (20000000000000000 + joinTime) || userID) >= '1900' AND ((2000 - roleLevel) || (20000000000000000 + joinTime) || userID) < '1901' ORDER BY ((2000 - roleLevel) || (20000000000000000 + joinTime) || userID) LIMIT 1), ''),
          'createTime', coalesce(joined.createTime, 0),
          'memberCount', coalesce(
            (SELECT total FROM lists WHERE name = 'groupMembers' AND owner = entry.groupID),
            (SELECT count(*) FROM groupMembers INDEXED BY groupMembersInOrder WHERE groupID = entry.groupID)),
            'ex', coalesce(joined.ex, ''),
            'status', coalesce(joined.status, 0),
            'creatorUserID', coalesce(joined.creatorUserID, ''),
            'groupType', coalesce(joined.groupType, 0),
            'needVerification', coalesce(joined.needVerification, 0),
            'lookMemberInfo', coalesce(joined.lookMemberInfo, 0),
            'applyMemberFriend', coalesce(joined.applyMemberFriend, 0),
            'notificationUpdateTime', coalesce(joined.notificationUpdateTime, 0),
            'notificationUserID', coalesce(joined.notificationUserID, '')
    ),
    'handleResult', entry.handleResult,
    'reqMsg', entry.reqMsg,
    'handleMsg', entry.handleMsg,
    'reqTime', entry.reqTime,
    'handleUserID', entry.handleUserID,
    'handleTime', entry.handleTime,
    'ex', entry.ex,
    'joinSource', entry.joinSource,
    'inviterUserID', entry.inviterUserID
  ) ORDER BY place.key) AS BLOB) FROM (
    SELECT groupID, userID, managerUserID, ((20000000000000000 - reqTime) || groupID || x'00' || userID) AS key
      FROM receivedGroupRequests INDEXED BY receivedGroupRequestsInOrder
        WHERE managerUserID = (SELECT owner FROM request)
      AND handleResult IN (SELECT value FROM json_each((SELECT results FROM request)))
      ORDER BY ((20000000000000000 - reqTime) || groupID || x'00' || userID) LIMIT (SELECT size FROM request) OFFSET (SELECT skip FROM request)
  ) place
  CROSS JOIN groupRequests entry ON entry.groupID = place.groupID AND entry.userID = place.userID
  LEFT JOIN users profile ON profile.userID = entry.userID
  LEFT JOIN groups joined ON joined.groupID = entry.groupID
) AS items
FROM request WHERE EXISTS (SELECT 1 FROM users WHERE userID = request.owner);

-- notification accounts

WITH RECURSIVE request (owner, skip, size) AS MATERIALIZED (VALUES (?, ?, ?)),
list AS MATERIALIZED (
  SELECT lists.id, lists.total, lists.height FROM request
    CROSS JOIN lists ON lists.name = 'notificationAccounts' AND lists.owner = request.owner
),
seek (list, level, start, skip) AS (
  SELECT list.id, coalesce(list.height * ((SELECT skip FROM request) > 0), 0), '', (SELECT skip FROM request) FROM request LEFT JOIN list
  UNION ALL
  SELECT seek.list, seek.level - (seek.skip < node.total),
    CASE WHEN seek.skip < node.total THEN seek.start ELSE (
      SELECT start FROM listNodes following
        WHERE following.list = seek.list AND following.level = seek.level AND following.start > seek.start
        ORDER BY start LIMIT 1) END,
    CASE WHEN seek.skip < node.total THEN seek.skip ELSE seek.skip - node.total END
  FROM seek CROSS JOIN listNodes node
    ON node.list = seek.list AND node.level = seek.level AND node.start = seek.start
  WHERE seek.level > 0
),
leaf AS MATERIALIZED (SELECT start, skip FROM seek WHERE +level = 0 AND skip IS NOT NULL)
SELECT coalesce(
  (SELECT total FROM list),
  (SELECT count(*) FROM users INDEXED BY notificationAccountsInOrder
    WHERE appMangerLevel >= 3)
) AS total, (
  SELECT CAST(json_group_array(json_object(
    'userID', entry.userID,
    'faceURL', entry.faceURL,
    'nickName', entry.nickname
  ) ORDER BY place.key) AS BLOB) FROM (
    SELECT userID, ('' || userID) AS key
      FROM users INDEXED BY notificationAccountsInOrder
        WHERE appMangerLevel >= 3
        AND ('' || userID) >= (SELECT start FROM leaf)
      ORDER BY ('' || userID)
      LIMIT (SELECT size FROM request) OFFSET coalesce((SELECT skip FROM leaf), 0)
  ) place
  CROSS JOIN users entry ON entry.userID = place.userID
) AS items
FROM request WHERE true;

-- notification accounts with a keyword

WITH RECURSIVE request (skip, size, level, pattern, literal) AS MATERIALIZED (VALUES (?, ?, ?, ?, ?))
SELECT (SELECT count(*) FROM users INDEXED BY notificationAccountsInOrder
  WHERE appMangerLevel >= 3 AND ((SELECT level FROM request) IS NULL OR appMangerLevel = (SELECT level FROM request))
  AND (userID LIKE (SELECT pattern FROM request) ESCAPE '\'
    AND ((SELECT literal FROM request) IS NULL OR instr(lower(userID), (SELECT literal FROM request)) > 0)
    OR nickname LIKE (SELECT pattern FROM request) ESCAPE '\'
      AND ((SELECT literal FROM request) IS NULL OR instr(lower(nickname), (SELECT literal FROM request)) > 0))) AS total, (
  SELECT CAST(json_group_array(json_object(
    'userID', entry.userID,
    'faceURL', entry.faceURL,
    'nickName', entry.nickname
  ) ORDER BY place.key) AS BLOB) FROM (
    SELECT userID, ('' || userID) AS key FROM users INDEXED BY notificationAccountsInOrder
      WHERE appMangerLevel >= 3 AND ((SELECT level FROM request) IS NULL OR appMangerLevel = (SELECT level FROM request))
      AND (userID LIKE (SELECT pattern FROM request) ESCAPE '\'
        AND ((SELECT literal FROM request) IS NULL OR instr(lower(userID), (SELECT literal FROM request)) > 0)
        OR nickname LIKE (SELECT pattern FROM request) ESCAPE '\'
          AND ((SELECT literal FROM request) IS NULL OR instr(lower(nickname), (SELECT literal FROM request)) > 0))
      ORDER BY ('' || userID) LIMIT (SELECT size FROM request) OFFSET (SELECT skip FROM request)
  ) place
  CROSS JOIN users entry ON entry.userID = place.userID
) AS items
FROM request WHERE true;

-- notification accounts of a level

WITH RECURSIVE request (owner, skip, size, ranges) AS MATERIALIZED (VALUES (?, ?, ?, ?)),
list AS MATERIALIZED (
  SELECT lists.id, lists.total, lists.height FROM request
    CROSS JOIN lists ON lists.name = 'notificationAccountsByLevel' AND lists.owner = request.owner
),
descent (list, range, bound, level, start, rank) AS (
  SELECT list.id, range.key, bound.value, coalesce(list.height, 0) + 1, '', 0 FROM request
    CROSS JOIN json_each(request.ranges) range CROSS JOIN json_each(range.value) bound LEFT JOIN list
  UNION ALL
  SELECT list, range, bound, level - 1, (SELECT max(start) FROM listNodes node
    WHERE node.list = descent.list AND node.level = descent.level - 1 AND node.start <= bound),
    rank + (SELECT coalesce(sum(total), 0) FROM listNodes passed
      WHERE passed.list = descent.list AND passed.level = descent.level - 1
        AND passed.start >= descent.start AND passed.start < (SELECT max(start) FROM listNodes node
          WHERE node.list = descent.list AND node.level = descent.level - 1 AND node.start <= bound))
    FROM descent WHERE level > 1
),
ranks (range, rank) AS MATERIALIZED (
  SELECT range, rank + (
    SELECT count(*) FROM users INDEXED BY notificationAccountsByLevelInOrder
      WHERE appMangerLevel >= 3
      AND ((30000000000 + appMangerLevel) || userID) >= descent.start
      AND ((30000000000 + appMangerLevel) || userID) < descent.bound)
  FROM descent WHERE +level = 1
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
      SELECT start FROM listNodes following
        WHERE following.list = seek.list AND following.level = seek.level AND following.start > seek.start
        ORDER BY start LIMIT 1) END,
    CASE WHEN seek.skip < node.total THEN seek.skip ELSE seek.skip - node.total END
  FROM seek CROSS JOIN listNodes node
    ON node.list = seek.list AND node.level = seek.level AND node.start = seek.start
  WHERE seek.level > 0
),
leaf AS MATERIALIZED (SELECT start, skip FROM seek WHERE +level = 0 AND skip IS NOT NULL)
SELECT (SELECT coalesce(sum(total), 0) FROM ranges) AS total, (
  SELECT CAST(json_group_array(json_object(
    'userID', entry.userID,
    'faceURL', entry.faceURL,
    'nickName', entry.nickname
  ) ORDER BY place.key) AS BLOB) FROM (
    SELECT userID, ((30000000000 + appMangerLevel) || userID) AS key
      FROM users INDEXED BY notificationAccountsByLevelInOrder
        WHERE appMangerLevel >= 3
        AND ((30000000000 + appMangerLevel) || userID) >= (
          SELECT ((30000000000 + appMangerLevel) || userID) FROM users INDEXED BY notificationAccountsByLevelInOrder
            WHERE appMangerLevel >= 3
              AND ((30000000000 + appMangerLevel) || userID) >= (SELECT start FROM leaf)
            ORDER BY ((30000000000 + appMangerLevel) || userID)
            LIMIT 1 OFFSET coalesce((SELECT skip FROM leaf), 0))
        AND ((30000000000 + appMangerLevel) || userID) < (SELECT max(value ->> 1) FROM json_each((SELECT ranges FROM request)))
        AND substr(((30000000000 + appMangerLevel) || userID), 1, 11) IN (
            SELECT value ->> 0 FROM json_each((SELECT ranges FROM request)))
      ORDER BY ((30000000000 + appMangerLevel) || userID)
      LIMIT (SELECT size FROM request)
  ) place
  CROSS JOIN users entry ON entry.userID = place.userID
) AS items
FROM request WHERE true;

-- set conversations

WITH request (count, conversationID, conversationType, userID, groupID, recvMsgOpt, attachedInfo, isPinned, isPrivateChat, ex, burnDuration)
  AS (VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)),
arrays (first, userIDs) AS (VALUES (?, ?)),
concerned (position, userID) AS (SELECT first + key, value FROM arrays, json_each(arrays.userIDs)),
obstacles (gravity, outcome, id, position) AS (
  SELECT 1, CASE WHEN stored.groupID IS NULL THEN 'groupNotFound' ELSE 'groupDismissed' END, request.groupID, 0
    FROM request LEFT JOIN groups stored ON stored.groupID = request.groupID
    WHERE request.conversationType = 3 AND (stored.groupID IS NULL OR stored.status = 2)
  UNION ALL
  SELECT 2, 'usersNotFound', userID, position FROM concerned
    WHERE NOT EXISTS (SELECT 1 FROM users WHERE users.userID = concerned.userID)
  UNION ALL
  SELECT 3, 'contradicted', concerned.userID, position FROM request CROSS JOIN concerned
    CROSS JOIN conversations stored
    WHERE position < request.count
      AND stored.ownerUserID = concerned.userID AND stored.conversationID = request.conversationID
      AND (stored.conversationType <> request.conversationType OR stored.userID <> request.userID
        OR stored.groupID <> request.groupID)
)
SELECT outcome, id FROM obstacles WHERE gravity = (SELECT min(gravity) FROM obstacles) ORDER BY position;

WITH request (count, conversationID, conversationType, userID, groupID, recvMsgOpt, attachedInfo, isPinned, isPrivateChat, ex, burnDuration)
  AS (VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)),
arrays (first, userIDs) AS (VALUES (?, ?)),
concerned (position, userID) AS (SELECT first + key, value FROM arrays, json_each(arrays.userIDs)),
obstacles (gravity, outcome, id, position) AS (
  SELECT 1, CASE WHEN stored.groupID IS NULL THEN 'groupNotFound' ELSE 'groupDismissed' END, request.groupID, 0
    FROM request LEFT JOIN groups stored ON stored.groupID = request.groupID
    WHERE request.conversationType = 3 AND (stored.groupID IS NULL OR stored.status = 2)
  UNION ALL
  SELECT 2, 'usersNotFound', userID, position FROM concerned
    WHERE NOT EXISTS (SELECT 1 FROM users WHERE users.userID = concerned.userID)
  UNION ALL
  SELECT 3, 'contradicted', concerned.userID, position FROM request CROSS JOIN concerned
    CROSS JOIN conversations stored
    WHERE position < request.count
      AND stored.ownerUserID = concerned.userID AND stored.conversationID = request.conversationID
      AND (stored.conversationType <> request.conversationType OR stored.userID <> request.userID
        OR stored.groupID <> request.groupID)
)
INSERT INTO conversations (ownerUserID, conversationID, conversationType, userID, groupID, recvMsgOpt, attachedInfo, isPinned, isPrivateChat, ex, burnDuration)
  SELECT concerned.userID, conversationID, conversationType, request.userID, groupID, coalesce(recvMsgOpt, 0),
    coalesce(attachedInfo, ''), coalesce(isPinned, 0), coalesce(isPrivateChat, 0), coalesce(ex, ''),
    coalesce(burnDuration, 0)
  FROM request CROSS JOIN concerned
  WHERE position < count AND NOT EXISTS (SELECT 1 FROM obstacles)
  ON CONFLICT (ownerUserID, conversationID) DO UPDATE SET
    recvMsgOpt = coalesce((SELECT recvMsgOpt FROM request), recvMsgOpt),
    attachedInfo = coalesce((SELECT attachedInfo FROM request), attachedInfo),
    isPinned = coalesce((SELECT isPinned FROM request), isPinned),
    isPrivateChat = coalesce((SELECT isPrivateChat FROM request), isPrivateChat),
    ex = coalesce((SELECT ex FROM request), ex),
    burnDuration = coalesce((SELECT burnDuration FROM request), burnDuration)
  WHERE recvMsgOpt <> (SELECT recvMsgOpt FROM request) OR attachedInfo <> (SELECT attachedInfo FROM request) OR isPinned <> (SELECT isPinned FROM request) OR isPrivateChat <> (SELECT isPrivateChat FROM request) OR ex <> (SELECT ex FROM request) OR burnDuration <> (SELECT burnDuration FROM request)
RETURNING ownerUserID;

-- conversations

SELECT ownerUserID, conversationID, conversationType, userID, groupID, recvMsgOpt, attachedInfo, isPinned, isPrivateChat, ex, burnDuration FROM conversations WHERE ownerUserID = ? ORDER BY conversationID;

-- put

INSERT INTO blacks (ownerUserID, blackUserID, createTime, addSource, operatorUserID, ex)
  SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5 FROM json_each(?) WHERE true
  ON CONFLICT (ownerUserID, blackUserID) DO UPDATE SET createTime = excluded.createTime, addSource = excluded.addSource, operatorUserID = excluded.operatorUserID, ex = excluded.ex;

-- remove

DELETE FROM groupMembers WHERE (groupID, userID) IN (
  SELECT value ->> 0, value ->> 1 FROM json_each(?));
