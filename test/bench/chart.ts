import { ratio } from './report.ts';
import type { Row } from './phase.ts';

const line = 18;
const left = 270;
const width = 460;
const decades = { cpu: [0.01, 1], rate: [1, 100] } as const;

/** Two bars for each row under load: how much less CPU, how much more throughput, both on logarithmic scales. */
export function chart(rows: readonly Row[], title: string): string {
  const loaded = rows.filter(({ metrics }) => metrics.includes('rate'));
  const height = 70 + loaded.length * line;
  const parts = [
    text(10, 20, title, 'font-weight="bold"'),
    text(left, 40, 'CPU of the server for each operation, ours to the reference'),
    text(left + width + 60, 40, 'operations in a second, ours to the reference'),
    ...scale(left, decades.cpu, height),
    ...scale(left + width + 60, decades.rate, height),
    ...loaded.flatMap((row, index) => [
      text(10, 66 + index * line, row.name),
      ...bar(left, 56 + index * line, row, 'cpu', '#3b6ea5'),
      ...bar(left + width + 60, 56 + index * line, row, 'rate', '#4f8f4f'),
    ]),
  ];
  const size = `width="${left + 2 * width + 140}" height="${height}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="sans-serif" font-size="11">\n<rect width="100%" height="100%" fill="white"/>\n${parts.join('\n')}\n</svg>\n`;
}

function place(value: number, [from, to]: readonly [number, number]): number {
  const share = Math.log(value / from) / Math.log(to / from);
  return Math.max(0, Math.min(1, share)) * width;
}

function scale(at: number, decade: readonly [number, number], height: number): string[] {
  const marks = [1, 2, 5, 10, 20, 50, 100].map((one) => one * decade[0]);
  return marks.flatMap((mark) => {
    const x = (at + place(mark, decade)).toFixed(1);
    return [
      `<line x1="${x}" y1="46" x2="${x}" y2="${height - 16}" stroke="#ddd"/>`,
      text(Number(x) - 6, height - 4, String(Number(mark.toPrecision(2)))),
    ];
  });
}

/** As long as the ratio of all rounds, with a line from the lowest to the highest of one. */
function bar(at: number, y: number, row: Row, metric: 'cpu' | 'rate', colour: string): string[] {
  const value = ratio(row, metric);
  const end = place(value, decades[metric]);
  const range = row.ranges?.[metric];
  return [
    `<rect x="${at}" y="${y}" width="${end.toFixed(1)}" height="${line - 6}" fill="${colour}"/>`,
    ...(range === undefined
      ? []
      : [
          `<line x1="${(at + place(range[0], decades[metric])).toFixed(1)}" x2="${(at + place(range[1], decades[metric])).toFixed(1)}" y1="${y + 6}" y2="${y + 6}" stroke="black"/>`,
        ]),
    text(at + end + 4, y + 10, value.toFixed(value < 1 ? 2 : 1)),
  ];
}

function text(x: number, y: number, content: string, more = ''): string {
  return `<text x="${x.toFixed(1)}" y="${y}" ${more}>${content.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</text>`;
}
