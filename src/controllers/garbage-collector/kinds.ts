import { parseGroupVersion } from '../../machinery/group-version.ts';
import type { Discovered, ServedResource } from '../common/served-resources.ts';
import { preferred } from '../common/served-resources.ts';

const unwatched: ReadonlySet<string> = new Set(['/events', 'events.k8s.io/events']);

/** Which kinds the server has, and which of them are looked after. */
export class Kinds {
  readonly #byKind: ReadonlyMap<string, ServedResource>;
  /** resources whose objects can be collected, in the version that is preferred */
  readonly collected: readonly ServedResource[];
  readonly unknown: ReadonlySet<string>;
  readonly #names: ReadonlySet<string>;

  constructor({ resources, unknown }: Discovered) {
    this.#byKind = new Map(resources.map((one) => [keyOf(one), one]));
    this.unknown = new Set(unknown);
    this.#names = new Set(resources.map(({ group, resource }) => `${resource}.${group}`));
    this.collected = preferred(resources).filter(
      ({ group, resource, verbs }) =>
        ['delete', 'list', 'watch'].every((verb) => verbs.includes(verb)) && !unwatched.has(`${group}/${resource}`),
    );
  }

  resource(apiVersion: string, kind: string): ServedResource | undefined {
    const groupVersion = parseGroupVersion(apiVersion);
    return groupVersion && this.#byKind.get(keyOf({ ...groupVersion, kind }));
  }

  /** Whether a custom resource of this name, `plural.group`, is served. */
  has(definition: string): boolean {
    return this.#names.has(definition);
  }
}

function keyOf({ group, version, kind }: { group: string; version: string; kind: string }): string {
  return `${group}/${version}/${kind}`;
}
