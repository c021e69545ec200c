import type { TokenHolder } from "../api/readToken.js";
import { messages } from "../language/language.js";
import { Time } from "./Time.js";

/** Until when a token is valid. */
export function Until({ holder }: { holder: TokenHolder }) {
  const [before, after] = messages.value.shell.until("\n").split("\n");
  return (
    <>
      {before}
      <Time at={holder.expires} hasZone />
      {after}
    </>
  );
}
