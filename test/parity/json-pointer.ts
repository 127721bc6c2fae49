type Container = Record<string, unknown>;

const keysOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));

export const escapeKey = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

export function valueAt(root: unknown, pointer: string): unknown {
  let value = root;
  for (const key of keysOf(pointer)) {
    if (value === null || typeof value !== 'object') return undefined;
    value = (value as Container)[key];
  }
  return value;
}

/** Takes away what the pointer names; `*` names every key or index. Items of lists are marked instead, so that the others keep their place. */
export function removeAt(root: unknown, pointer: string): void {
  const keys = keysOf(pointer);
  const visit = (value: unknown, depth: number): void => {
    if (value === null || typeof value !== 'object') return;
    const container = value as Container;
    const key = keys[depth] as string;
    for (const one of key === '*' ? Object.keys(container) : [key].filter((name) => name in container)) {
      if (depth < keys.length - 1) visit(container[one], depth + 1);
      else if (Array.isArray(value)) value[Number(one)] = '<ignored>';
      else delete container[one];
    }
  };
  visit(root, 0);
}
