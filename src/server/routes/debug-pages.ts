// Upstream: k8s.io/apiserver/pkg/server/{statusz,flagz}
import { timestamp } from '../../machinery/time.ts';
import type { ApiError } from '../../machinery/errors.ts';
import { notAcceptable } from '../../machinery/errors.ts';
import type { Request } from '../http/request.ts';
import type { Response } from '../http/response.ts';
import type { Media } from '../http/media-types.ts';
import { accepts, contentTypes, parseAccept } from '../http/media-types.ts';
import type { PathMux } from '../http/path-mux.ts';
import type { Codecs } from '../object/codecs.ts';
import { encodeObject, metaType } from '../object/codecs.ts';

const warning =
  'Warning: This endpoint is not meant to be machine parseable, has no formatting compatibility guarantees and is for debugging purposes only.';

/** First parts of paths that say nothing about the state of the process. */
const plainApi: ReadonlySet<string> = new Set(['', 'api', 'apis', 'openid', 'openapi', '.well-known']);

export interface StatusPage {
  readonly component: string;
  readonly startedAt: number;
  readonly now: () => number;
  readonly version: string;
  /** major and minor of the version whose behaviour is shown */
  readonly emulation: string;
}

/** `/statusz`: since when it runs, what it is, where to look further. */
export function installStatusPage(mux: PathMux, codecs: Codecs, { component, startedAt, now, version, emulation }: StatusPage): void {
  const goVersion = 'none';
  const paths = (): string[] => {
    const folders = new Set([...mux.paths].map((path) => path.split('/')[1] ?? ''));
    return [...folders.difference(plainApi)].map((folder) => `/${folder}`).toSorted();
  };
  installPage(mux, codecs, {
    component,
    name: 'statusz',
    kind: 'Statusz',
    fields: () => ({
      startTime: timestamp(startedAt),
      uptimeSeconds: Math.floor((now() - startedAt) / 1000),
      goVersion,
      binaryVersion: version,
      emulationVersion: emulation,
      paths: paths(),
    }),
    text(separator) {
      const lines = [
        `Started${separator} ${unixDate(startedAt)}`,
        `Up${separator} ${uptime(now() - startedAt)}`,
        `Go version${separator} ${goVersion}`,
        `Binary version${separator} ${version}`,
        `Emulation version${separator} ${emulation}`,
        `Paths${separator} ${paths().join(' ')}`,
      ];
      return `\n${lines.join('\n')}\n`;
    },
  });
}

/** `/flagz`: the flags in effect. */
export function installFlagPage(mux: PathMux, codecs: Codecs, component: string, flags: () => ReadonlyMap<string, string>): void {
  const sorted = (): [string, string][] => [...flags()].toSorted(([a], [b]) => (a < b ? -1 : 1));
  installPage(mux, codecs, {
    component,
    name: 'flagz',
    kind: 'Flagz',
    fields: () => ({ flags: Object.fromEntries(sorted()) }),
    text: (separator) =>
      sorted()
        .map(([name, value]) => `${name}${separator}${value}\n`)
        .join(''),
  });
}

interface Page {
  readonly component: string;
  readonly name: string;
  /** of config.k8s.io */
  readonly kind: string;
  fields(): Readonly<Record<string, unknown>>;
  /** for people: the separator changes, so that programs do not parse it */
  text(separator: string): string;
}

const separators: readonly string[] = [':', ': ', '=', ' '];
const group = 'config.k8s.io';
const versions: readonly string[] = ['v1beta1', 'v1alpha1'];

function installPage(mux: PathMux, codecs: Codecs, page: Page): void {
  const { component, name, kind } = page;
  const offered: readonly (Media | 'text')[] = ['json', 'yaml', 'text', ...(codecs.served.cbor ? (['cbor'] as const) : [])];
  mux.handle(`/${name}`, (request) => {
    const form = negotiate(request, kind, offered);
    if (form === undefined) return refusal(codecs, request, notAcceptable(offered.map(typeOf)));
    if (form.media === 'text') {
      const separator = separators[Math.floor(Math.random() * separators.length)] as string;
      const text = `\n${component} ${name}\n${warning}\n${page.text(separator)}`;
      return { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: Buffer.from(text) };
    }
    const object = { kind, apiVersion: `${group}/${form.version}`, metadata: { name: component }, ...page.fields() };
    return structured(codecs, form.media, form.version, object, name);
  });
}

/** These pages have no protobuf, not even for errors: what is thrown would be shown in it. */
function refusal(codecs: Codecs, request: Request, error: ApiError): Response {
  if (!request.header('accept')?.includes(contentTypes.protobuf)) throw error;
  const { status } = error;
  return {
    status: 406,
    headers: { 'content-type': contentTypes.json },
    body: encodeObject(codecs, 'json', status, metaType(codecs, 'Status'), true),
  };
}

function structured(codecs: Codecs, media: Media, version: string, object: { readonly kind: string }, name: string): Response {
  const body =
    media === 'yaml'
      ? Buffer.from(codecs.yaml.encodeUnstructured(object))
      : media === 'cbor'
        ? codecs.cbor.encodeUnstructured(object, 'shuffled')
        : Buffer.from(`${JSON.stringify(object)}\n`);
  const isOld = version !== versions[0];
  return {
    status: 200,
    headers: {
      'content-type': `${contentTypes[media]};g=${group};v=${version};as=${object.kind}`,
      ...(isOld && { warning: `299 - "This version of the ${name} endpoint is deprecated. Please use a newer version."` }),
    },
    body,
  };
}

type Form = { readonly media: 'text' } | { readonly media: Media; readonly version: string };

/** Text has no version, and everything else must name one. */
function negotiate(request: Request, kind: string, offered: readonly (Media | 'text')[]): Form | undefined {
  const accept = request.header('accept')?.trim() ?? '';
  if (accept === '') return { media: 'text' };
  for (const clause of parseAccept(accept)) {
    const { as, g, v, stream, sv } = clause.params;
    if (stream || sv) continue;
    const isPlain = as === undefined && g === undefined && v === undefined;
    const isKnown = as === kind && g === group && v !== undefined && versions.includes(v);
    for (const media of offered) {
      if (!accepts(clause, typeOf(media))) continue;
      if (media === 'text') {
        if (isPlain) return { media };
      } else if (isKnown) return { media, version: v };
    }
  }
  return undefined;
}

function typeOf(media: Media | 'text'): string {
  return media === 'text' ? 'text/plain' : contentTypes[media];
}

/** `Tue Nov 17 06:01:15 UTC 2026` */
function unixDate(milliseconds: number): string {
  const [day = '', date = '', month = '', year = '', time = ''] = new Date(milliseconds).toUTCString().replace(',', '').split(' ');
  return `${day} ${month} ${date.replace(/^0/, ' ')} ${time} UTC ${year}`;
}

function uptime(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${Math.floor(seconds / 3600)} hr ${two(Math.floor(seconds / 60) % 60)} min ${two(seconds % 60)} sec`;
}
