import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GroupVersionKind } from '../../src/machinery/type-model.ts';

export const formats = ['json', 'yaml', 'pb'] as const;
export type Format = (typeof formats)[number];

/** One kind of upstream's compatibility data: what to read, and what writing it again has to give. */
export interface Fixture {
  readonly name: string;
  readonly gvk: GroupVersionKind;
  readonly input: Readonly<Record<Format, Buffer>>;
  readonly output: Readonly<Record<Format, Buffer>>;
}

export function readFixtures(directory: string): readonly Fixture[] {
  return readdirSync(directory)
    .filter((file) => file.endsWith('.json') && !file.includes('.after_roundtrip.'))
    .map((file) => readFixture(directory, file.slice(0, -'.json'.length)));
}

function readFixture(directory: string, name: string): Fixture {
  const [kind, version, ...group] = name.split('.').toReversed() as [string, string, ...string[]];
  const input = (format: Format): Buffer => readFileSync(join(directory, `${name}.${format}`));
  const output = (format: Format): Buffer => {
    const changed = join(directory, `${name}.after_roundtrip.${format}`);
    return existsSync(changed) ? readFileSync(changed) : input(format);
  };
  return {
    name,
    gvk: {
      group: group
        .toReversed()
        .join('.')
        .replace(/^core$/, ''),
      version,
      kind,
    },
    input: { json: input('json'), yaml: input('yaml'), pb: input('pb') },
    output: { json: output('json'), yaml: output('yaml'), pb: output('pb') },
  };
}
