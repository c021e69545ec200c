/** The initial of a name. It loads no picture, because other servers would learn whom the administrator looks at. */
export function Avatar({ name, isLarge }: { name: string; isLarge?: boolean }) {
  return (
    <span class={isLarge ? "avatar large" : "avatar"} aria-hidden="true" translate={false} data-tint={tintOf(name)}>
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

/** The first character as a reader sees it, such as a whole emoji with its skin colour. */
function initialOf(text: string): string {
  // Older browsers have no segmenter, and show a part of such an emoji.
  const [first] = "Segmenter" in Intl ? new Intl.Segmenter().segment(text.slice(0, 64)) : [{ segment: [...text][0] }];
  return first?.segment?.toUpperCase() ?? "";
}
