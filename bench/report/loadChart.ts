/** A chart of how much later light answers are beside heavy calls, in colours that are readable on white and on black. */
import { httpLoadTrials } from "../trials/httpLoad.js";
import type { Figure } from "./figures.js";
import { digits } from "./numbers.js";

const width = 720;
const left = 330;
const right = 660;
const top = 50;
const barHeight = 12;
const rowHeight = 38;
const neutral = "#808890";
const colors = ["#2f81f7", "#d9822b"];

export function loadChart(figures: readonly Figure[]): string {
  const names = httpLoadTrials.map(({ name }) => name);
  const shown = figures.filter(({ trial }) => names.includes(trial));
  const contestants = httpLoadTrials[0]?.contestants ?? [];
  const longest = Math.max(...shown.map(({ median }) => median));
  const scale = (right - left) / longest;
  const bottom = top + rowHeight * names.length;
  const title = "Light reads beside four heavy callers: p99, in times of what it is without them";
  const bars = shown.map(({ trial, contestant, median }) => {
    const place = contestants.indexOf(contestant);
    const y = top + rowHeight * names.indexOf(trial) + place * (barHeight + 2);
    const length = Math.max(1, Math.round(median * scale));
    return `<rect x="${left}" y="${y}" width="${length}" height="${barHeight}" fill="${colors[place]}"/>
<text x="${left + length + 5}" y="${y + 10}">${digits(median)}</text>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${bottom + 34}" width="${width}" font-family="sans-serif" font-size="12" fill="${neutral}">`,
    `<title>${title}</title>`,
    `<text x="16" y="24" font-size="15">${title}</text>`,
    ...names.map((name, row) => `<text x="16" y="${top + rowHeight * row + 18}">${labelOf(name)}</text>`),
    ...bars,
    ...contestants.map(
      (contestant, place) => `<circle cx="${left + 4 + 160 * place}" cy="${bottom + 12}" r="5" fill="${colors[place]}"/>
<text x="${left + 14 + 160 * place}" y="${bottom + 16}">${contestant}</text>`,
    ),
    "</svg>\n",
  ].join("\n");
}

function labelOf(trial: string): string {
  return trial.replace("light reads over HTTP beside ", "").replace(", p99", "");
}
