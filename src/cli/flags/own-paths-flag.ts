import type { OwnPathsConfig } from '../../controlplane/own-paths.ts';
import type { Flag, FlagKind } from './flag.ts';

const names = ['backup', 'snapshots'] as const;
type OwnPath = (typeof names)[number];

const kind: FlagKind<readonly OwnPath[]> = {
  word: 'names',
  parse(text) {
    const asked = text.split(',').map((name) => name.trim());
    const unknown = asked.filter((name) => !names.some((known) => known === name));
    if (unknown.length > 0) throw new Error(`there is no ${unknown.join(', ')}; there are ${names.join(' and ')}`);
    return names.filter((name) => asked.includes(name));
  },
  show: (value) => value.join(','),
};

export const ownPaths = (help: string): Flag<readonly OwnPath[]> => ({ kind, fallback: [], help });

export function ownPathsConfig({ 'wheelhouse-api': asked }: { readonly 'wheelhouse-api': readonly OwnPath[] }): OwnPathsConfig {
  return { backup: asked.includes('backup'), snapshots: asked.includes('snapshots') };
}
