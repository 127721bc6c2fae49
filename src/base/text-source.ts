import { readFileSync } from 'node:fs';

/** Text itself, or the file that has it. */
export type TextSource = string | { readonly file: string };

/** Throws in the words of Go where there is no such file. */
export function readText(source: TextSource): string {
  if (typeof source === 'string') return source;
  try {
    return readFileSync(source.file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new Error(`open ${source.file}: no such file or directory`, { cause: error });
  }
}
