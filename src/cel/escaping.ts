// Upstream: k8s.io/apiserver/pkg/cel/escaping.go

const reserved: ReadonlySet<string> = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(' '),
);

export const isReserved = (name: string): boolean => reserved.has(name);

const parts: Readonly<Record<string, string>> = { __: '__underscores__', '.': '__dot__', '-': '__dash__', '/': '__slash__' };
const meanings: Readonly<Record<string, string>> = { underscores: '__', dot: '.', dash: '-', slash: '/' };

/** The identifier by which a property is known in expressions; undefined when there is none. */
export function escapeField(name: string): string | undefined {
  if (name === '' || /^[0-9]/.test(name)) return undefined;
  if (reserved.has(name)) return `__${name}__`;
  if (/[^a-zA-Z0-9\-./_]/.test(name)) return undefined;
  return name.replaceAll(/__|[-./]/g, (part) => parts[part]!);
}

/** The property that an identifier stands for; undefined when it is not a valid escape. */
export function unescapeField(identifier: string): string | undefined {
  if (!identifier.includes('__')) return identifier;
  let isValid = true;
  const name = identifier.replaceAll(/__[^_]+__/g, (part) => {
    const content = part.slice(2, -2);
    const meaning = meanings[content];
    if (meaning !== undefined) return meaning;
    if (reserved.has(content) && part.length === identifier.length) return content;
    isValid = false;
    return '';
  });
  return isValid ? name : undefined;
}
