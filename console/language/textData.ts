/** Texts as data: strings, and for a function its answers, or one answer if its texts are only inserted. */
export type TextData = string | readonly TextData[] | { readonly [name: string]: TextData };

/** Makes data of texts. Each function of texts is asked for what it says where some of them are empty. */
export function dataOf(texts: unknown): TextData {
  if (typeof texts === "function") return answersOf(texts as (...given: string[]) => string);
  if (Array.isArray(texts)) return texts.map(dataOf);
  if (typeof texts !== "object" || texts === null) return String(texts);
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, dataOf(text)]));
}

function answersOf(text: (...given: string[]) => string): TextData {
  const places = Array.from({ length: text.length }, (_, index) => `{${index}}`);
  const answers = Array.from({ length: 2 ** text.length }, (_, empty) =>
    text(...places.map((place, index) => (isIn(empty, index) ? "" : place))),
  );
  const [whole = ""] = answers;
  const isInserted = answers.every(
    (answer, empty) =>
      answer === whole.replace(/\{(\d)\}/g, (place, index) => (isIn(empty, Number(index)) ? "" : place)),
  );
  return isInserted ? whole : answers;
}

function isIn(empty: number, index: number): boolean {
  return (empty & (1 << index)) !== 0;
}

/** Makes texts of data, with functions where others of the same shape have them. */
export function textsOf<Texts>(data: TextData, like: Texts): Texts {
  if (typeof like === "function") return textFunction(data) as Texts;
  if (typeof like !== "object" || like === null) return data as Texts;
  const entries = Object.entries(data).map(([name, part]) => [name, textsOf(part, like[name as keyof Texts])]);
  return (Array.isArray(like) ? entries.map(([, text]) => text) : Object.fromEntries(entries)) as Texts;
}

function textFunction(data: TextData) {
  return (...given: unknown[]) => {
    const empty = given.reduce<number>((sum, text, index) => sum | (text === "" ? 1 << index : 0), 0);
    const answer = String(Array.isArray(data) ? data[empty] : data);
    return answer.replace(/\{(\d)\}/g, (_, index) => String(given[index]));
  };
}
