/** How sure upstream is of a rule: alpha rules are only tried; those of beta level it has written by hand as well. */
export type Level = 'alpha' | 'beta' | 'stable';

/** A marker as types carry it: `beta(since: "1.37")=+k8s:subfield(name)=+k8s:format=k8s-long-name`. */
export interface Marker {
  readonly level: Level;
  readonly name: string;
  /** what stands in parentheses */
  readonly args: string;
  /** what follows the first `=`; for a marker of markers, the marker inside */
  readonly value: string;
  /** markers of one place are taken in the order of this name, which is that of the level where one is given */
  readonly orderedBy: string;
}

const shape = /^(\w+)(?:\(([^)]*)\))?(?:=(.*))?$/;

function withoutRemark(text: string): string {
  const at = text.search(/\s#/);
  return at < 0 ? text : text.slice(0, at);
}

export function parseMarker(text: string, level: Level = 'stable'): Marker {
  const found = shape.exec(withoutRemark(text).trim());
  if (found === null) throw new Error(`cannot read marker ${text}`);
  const [, name = '', args = '', value = ''] = found;
  if (name === 'alpha' || name === 'beta') return { ...parseMarker(inner(value), name), orderedBy: name };
  return { level, name, args: args.trim(), value: inner(value), orderedBy: name };
}

export function parseMarkers(texts: readonly string[] | undefined): readonly Marker[] {
  return (texts ?? [])
    .map((text) => parseMarker(text))
    .toSorted((a, b) => (a.orderedBy < b.orderedBy ? -1 : a.orderedBy > b.orderedBy ? 1 : 0));
}

/** The marker that a marker holds, at the level of the outer one. */
export function innerMarker({ value, level }: Marker): Marker {
  return parseMarker(value, level);
}

/** `type: "Approved"` → `['type', 'Approved']`; `"Queue"` → `['', 'Queue']` */
export function argument(args: string): readonly [name: string, value: string] {
  const colon = args.indexOf(':');
  return colon < 0 ? ['', unquoted(args)] : [args.slice(0, colon).trim(), unquoted(args.slice(colon + 1).trim())];
}

function inner(value: string): string {
  return unquoted(value.startsWith('+k8s:') ? value.slice('+k8s:'.length) : value);
}

function unquoted(text: string): string {
  return text.startsWith('"') ? (JSON.parse(text) as string) : text;
}
