import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** What `facts.go` prints about a package. */
export interface PackageFacts {
  readonly types: Readonly<Record<string, Declaration>>;
  readonly constants: readonly Constant[];
  readonly kinds: readonly { readonly kind: string; readonly type: string }[];
}

export interface Declaration {
  readonly struct?: boolean;
  /** another name for the same type, not a type of its own */
  readonly alias?: boolean;
  /** Go's notation with full import paths: `map[string]*k8s.io/api/core/v1.Pod` */
  readonly type?: string;
  readonly fields?: readonly GoField[];
  readonly markers?: readonly string[];
}

export interface GoField {
  readonly name: string;
  readonly type: string;
  readonly embeds?: boolean;
  readonly json: string | null;
  readonly proto?: string;
  readonly patchStrategy?: string;
  readonly patchMergeKey?: string;
  readonly markers?: readonly string[];
}

export interface Constant {
  readonly name: string;
  readonly type?: string;
  readonly value: string;
  /** another constant that has the value */
  readonly ref?: string;
  readonly markers?: readonly string[];
}

export function readGoFacts(packages: readonly { path: string; directory: string }[]): Readonly<Record<string, PackageFacts>> {
  const program = join(import.meta.dirname, 'facts.go');
  const output = execFileSync('go', ['run', program, ...packages.flatMap(({ path, directory }) => [path, directory])], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  return JSON.parse(output) as Record<string, PackageFacts>;
}

/** The values of a marker: `+listMapKey=a` twice gives both. */
export function markerValues(markers: readonly string[] | undefined, name: string): string[] {
  return (markers ?? []).filter((marker) => marker.startsWith(`${name}=`)).map((marker) => marker.slice(name.length + 1).trim());
}

export function hasMarker(markers: readonly string[] | undefined, name: string): boolean {
  return (markers ?? []).some((marker) => marker === name || marker.startsWith(`${name}=`) || marker.startsWith(`${name}:`));
}
