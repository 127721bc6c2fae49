// RFC 7541, appendix B. The code is canonical: the lengths of its words say what they are.
import { once } from '../once.ts';

/** of the words of the 256 bytes in turn, in base 36; the end of a string, which never comes as a whole, has 30 bits */
const lengths =
  'dnsssssssoussussssssssusssssssss6aacd68baa8b8666555666666678f6cad67777777777777777777777878djde6' +
  'f56565666577666567655677777fbedskmkkmmmnmnnnnnonoomnonnnnlmnmnnomlkmmnnlnmmolmnnllmlnmnnkmmmnmmn' +
  'qqkjmnmpqqqrrqopjlqrrqrollqqsrrrkoklmllnmmppooqnqrqqrrrrrsrrrrrq';

const none = -1;
const failed = 0xff_ff;
const shortest = 5;

/** What four bits do to a state: the next state, and the byte that they complete. */
interface Steps {
  readonly next: Uint16Array;
  readonly byte: Int16Array;
  /** states in which a string may end: what is left of the last byte are ones, fewer than eight */
  readonly final: Uint8Array;
}

/** Made for the first string: to make them takes a start 3 ms, and V8's optimizing compiler with them, 5.5 MB of which stay resident. */
const steps = once(makeSteps);

/** How many bytes the text of so many has at most. */
export function longestDecoded(encoded: number): number {
  return Math.floor((encoded * 8) / shortest);
}

/** Decodes into `target`; returns the length of the text, or -1 for what is not in the code. */
export function decodeHuffman(source: Buffer, start: number, end: number, target: Buffer): number {
  const { next, byte, final } = steps();
  let state = 0;
  let length = 0;
  for (let at = start; at < end; at++) {
    const bits = source[at] as number;
    let step = (state << 4) | (bits >> 4);
    let found = byte[step] as number;
    if (found !== none) target[length++] = found;
    state = next[step] as number;
    if (state === failed) return -1;
    step = (state << 4) | (bits & 15);
    found = byte[step] as number;
    if (found !== none) target[length++] = found;
    state = next[step] as number;
    if (state === failed) return -1;
  }
  return final[state] === 1 ? length : -1;
}

/** Inner nodes of the tree of words are states; the root is the first. */
function makeSteps(): Steps {
  const tree = makeTree();
  const states = tree.length / 2;
  const next = new Uint16Array(states * 16);
  const byte = new Int16Array(states * 16).fill(none);
  for (let state = 0; state < states; state++) {
    for (let bits = 0; bits < 16; bits++) {
      let node = state;
      for (let bit = 3; bit >= 0 && node !== failed; bit--) {
        const child = tree[2 * node + ((bits >> bit) & 1)] ?? none;
        if (child < 0) {
          // A leaf. No word is shorter than five bits: four bits complete one at most.
          byte[state * 16 + bits] = -child - 2;
          node = 0;
        } else {
          node = child === 0 ? failed : child;
        }
      }
      next[state * 16 + bits] = node;
    }
  }
  const final = new Uint8Array(states);
  let ones = 0;
  for (let depth = 0; depth < 8; depth++) {
    final[ones] = 1;
    ones = tree[2 * ones + 1] as number;
  }
  return { next, byte, final };
}

/** Two children for each inner node: the number of a node, 0 for none, or -2 and below for a byte. */
function makeTree(): number[] {
  const tree = [0, 0];
  const symbols = [...lengths].map((digit, symbol) => ({ symbol, length: Number.parseInt(digit, 36) }));
  symbols.sort((a, b) => a.length - b.length || a.symbol - b.symbol);
  let code = 0;
  let before = shortest;
  for (const { symbol, length } of symbols) {
    code *= 2 ** (length - before);
    before = length;
    let node = 0;
    for (let bit = length - 1; bit > 0; bit--) {
      const place = 2 * node + (Math.floor(code / 2 ** bit) % 2);
      if (tree[place] === 0) {
        tree[place] = tree.length / 2;
        tree.push(0, 0);
      }
      node = tree[place] as number;
    }
    tree[2 * node + (code % 2)] = -symbol - 2;
    code++;
  }
  return tree;
}
