import { messages } from "../language/language.js";
import { Link } from "../places/Link.js";
import { nameOf } from "../places/names.js";
import type { Place } from "../places/place.js";
import { Heading } from "./Heading.js";

interface UserHeadingProps {
  userID: string;
  screen: "groups" | "requests" | "blacklist";
}

/** Who is shown, and the lists that there are of a user. */
export function UserHeading({ userID, screen }: UserHeadingProps) {
  const { user } = messages.value;
  const places: readonly [string, Place][] = [
    [user.groups, { screen: "groups", userID, row: 1 }],
    [user.requests, { screen: "requests", userID, result: "pending", row: 1 }],
    [user.blacklist, { screen: "blacklist", userID, row: 1 }],
  ];
  return (
    <div class="heading-with-tabs">
      <Heading kind="user" name={nameOf("user", userID)} id={userID} />
      <nav class="tabs" aria-label={user.tabs}>
        {places.map(([label, to]) => (
          <Link key={label} to={to} isCurrent={to.screen === screen}>
            {label}
          </Link>
        ))}
      </nav>
    </div>
  );
}
