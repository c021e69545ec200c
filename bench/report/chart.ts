/** A chart of what a page costs at each depth, in colours that are readable on white and on black. */
import { chartedList, chartedPlaces } from "../trials/lists.js";
import type { Figure } from "./figures.js";
import { duration } from "./numbers.js";

const size = { width: 720, height: 400 };
const plot = { left: 80, right: 540, top: 50, bottom: 340 };
const neutral = "#808890";
const colors = ["#2f81f7", "#d9822b", "#a371f7"];

export function pagesChart(figures: readonly Figure[], members: number): string {
  const shown = figures.filter(({ trial }) => trial.startsWith(`${chartedList}:`));
  const contestants = [...new Set(shown.map(({ contestant }) => contestant))];
  const powers = shown.map(({ median }) => Math.log10(median));
  const lowest = Math.floor(Math.min(...powers));
  const highest = Math.ceil(Math.max(...powers));
  const x = (percent: number) => plot.left + ((plot.right - plot.left) * percent) / 100;
  const y = (power: number) => plot.bottom - ((plot.bottom - plot.top) * (power - lowest)) / (highest - lowest);

  const heights = Array.from({ length: highest - lowest + 1 }, (_, index) => lowest + index);
  const lines = contestants.flatMap((contestant, index) => {
    const medians = shown.filter((figure) => figure.contestant === contestant).map(({ median }) => median);
    const points = medians.map((median, place): Point => [x(chartedPlaces[place] ?? 0), y(Math.log10(median))]);
    return drawLine(points, medians, contestant, index);
  });
  const title = `A page of 20 members and the total, in a group of ${members.toLocaleString("en")}`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" width="${size.width}" font-family="sans-serif" font-size="12" fill="${neutral}">`,
    `<title>${title}</title>`,
    text([plot.left, 24], title, `font-size="15"`),
    ...heights.flatMap((power) => [
      `<path d="M${plot.left} ${y(power)}H${plot.right}" stroke="${neutral}" stroke-opacity="0.3"/>`,
      text([plot.left - 8, y(power) + 4], duration(10 ** power), `text-anchor="end"`),
    ]),
    ...[0, 25, 50, 75, 100].map((percent) => text([x(percent), plot.bottom + 20], `${percent} %`, centered)),
    text([x(50), plot.bottom + 42], "how deep in the list the page lies", centered),
    text([0, 0], "time of a call", `${centered} transform="translate(18 ${(plot.top + plot.bottom) / 2}) rotate(-90)"`),
    ...lines,
    "</svg>\n",
  ].join("\n");
}

type Point = readonly [x: number, y: number];
const centered = `text-anchor="middle"`;

/** The line of a contestant, and its entry in the legend with the first and the last page. */
function drawLine(points: readonly Point[], medians: readonly number[], contestant: string, index: number): string[] {
  const color = colors[index] ?? neutral;
  const rounded = points.map(([x, y]): Point => [Math.round(x), Math.round(y)]);
  const legend = plot.top + 14 + 48 * index;
  const left = plot.right + 24;
  return [
    `<polyline points="${rounded.join(" ")}" fill="none" stroke="${color}" stroke-width="2"/>`,
    ...rounded.map(([x, y]) => `<circle cx="${x}" cy="${y}" r="3" fill="${color}"/>`),
    `<circle cx="${left}" cy="${legend - 4}" r="5" fill="${color}"/>`,
    text([left + 12, legend], contestant, `font-size="13"`),
    text([left + 12, legend + 17], `${duration(medians[0] ?? 0)} … ${duration(medians.at(-1) ?? 0)}`),
  ];
}

function text([x, y]: Point, content: string, attributes = ""): string {
  return `<text x="${x}" y="${y}" ${attributes}>${content}</text>`;
}
