import { expect, it } from "vitest";
import { chinese } from "../../console/language/chinese.js";
import { english } from "../../console/language/messages.js";
import { dataOf, textsOf } from "../../console/language/textData.js";

const again = textsOf(JSON.parse(JSON.stringify(dataOf(chinese))), english);

/** All answers of a function of texts, where some texts are empty. */
function answers(text: (...given: never[]) => string): string[] {
  const given = Array.from({ length: text.length }, (_, index) => `{${index}} $& ${index}`);
  return Array.from({ length: 2 ** text.length }, (_, empty) =>
    text(...(given.map((one, index) => ((empty & (1 << index)) === 0 ? one : "")) as never[])),
  );
}

function compare(texts: unknown, others: unknown, path: string): void {
  if (typeof texts === "function") {
    const length = { value: texts.length };
    expect([path, answers(Object.defineProperty(others as () => string, "length", length))]).toEqual([
      path,
      answers(texts as () => string),
    ]);
  } else if (typeof texts === "object" && texts !== null) {
    expect(Object.keys(others as object)).toEqual(Object.keys(texts));
    for (const [name, text] of Object.entries(texts)) compare(text, (others as never)[name], `${path}.${name}`);
  } else expect([path, others]).toEqual([path, texts]);
}

it("says the same in Chinese from data as from the program", () => {
  compare(chinese, again, "");
  expect(again.members.level(7)).toBe("级别 7");
  expect(again.whom.allOf("5", "")).toBe("全部 5 名成员");
});
