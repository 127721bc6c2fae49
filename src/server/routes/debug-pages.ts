// Upstream: k8s.io/apiserver/pkg/server/{statusz,flagz}
import { notAcceptable } from '../../machinery/errors.ts';
import type { Request } from '../http/request.ts';
import type { Response } from '../http/response.ts';
import { textResponse } from '../http/response.ts';
import { accepts, parseAccept } from '../http/media-types.ts';
import type { PathMux } from '../http/path-mux.ts';

const warning =
  'Warning: This endpoint is not meant to be machine parseable, has no formatting compatibility guarantees and is for debugging purposes only.';

/** Paths that say nothing about the state of the process. */
const plainApi = /^\/(apis?|openid|openapi|\.well-known)(\/|$)/;

export interface StatusPage {
  readonly component: string;
  readonly startedAt: number;
  readonly now: () => number;
  readonly version: string;
  /** major and minor of the version whose behaviour is shown */
  readonly emulation: string;
}

/** `/statusz`: since when it runs, what it is, where to look further. For people; the separator changes so that programs do not parse it. */
export function installStatusPage(mux: PathMux, { component, startedAt, now, version, emulation }: StatusPage): void {
  mux.handle('/statusz', (request) => {
    requireText(request);
    const separator = separators[Math.floor(Math.random() * separators.length)] as string;
    const paths = [...mux.paths].filter((path) => path !== '/' && !plainApi.test(path)).toSorted();
    const lines = [
      `Started${separator} ${new Date(startedAt).toUTCString()}`,
      `Up${separator} ${uptime(now() - startedAt)}`,
      `Go version${separator} none`,
      `Binary version${separator} ${version}`,
      `Emulation version${separator} ${emulation}`,
      `Paths${separator} ${paths.join(' ')}`,
    ];
    return page(component, 'statusz', `\n${lines.join('\n')}\n`);
  });
}

/** `/flagz`: the flags in effect. */
export function installFlagPage(mux: PathMux, component: string, flags: () => ReadonlyMap<string, string>): void {
  mux.handle('/flagz', (request) => {
    requireText(request);
    const separator = separators[Math.floor(Math.random() * separators.length)] as string;
    const lines = [...flags()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, value]) => `${name}${separator}${value}\n`);
    return page(component, 'flagz', lines.join(''));
  });
}

const separators: readonly string[] = [':', ': ', '=', ' '];

function page(component: string, name: string, body: string): Response {
  return textResponse(200, `\n${component} ${name}\n${warning}\n${body}`, { 'content-type': 'text/plain' });
}

function requireText(request: Request): void {
  const accept = request.header('accept')?.trim() ?? '';
  if (accept === '' || parseAccept(accept).some((clause) => accepts(clause, 'text/plain'))) return;
  throw notAcceptable(['application/json', 'application/yaml', 'text/plain']);
}

function uptime(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  return `${Math.floor(seconds / 3600)} hr ${Math.floor(seconds / 60) % 60} min ${seconds % 60} sec`;
}
