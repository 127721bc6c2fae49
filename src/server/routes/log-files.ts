// Upstream: k8s.io/kubernetes/pkg/routes/logs.go, std/net/http/fs.go#ServeFile
import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { serverResponseError } from '../../machinery/server-response-error.ts';
import type { PathMux } from '../http/path-mux.ts';
import type { Request } from '../http/request.ts';
import type { OutgoingHeaders, Response, StreamBody } from '../http/response.ts';
import { textResponse } from '../http/response.ts';

const prefix = '/logs';
const pieceBytes = 64 << 10;
/** as much of a file as tells what it is */
const sniffedBytes = 512;
/** names of a folder that are shown */
const mostNames = 10_000;

/** `/logs`: the files of a folder, for those who may read that path. */
export function installLogFiles(mux: PathMux, folder: string): void {
  const handler = (request: Request): Promise<Response> => {
    if (request.method !== 'GET') throw serverResponseError({ code: 405 });
    return serveFile(request, folder);
  };
  mux.handle(prefix, handler);
  mux.handlePrefix(`${prefix}/`, handler);
}

async function serveFile(request: Request, folder: string): Promise<Response> {
  const { path } = request;
  const segments = path.slice(prefix.length).split('/');
  // The whole path is what was authorized, and nothing above the folder is served.
  if (segments.includes('..') || path.includes('\0')) return textResponse(400, 'invalid URL path\n');
  const file = join(folder, ...segments);
  try {
    const found = await stat(file);
    if (found.isDirectory()) return path.endsWith('/') ? await folderPage(file) : redirect(`${path.slice(path.lastIndexOf('/') + 1)}/`);
    if (path.endsWith('/')) return redirect(`../${segments.at(-2) ?? ''}`);
    // A pipe would keep a thread waiting for ever.
    if (!found.isFile()) return textResponse(403, '403 Forbidden\n');
    return await content(request, file);
  } catch (error) {
    return failure(error as NodeJS.ErrnoException);
  }
}

function failure({ code }: NodeJS.ErrnoException): Response {
  if (code === 'ENAMETOOLONG') return textResponse(404, 'file not found\n');
  if (code === 'ENOENT' || code === 'ENOTDIR') return textResponse(404, '404 page not found\n');
  if (code === 'EACCES' || code === 'EPERM') return textResponse(403, '403 Forbidden\n');
  return textResponse(500, '500 Internal Server Error\n');
}

function redirect(location: string): Response {
  return { status: 301, headers: { location } };
}

async function folderPage(folder: string): Promise<Response> {
  const entries = (await readdir(folder, { withFileTypes: true })).toSorted((a, b) => (a.name < b.name ? -1 : 1)).slice(0, mostNames);
  const lines = entries.map((entry) => {
    const name = entry.isDirectory() ? `${entry.name}/` : entry.name;
    return `<a href="${name.split('/').map(encodeURIComponent).join('/')}">${withoutMarkup(name)}</a>\n`;
  });
  const page = `<!doctype html>\n<meta name="viewport" content="width=device-width">\n<pre>\n${lines.join('')}</pre>\n`;
  return { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body: Buffer.from(page) };
}

function withoutMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&#34;').replaceAll("'", '&#39;');
}

async function content(request: Request, path: string): Promise<Response> {
  const { size, mtime, type } = await withFile(path, async (file) => {
    const { size: bytes, mtime: time } = await file.stat();
    return { size: bytes, mtime: time, type: await typeOf(file) };
  });
  const modified = new Date(Math.floor(mtime.getTime() / 1000) * 1000);
  const headers: OutgoingHeaders = { 'last-modified': modified.toUTCString(), 'accept-ranges': 'bytes' };
  const since = Date.parse(request.header('if-modified-since') ?? '');
  if (modified.getTime() <= since) return { status: 304, headers };
  headers['content-type'] = type;
  const range = rangeOf(request.header('range'), size);
  if (range === 'none') return textResponse(416, 'invalid range: failed to overlap\n', { 'content-range': `bytes */${size}` });
  const { first, count } = range ?? { first: 0, count: size };
  headers['content-length'] = String(count);
  if (range !== undefined) headers['content-range'] = `bytes ${first}-${first + count - 1}/${size}`;
  return { status: range === undefined ? 200 : 206, headers, body: bodyOf(path, first, count) };
}

async function withFile<Result>(path: string, use: (file: FileHandle) => Promise<Result>): Promise<Result> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    return await use(file);
  } finally {
    await file.close();
  }
}

/**
 * Sends as many bytes as were promised; a file that has shrunk since ends early. The file is opened here, since a client that has gone
 * is never sent its body.
 */
function bodyOf(path: string, first: number, count: number): StreamBody {
  return (sink) =>
    withFile(path, async (file) => {
      for (let at = first; at < first + count && !sink.closed;) {
        const piece = Buffer.allocUnsafe(Math.min(pieceBytes, first + count - at));
        const { bytesRead } = await file.read(piece, 0, piece.length, at);
        if (bytesRead === 0) return;
        at += bytesRead;
        if (!sink.write(piece.subarray(0, bytesRead))) await sink.drained();
      }
    });
}

async function typeOf(file: FileHandle): Promise<string> {
  const start = Buffer.alloc(sniffedBytes);
  const { bytesRead } = await file.read(start, 0, sniffedBytes, 0);
  const bytes = start.subarray(0, bytesRead);
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return 'application/x-gzip';
  const isText = !bytes.some((byte) => byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0c && byte !== 0x0d && byte !== 0x1b);
  return isText ? 'text/plain; charset=utf-8' : 'application/octet-stream';
}

interface ByteRange {
  readonly first: number;
  readonly count: number;
}

/** One range, as `kubectl logs` of old and curl ask for; several are taken for none, which is allowed. */
function rangeOf(header: string | undefined, size: number): ByteRange | 'none' | undefined {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (from === '' && to === '') return undefined;
  const first = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const last = from === '' || to === '' ? size - 1 : Math.min(size - 1, Number(to));
  return first > last ? 'none' : { first, count: last - first + 1 };
}
