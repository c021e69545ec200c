import { expect, it, onTestFinished } from "vitest";
import { type LoadPage, Pages, rowsPerPage } from "../../console/list/pages.js";

/** The pages of a list whose rows are numbers, and the pages that were asked for. */
function pagesOf(lengthNow: () => number) {
  const asked: number[] = [];
  const load: LoadPage<number> = async (pageNumber) => {
    asked.push(pageNumber);
    const total = lengthNow();
    const start = (pageNumber - 1) * rowsPerPage;
    return { total, items: Array.from({ length: Math.min(rowsPerPage, total - start) }, (_, index) => start + index) };
  };
  const pages = new Pages(load);
  onTestFinished(() => pages.stop());
  return { pages, asked };
}

it("asks again for rows in view when the list has become longer", async () => {
  let length = 70;
  const { pages, asked } = pagesOf(() => length);
  pages.show(40, 69);
  await expect.poll(() => pages.itemAt(69)).toBe(69);
  length = 120;
  pages.show(60, 110);
  await expect.poll(() => pages.itemAt(110)).toBe(110);
  // Old rows stay until the new ones come, and rows that come are shown at once.
  expect(pages.itemAt(69)).toBe(69);
  expect(pages.isWithheld(99)).toBe(false);
  await expect.poll(() => pages.itemAt(99)).toBe(99);
  expect(asked).toEqual([1, 2, 3, 2]);
});

it("asks only once more, even if every answer has another length", async () => {
  let length = 1_000;
  const { pages, asked } = pagesOf(() => length++);
  pages.show(0, 60);
  await expect.poll(() => pages.total.value).toBe(1_002);
  pages.show(50, 120);
  await expect.poll(() => pages.itemAt(120)).toBe(120);
  await expect.poll(() => pages.total.value).toBe(1_004);
  expect(asked).toEqual([1, 2, 1, 3, 2]);
});

it("shows the old rows until the new ones come, and asks only for rows in view", async () => {
  const { pages, asked } = pagesOf(() => 200);
  pages.show(0, 120);
  await expect.poll(() => pages.itemAt(120)).toBe(120);
  pages.show(60, 70);
  pages.refresh();
  expect(pages.itemAt(60)).toBe(60);
  expect(pages.isLoading.value).toBe(true);
  await expect.poll(() => pages.isLoading.value).toBe(false);
  expect(asked).toEqual([1, 2, 3, 2]);
  pages.show(0, 10);
  await expect.poll(() => pages.itemAt(0)).toBe(0);
  expect(asked).toEqual([1, 2, 3, 2, 1]);
});
