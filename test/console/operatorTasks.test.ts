import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

/** What an operator does in a day, and the test in a real browser that does it. */
const tasks: readonly [task: string, test: string][] = [
  [
    "open a group or a user whose ID a ticket names",
    "opens what an ID names, whether that is a group or a user, and says where it is neither",
  ],
  [
    "come back to what was looked at before, by name",
    "offers what was opened last by a part of its name, and keeps what is pinned",
  ],
  ["find a member by a part of the name", "searches one Chinese character, filters by role, and takes both away again"],
  [
    "find the groups of a user",
    "leads from a member to its groups, and from a group to its members, and back leads back",
  ],
  ["see whom a user has blocked", "shows the blacklist with times that are seconds"],
  ["see what waits for a user", "shows the join requests that wait first, by result, with how many there are of each"],
  ["see what waits in one group", "shows what waits in one group, from the group"],
  ["find a robot among the notification accounts", "filters notification accounts by kind"],
  [
    "read all about a row, in words",
    "tells codes in words, groups the fields of a thing, and has the JSON one click away",
  ],
  ["go to row 123,456 of a large group", "goes to a row and to a page, keeps them in the address, and back leads back"],
  ["see what has changed since", "shows what has changed in the rows in view"],
  [
    "send a colleague a link",
    "knows the names of a group and a user also after the page was loaded anew, and in a link",
  ],
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
    "carry a CSV from a list into a setting",
    "saves all rows of a list, and the file serves to set a conversation for them",
  ],
  ["leave out users who are gone", "leaves out all users that do not exist with one click, however many they are"],
  ["look elsewhere while a long setting runs", "goes on with a run while somebody looks elsewhere, and shows it there"],
  ["save a whole list", "goes on with a download while somebody looks elsewhere, and tells how far it has come"],
  [
    "give the operation ID of a failure to a developer",
    "names a group that does not exist, with the operation ID of the request",
  ],
  ["work in several tabs", "signs in a new tab as the others, and signs all of them out together"],
  [
    "sign in anew when the token has expired, and go on",
    "asks for another token when this one has expired, and goes on where it was",
  ],
  [
    "know which environment this is, and as whom one works",
    "says which console it is, on each screen and in the title",
  ],
  ["work with the keyboard alone", "selects with the keyboard alone"],
];

it.each(tasks)("an operator can %s: a test in a browser does it", (_, title) => {
  const folder = new URL("../deep/console/", import.meta.url);
  const tests = readdirSync(folder).map((file) => readFileSync(new URL(file, folder), "utf8"));
  expect(tests.filter((text) => text.includes(`it(${JSON.stringify(title)},`)).length).toBe(1);
});
