// Messages that show what changed in an object carry a unified diff. Where two texts have several shortest differences, clients see the one
// that longest-common-block matching finds (the method of Python's difflib), so that method it is.

const context = 3;
/** From this many lines on, lines that repeat often are no anchors. */
const popularFrom = 200;

interface Block {
  readonly left: number;
  readonly right: number;
  readonly size: number;
}

/** A stretch of both texts: equal, or replaced (either side may be empty). */
interface Change {
  readonly equal: boolean;
  readonly left: readonly [start: number, end: number];
  readonly right: readonly [start: number, end: number];
}

/** Hunks only, without file names; '' for equal texts. */
export function unifiedDiff(left: string, right: string): string {
  const [a, b] = [left.split('\n'), right.split('\n')];
  let text = '';
  for (const hunk of hunksOf(changesOf(a, b))) {
    const [first, last] = [hunk[0] as Change, hunk.at(-1) as Change];
    text += `@@ -${rangeOf(first.left[0], last.left[1])} +${rangeOf(first.right[0], last.right[1])} @@\n`;
    for (const {
      equal,
      left: [from, to],
      right: [start, end],
    } of hunk) {
      if (equal) text += lines(' ', a, from, to);
      else text += lines('-', a, from, to) + lines('+', b, start, end);
    }
  }
  return text;
}

function lines(mark: string, all: readonly string[], from: number, to: number): string {
  return all
    .slice(from, to)
    .map((line) => `${mark}${line}\n`)
    .join('');
}

function rangeOf(start: number, end: number): string {
  const length = end - start;
  if (length === 1) return String(start + 1);
  return `${length === 0 ? start : start + 1},${length}`;
}

function hunksOf(changes: readonly Change[]): Change[][] {
  const hunks: Change[][] = [];
  let hunk: Change[] = [];
  changes.forEach((change, index) => {
    const { equal, left, right } = change;
    const length = left[1] - left[0];
    const isFirst = index === 0;
    const isLast = index === changes.length - 1;
    if (!equal) hunk.push(change);
    else if (!isFirst && !isLast && length <= 2 * context) hunk.push(change);
    else {
      const keep = Math.min(context, length);
      if (!isFirst) hunk.push({ equal, left: [left[0], left[0] + keep], right: [right[0], right[0] + keep] });
      if (isLast) return;
      if (!isFirst) hunks.push(hunk);
      hunk = [{ equal, left: [left[1] - keep, left[1]], right: [right[1] - keep, right[1]] }];
    }
  });
  if (hunk.some(({ equal }) => !equal)) hunks.push(hunk);
  return hunks;
}

function changesOf(a: readonly string[], b: readonly string[]): Change[] {
  const changes: Change[] = [];
  let [left, right] = [0, 0];
  for (const block of [...matchingBlocks(a, b), { left: a.length, right: b.length, size: 0 }]) {
    if (left < block.left || right < block.right) changes.push({ equal: false, left: [left, block.left], right: [right, block.right] });
    [left, right] = [block.left + block.size, block.right + block.size];
    if (block.size > 0) changes.push({ equal: true, left: [block.left, left], right: [block.right, right] });
  }
  return changes;
}

/** The longest common block, then the same on both sides of it; neighbours joined. */
function matchingBlocks(a: readonly string[], b: readonly string[]): Block[] {
  const positions = anchorsOf(b);
  const found: Block[] = [];
  const visit = (aLow: number, aHigh: number, bLow: number, bHigh: number): void => {
    const block = longestMatch(a, b, positions, aLow, aHigh, bLow, bHigh);
    const { left, right, size } = block;
    if (size === 0) return;
    if (aLow < left && bLow < right) visit(aLow, left, bLow, right);
    const last = found.at(-1);
    if (last !== undefined && last.left + last.size === left && last.right + last.size === right) {
      found[found.length - 1] = { ...last, size: last.size + size };
    } else found.push(block);
    if (left + size < aHigh && right + size < bHigh) visit(left + size, aHigh, right + size, bHigh);
  };
  visit(0, a.length, 0, b.length);
  return found;
}

/** Where each line is; without those that are everywhere. */
function anchorsOf(b: readonly string[]): Map<string, number[]> {
  const positions = new Map<string, number[]>();
  b.forEach((line, index) => {
    const known = positions.get(line);
    if (known === undefined) positions.set(line, [index]);
    else known.push(index);
  });
  if (b.length < popularFrom) return positions;
  const most = Math.trunc(b.length / 100) + 1;
  for (const [line, all] of positions) if (all.length > most) positions.delete(line);
  return positions;
}

function longestMatch(
  a: readonly string[],
  b: readonly string[],
  positions: ReadonlyMap<string, readonly number[]>,
  aLow: number,
  aHigh: number,
  bLow: number,
  bHigh: number,
): Block {
  let [left, right, size] = [aLow, bLow, 0];
  /** length of the match that ends at each position of b, for the line of a before */
  let ending = new Map<number, number>();
  for (let i = aLow; i < aHigh; i++) {
    const next = new Map<number, number>();
    for (const j of positions.get(a[i] as string) ?? []) {
      if (j < bLow) continue;
      if (j >= bHigh) break;
      const length = (ending.get(j - 1) ?? 0) + 1;
      next.set(j, length);
      if (length > size) [left, right, size] = [i - length + 1, j - length + 1, length];
    }
    ending = next;
  }
  while (left > aLow && right > bLow && a[left - 1] === b[right - 1]) [left, right, size] = [left - 1, right - 1, size + 1];
  while (left + size < aHigh && right + size < bHigh && a[left + size] === b[right + size]) size++;
  return { left, right, size };
}
