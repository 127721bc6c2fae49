// Upstream: k8s.io/component-base/cli/flag/flags.go#PrintFlags
import type { Flags } from './flags/flag.ts';

/** Flags in effect as the log and /flagz show them, by name. */
export function flagTexts(flags: Flags, values: Readonly<Record<string, unknown>>): Map<string, string> {
  const names = Object.keys(flags).toSorted();
  return new Map(names.map((name) => [name, flags[name]?.kind.text?.(values[name]) ?? plainText(values[name])]));
}

function plainText(value: unknown): string {
  return Array.isArray(value) ? `[${value.join(',')}]` : String(value);
}
