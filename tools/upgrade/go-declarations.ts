/** What a Go file declares at its top level: by name, the text of the declaration without comments. Methods are `Type.Method`. */
export function declarationsOf(source: string): Map<string, string> {
  const declarations = new Map<string, string>();
  const add = (name: string, text: string): void => void declarations.set(name, `${declarations.get(name) ?? ''}${text}\n`);
  for (const text of blocksOf(withoutComments(source).split('\n'), /^(?:func|type|var|const)\b/, /^[})]/)) {
    const [, receiver, method] = /^func (?:\([^)]*?\*?(\w+)(?:\[[^\]]*\])?\) )?(\w+)/.exec(text) ?? [];
    if (method !== undefined) add(receiver === undefined ? method : `${receiver}.${method}`, text);
    else if (!/^\w+ \(/.test(text)) add(/^\w+ (\w+)/.exec(text)?.[1] ?? '', text);
    else for (const member of blocksOf(text.split('\n').slice(1, -1), /^\t\w/, /^\t[})]/)) add(/\w+/.exec(member)?.[0] ?? '', member);
  }
  return declarations;
}

/** Go sources are formatted: a block that does not end with its first line ends with a line as far to the left. */
function* blocksOf(lines: readonly string[], begins: RegExp, ends: RegExp): Generator<string> {
  for (let index = 0; index < lines.length; index++) {
    if (!begins.test(lines[index] as string)) continue;
    const first = index;
    if (/[{(]$/.test(lines[index] as string)) while (index + 1 < lines.length && !ends.test(lines[++index] as string));
    yield lines.slice(first, index + 1).join('\n');
  }
}

/** Comments are prose: a release that only rewords them changes nothing that can be followed. */
function withoutComments(source: string): string {
  return source
    .replaceAll(/^\s*\/\/.*\n/gm, '')
    .replaceAll(/[ \t]+\/\/ .*$/gm, '')
    .replaceAll(/^\/\*[\s\S]*?\*\/\n/gm, '');
}

/** Texts between quotes: many are messages that clients see. */
export function textsOf(declaration: string): Set<string> {
  return new Set(
    Array.from(declaration.matchAll(/"((?:[^"\\\n]|\\.){6,})"|`([^`]{6,})`/g), ([, quoted, raw]) => quoted ?? (raw as string)),
  );
}
