import { randomBytes } from 'node:crypto';
import { closeSync, fstatSync, mkdirSync, openSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cachedDataVersionTag } from 'node:v8';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';

type ImportLate = (path: string) => Promise<object>;
/** what a bundled script is: given the exports of the modules that it imports, it returns its own */
type BundledScript = (imports: readonly object[], importLate: ImportLate, url: string) => object;

/** Two checksums before the data: V8 itself looks at the length of the source alone, and at no part of the data. */
const headerBytes = 8;
const keptAfterMs = 10_000;
/** characters; a script below that takes a millisecond or two to compile */
const largeScript = 100 << 10;
const unusedAfterMs = 30 * 24 * 3600 * 1000;

/**
 * Runs a script of the bundle (tools/script-chunks.ts makes them) with code that an earlier process has compiled, in which case more than half of
 * the time of loading is saved. Node's own cache of compiled code would do the same to every module of the process, which is not for a library to decide.
 */
export function loadScript(file: URL, importLate: ImportLate, imports: readonly object[]): object {
  const bytes = readFileSync(file);
  const sourceSum = crc32(bytes);
  const path = cachePath(file);
  const cachedData = path === undefined ? undefined : readKept(path, sourceSum);
  const script = new Script(bytes.toString('latin1'), {
    filename: file.href,
    ...(cachedData !== undefined && { cachedData }),
  });
  const run = script.runInThisContext() as BundledScript;
  if (path !== undefined && (cachedData === undefined || script.cachedDataRejected === true))
    keepLater(script, path, sourceSum, bytes.length);
  return run(imports, importLate, file.href);
}

/** undefined: nothing is kept. A folder for each version of Node and set of its flags, as V8 tells them apart. */
function cachePath(file: URL): string | undefined {
  const { NODE_DISABLE_COMPILE_CACHE: disabled, NODE_COMPILE_CACHE: given, XDG_CACHE_HOME: cache, HOME: home } = process.env;
  if (disabled) return undefined;
  const user = process.getuid?.() ?? 'user';
  const folder = given || (cache || home ? join(cache || join(home ?? '', '.cache'), 'wheelhouse') : join(tmpdir(), `wheelhouse-${user}`));
  const name = file.href.slice(file.href.lastIndexOf('/') + 1);
  return join(folder, `code-${process.version}-${process.arch}-${cachedDataVersionTag().toString(16)}`, name);
}

/** undefined where there is none, or none that this user has written whole and of this source. */
function readKept(path: string, sourceSum: number): Buffer | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(path, 'r');
  } catch {
    // It is not there yet, or cannot be read: the source is compiled.
    return undefined;
  }
  try {
    const { uid, mode } = fstatSync(descriptor);
    // Compiled code is code: no other user may have written it.
    if (process.getuid !== undefined && (uid !== process.getuid() || (mode & 0o022) !== 0)) return undefined;
    const all = readFileSync(descriptor);
    const data = all.subarray(headerBytes);
    const isWhole = data.length > 0 && all.readUInt32LE(0) === sourceSum && all.readUInt32LE(4) === crc32(data);
    return isWhole ? data : undefined;
  } catch {
    return undefined;
  } finally {
    closeSync(descriptor);
  }
}

/** When a start is over, with the functions that it has used, or when the process ends before: a server that is killed has kept it, too. */
function keepLater(script: Script, path: string, sourceSum: number, size: number): void {
  const keep = (): void => {
    clearTimeout(timer);
    process.off('exit', keep);
    const data = script.createCachedData();
    const header = Buffer.alloc(headerBytes);
    header.writeUInt32LE(sourceSum, 0);
    header.writeUInt32LE(crc32(data), 4);
    try {
      writeWhole(path, Buffer.concat([header, data]));
    } catch {
      // A folder that cannot be written to, or a full disk: the next start compiles again.
    }
  };
  const timer = setTimeout(keep, keptAfterMs).unref();
  // A process has few listeners before Node warns of a leak, and they are not ours alone.
  if (size >= largeScript) process.on('exit', keep);
}

function writeWhole(path: string, bytes: Buffer): void {
  const folder = join(path, '..');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const unfinished = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    writeFileSync(unfinished, bytes, { mode: 0o600, flag: 'wx' });
    renameSync(unfinished, path);
  } finally {
    rmSync(unfinished, { force: true });
  }
  // Of builds that are gone.
  const now = Date.now();
  for (const name of readdirSync(folder)) {
    const other = join(folder, name);
    if (now - statSync(other).mtimeMs > unusedAfterMs) rmSync(other);
  }
}
