import { Avatar } from "../parts/Avatar.js";
import { shownName } from "../parts/shownName.js";
import { Time } from "../parts/Time.js";
import { nameOf } from "../places/names.js";

/** A name. Below it is the value of a column that is left out. */
export function NameCell({ name, id, below = id }: { name: string; id: string; below?: string | undefined }) {
  return (
    <span class="name-cell">
      <Avatar name={shownName(name, id)} />
      <span class="name-lines">
        <bdi class="name">{shownName(name, id)}</bdi>
        <bdi class={below === id ? "sub id" : "sub"}>{below}</bdi>
      </span>
    </span>
  );
}

export function IdCell({ id }: { id: string }) {
  return <bdi class="id">{id}</bdi>;
}

/** A user, by name if it is known. */
export function UserCell({ id }: { id: string }) {
  const name = nameOf("user", id);
  if (id === "") return <span class="faint">–</span>;
  return name === "" ? <IdCell id={id} /> : <bdi title={id}>{shownName(name)}</bdi>;
}

export function TimeCell({ time }: { time: number }) {
  return time === 0 ? <span class="faint">–</span> : <Time at={time} />;
}

/** A state that should be seen among many others. */
export function Badge({ kind, children }: { kind: "strong" | "plain" | "good" | "bad" | "wait"; children: string }) {
  return <span class={`badge ${kind}`}>{children}</span>;
}
