import type { Writable } from 'node:stream';
import type { LineWriter } from './log-backend.ts';

/** For `--audit-log-path=-`. */
export function streamWriter(stream: Writable): LineWriter {
  return {
    write: (line) =>
      new Promise((resolve, reject) => stream.write(line, (error) => (error === null || error === undefined ? resolve() : reject(error)))),
    close: async () => {},
  };
}
