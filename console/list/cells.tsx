import { formatTime } from "../language/format.js";

/** A name, and what stands below it where its own column is left out. */
export function NameCell({ name, id, below = id }: { name: string; id: string; below?: string | undefined }) {
  return (
    <span class="name-cell">
      <span class="avatar" aria-hidden="true">
        {initialOf(name || id)}
      </span>
      <span class="name-lines">
        <bdi class="name">{name || id}</bdi>
        <bdi class={below === id ? "sub id" : "sub"}>{below}</bdi>
      </span>
    </span>
  );
}

export function IdCell({ id }: { id: string }) {
  return <bdi class="id">{id}</bdi>;
}

export function TimeCell({ time }: { time: number }) {
  return time === 0 ? <span class="faint">–</span> : <time>{formatTime(time)}</time>;
}

/** A state that is worth to be seen among many others. */
export function Badge({ kind, children }: { kind: "strong" | "plain" | "good" | "bad" | "wait"; children: string }) {
  return <span class={`badge ${kind}`}>{children}</span>;
}

/** The first letter as a reader sees it: of an emoji with a skin colour, all of it. */
function initialOf(text: string): string {
  const [first] = new Intl.Segmenter().segment(text);
  return first?.segment.toUpperCase() ?? "";
}
