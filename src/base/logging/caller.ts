import { readFileSync } from 'node:fs';
import { getCallSites } from 'node:util';

/** Where in the sources a line was logged. */
export interface Caller {
  /** the last folder of its path */
  readonly folder: string;
  readonly file: string;
  readonly line: number;
}

/** by the name of a bundled module and the place in it: path and line of the source */
type CallerTables = Readonly<Record<string, Readonly<Record<string, string>>>>;

const unknownCaller: Caller = { folder: '', file: '???', line: 1 };
/** frames of the logger, and then some: the caller is close */
const framesToLookAt = 6;
const ownFolder = new URL('.', import.meta.url).href;

/**
 * Finds callers. Asking costs some microseconds, so it is done for lines that are written, and never for those that are not. In a bundle
 * the place is looked up in a table that the build leaves beside it (tools/callers.ts), read when the first line is written.
 */
export class Callers {
  readonly #known = new Map<string, Caller | undefined>();
  #tables: CallerTables | undefined;

  find(): Caller {
    for (const site of getCallSites(framesToLookAt)) {
      const { scriptName, lineNumber } = site;
      // Node 22 has the older name alone.
      const { columnNumber: column = (site as unknown as { readonly column: number }).column } = site;
      const key = `${scriptName}:${lineNumber}:${column}`;
      let caller = this.#known.get(key);
      if (caller === undefined && !this.#known.has(key)) {
        caller = this.#callerAt(scriptName, lineNumber, column);
        this.#known.set(key, caller);
      }
      if (caller !== undefined) return caller;
    }
    return unknownCaller;
  }

  /** undefined: a frame of the logger itself, or of Node */
  #callerAt(script: string, line: number, column: number): Caller | undefined {
    if (script.endsWith('.ts')) return script.startsWith(ownFolder) && !script.endsWith('.test.ts') ? undefined : callerOf(script, line);
    if (!script.startsWith('file:')) return undefined;
    this.#tables ??= readTables();
    const place = this.#tables[script.slice(script.lastIndexOf('/') + 1)]?.[`${line}:${column}`];
    if (place === undefined) return undefined;
    const colon = place.lastIndexOf(':');
    return callerOf(place.slice(0, colon), Number(place.slice(colon + 1)));
  }
}

/** Of this bundle; empty where there is none. */
function readTables(): CallerTables {
  const root = ownFolder.endsWith('/chunks/') ? new URL('..', ownFolder) : new URL(ownFolder);
  try {
    return JSON.parse(readFileSync(new URL('callers.json', root), 'utf8')) as CallerTables;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}

function callerOf(path: string, line: number): Caller {
  const [file = '', folder = ''] = path.split('/').reverse();
  return { folder, file, line };
}
