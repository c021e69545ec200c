/** The initial of a name. Pictures are not loaded, since that would tell others who is looked at. */
export function Avatar({ name, isLarge }: { name: string; isLarge?: boolean }) {
  return (
    <span class={isLarge ? "avatar large" : "avatar"} aria-hidden="true" data-tint={tintOf(name)}>
      {initialOf(name)}
    </span>
  );
}

/** How many colours there are. */
const tints = 6;

/** The same colour for the same name. */
function tintOf(name: string): number {
  return [...name].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9973, 7) % tints;
}

/** The first letter as a reader sees it: of an emoji with a skin colour, all of it. */
function initialOf(text: string): string {
  const [first] = new Intl.Segmenter().segment(text);
  return first?.segment.toUpperCase() ?? "";
}
