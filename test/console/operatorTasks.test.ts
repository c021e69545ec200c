import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

/** The tasks of an operator, and for each a test in a real browser. */
const tasks: readonly [task: string, test: string][] = [
  [
    "open a group or a user whose ID a ticket names",
    "opens the group or the user with an ID, and says if there is neither",
  ],
  [
    "come back to a recent group or user by name",
    "offers recent groups and users by a part of their names, and keeps pinned ones",
  ],
  ["find a member by a part of the name", "searches one Chinese character, filters by role, and clears both"],
  [
    "find the groups of a user",
    "leads from a member to its groups, and from a group to its members, and back leads back",
  ],
  ["see whom a user has blocked", "shows the blacklist, whose times are in seconds"],
  [
    "see the pending join requests of a user",
    "shows join requests by result, pending ones first, with the total of each",
  ],
  ["see the pending join requests of one group", "shows the pending requests of one group"],
  ["find a robot among the notification accounts", "filters notification accounts by kind"],
  [
    "read all fields of a row, in words",
    "shows codes in words, groups the fields of nested objects, and has the JSON one click away",
  ],
  ["go to row 123,456 of a large group", "goes to a row and to a page, keeps them in the address, and back leads back"],
  ["see changes since the last look", "shows what has changed in the rows in view"],
  ["send a colleague a link", "knows the names of a group and a user after a reload, and in a link"],
  ["mute a conversation for all administrators of a group", "mutes a conversation for all administrators of a group"],
  [
    "set a conversation for one member",
    "sets the conversation of a group for one member, and proposes the ID of a single chat",
  ],
  [
    "set a conversation for a list of users in a file",
    "reads users from the first column of a CSV file, and sets a single chat",
  ],
  [
    "set a conversation for the users of a saved list",
    "saves all rows of a list, and sets a conversation for the users in the file",
  ],
  ["leave out users who are gone", "leaves out any number of users that do not exist with one click"],
  [
    "look at other screens while a long setting runs",
    "goes on with a run while the administrator looks elsewhere, and shows it there",
  ],
  ["save a whole list", "goes on with a download while the administrator looks elsewhere, and shows its progress"],
  [
    "give the operation ID of a failure to a developer",
    "names a group that does not exist, with the operation ID of the request",
  ],
  ["work in several tabs", "signs in a new tab like the others, and signs all of them out together"],
  [
    "sign in again when the token has expired, and go on",
    "asks for another token when this one has expired, and goes on where it was",
  ],
  ["know which environment this is, and who is signed in", "shows its label on each screen and in the title"],
  ["work with the keyboard alone", "selects with the keyboard alone"],
];

it.each(tasks)("an operator can %s: a test in a browser does it", (_, title) => {
  const folder = new URL("../deep/console/", import.meta.url);
  const tests = readdirSync(folder).map((file) => readFileSync(new URL(file, folder), "utf8"));
  expect(tests.filter((text) => text.includes(`it(${JSON.stringify(title)},`)).length).toBe(1);
});
