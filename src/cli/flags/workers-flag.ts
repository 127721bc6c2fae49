import { availableParallelism } from 'node:os';
import type { Flag, FlagKind } from './flag.ts';

const most = 64;

const kind: FlagKind<number> = {
  word: 'number',
  parse(text) {
    const count = text === 'auto' ? Math.min(availableParallelism(), most) : Number(text);
    if (!/^(auto|\d+)$/.test(text) || count < 1 || count > most) throw new Error(`it takes a number from 1 to ${most}, or auto`);
    return count;
  },
  show: String,
};

export const workers = (help: string): Flag<number> => ({ kind, fallback: 1, help });
