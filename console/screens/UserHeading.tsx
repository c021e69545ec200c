import { messages } from "../language/language.js";
import { findUserName } from "../places/find.js";
import { forget } from "../places/subjects.js";
import { Heading, historyTab } from "./Heading.js";
import { totalsOfUser } from "./totals.js";
import { useFound } from "./useFound.js";

interface UserHeadingProps {
  userID: string;
  screen: "groups" | "requests" | "blacklist";
}

/** The heading of a user, with links to the user's lists. */
export function UserHeading({ userID, screen }: UserHeadingProps) {
  const { user } = messages.value;
  const totals = useFound(
    (signal) => totalsOfUser(userID, signal),
    userID,
    () => forget({ kind: "user", id: userID }),
  );
  useFound((signal) => findUserName(userID, signal), userID);
  return (
    <Heading
      subject={{ kind: "user", id: userID }}
      tabsLabel={user.tabs}
      screen={screen}
      tabs={[
        { label: user.groups, to: { screen: "groups", userID, row: 1 }, count: totals?.groups },
        {
          label: user.requests,
          to: { screen: "requests", userID, result: "pending", row: 1 },
          pending: totals?.requests,
        },
        { label: user.blacklist, to: { screen: "blacklist", userID, row: 1 }, count: totals?.blacklist },
        ...historyTab({ user: userID }),
      ]}
    />
  );
}
