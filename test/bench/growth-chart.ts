/** What one operation costs by how much there is, one panel for each thing that grows. */
export interface Panel {
  readonly title: string;
  readonly sizes: readonly number[];
  /** microseconds by operation, one for each size */
  readonly lines: Readonly<Record<string, readonly number[]>>;
}

const width = 420;
const height = 260;
const margin = { left: 60, top: 30, bottom: 40, right: 120 };
const colours = ['#3b6ea5', '#4f8f4f', '#b5651d', '#8e4585', '#555555'];
const lowest = 50;
const decades = 3;

/** Both scales are logarithmic; microseconds from 50 to 50,000. */
export function growthChart(panels: readonly Panel[]): string {
  const all = panels.map((panel, index) => `<g transform="translate(0 ${index * height})">${drawn(panel)}</g>`);
  const size = `width="${width + margin.right}" height="${panels.length * height}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="sans-serif" font-size="11">\n<rect width="100%" height="100%" fill="white"/>\n${all.join('\n')}\n</svg>\n`;
}

function drawn({ title, sizes, lines }: Panel): string {
  const last = Math.log10(Math.max(10, ...sizes));
  const x = (size: number): number => margin.left + (Math.log10(size) / last) * (width - margin.left - 10);
  const bottom = height - margin.bottom;
  const y = (cost: number): number => bottom - (Math.log10(Math.max(lowest, cost) / lowest) / decades) * (bottom - margin.top);
  const grid = Array.from({ length: decades + 1 }, (_, index) => lowest * 10 ** index).map(
    (cost) =>
      `<line x1="${margin.left}" x2="${width - 10}" y1="${y(cost).toFixed(1)}" y2="${y(cost).toFixed(1)}" stroke="#ddd"/>${text(4, y(cost) + 4, `${cost} µs`)}`,
  );
  const marks = sizes.map((size) => text(x(size) - 10, bottom + 16, size.toLocaleString('en')));
  const curves = Object.entries(lines).map(([name, costs], index) => {
    const colour = colours[index % colours.length] as string;
    const points = costs.map((cost, at) => `${x(sizes[at] as number).toFixed(1)},${y(cost).toFixed(1)}`).join(' ');
    return `<polyline points="${points}" fill="none" stroke="${colour}" stroke-width="2"/>${text(width, margin.top + 16 * (index + 1), name, `fill="${colour}"`)}`;
  });
  return [text(margin.left, 18, title, 'font-weight="bold"'), ...grid, ...marks, ...curves].join('\n');
}

function text(x: number, y: number, content: string, more = ''): string {
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" ${more}>${content}</text>`;
}
