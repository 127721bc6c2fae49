import type { Administrator } from './administrator.ts';

interface Group {
  readonly preferredVersion: { readonly groupVersion: string };
}

interface Resource {
  readonly name: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
}

interface Listed {
  readonly items: readonly { readonly metadata: { readonly name: string } }[];
}

/** Every object that discovery and lists show in a namespace, as `resource/name`. */
export async function remainsOf(api: Administrator, namespace: string): Promise<string[]> {
  const { groups } = await api.call<{ groups: readonly Group[] }>('GET', '/apis');
  const roots = ['/api/v1', ...groups.map(({ preferredVersion }) => `/apis/${preferredVersion.groupVersion}`)];
  const remains: string[] = [];
  for (const root of roots) {
    const { resources } = await api.call<{ resources: readonly Resource[] }>('GET', root);
    for (const { name, namespaced, verbs } of resources) {
      if (!namespaced || !verbs.includes('list')) continue;
      const { items } = await api.call<Listed>('GET', `${root}/namespaces/${namespace}/${name}`);
      remains.push(...items.map(({ metadata }) => `${name}/${metadata.name}`));
    }
  }
  return remains;
}
