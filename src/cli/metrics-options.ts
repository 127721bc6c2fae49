// Upstream: k8s.io/component-base/metrics/api/v1/config.go
import { readFileSync } from 'node:fs';
import type { GivenConfig } from '../controlplane/config.ts';
import { goQuote } from '../machinery/go-format.ts';
import { DecodeError } from '../machinery/codec/decode-error.ts';
import type { YamlNode } from '../machinery/codec/yaml/nodes.ts';
import { parseFirstDocument } from '../machinery/codec/yaml/nodes.ts';
import { kubernetesVersion } from '../server/object/kubernetes-version.ts';
import type { ServerOptions } from './flags/index.ts';

type MetricsFlags = Pick<
  ServerOptions,
  'allow-metric-labels' | 'allow-metric-labels-manifest' | 'disabled-metrics' | 'show-hidden-metrics-for-version'
>;

const label = '[a-zA-Z_][a-zA-Z0-9_]*';
const name = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const keyPattern = new RegExp(`^${name},${label}$`);
const namePattern = new RegExp(`^${name}$`);

export function* validateMetrics(flags: MetricsFlags): Iterable<string> {
  const { major, minor } = kubernetesVersion;
  const hidden = flags['show-hidden-metrics-for-version'];
  const previous = `${major}.${minor - 1}`;
  if (hidden !== '' && hidden !== previous)
    yield `metrics.showHiddenMetricsForVersion: Invalid value: ${goQuote(hidden)}: must be omitted or have the value '${previous}'; only the previous minor version is allowed`;
  const disabled = flags['disabled-metrics'];
  const wrong = disabled.find((one) => !namePattern.test(one));
  if (wrong !== undefined)
    yield `metrics.disabledMetrics: Invalid value: ${JSON.stringify(disabled)}: must be fully qualified metric names matching ${goQuote(namePattern.source)}, got ${goQuote(wrong)}`;
  const allowed = flags['allow-metric-labels'];
  yield* mappingProblems(allowed, 'metrics.allowListMapping');
  const manifest = flags['allow-metric-labels-manifest'];
  if (manifest === '') return;
  const problem = manifestProblem(manifest);
  if (problem !== undefined) yield `metrics.allowListMappingManifest: Invalid value: ${goQuote(manifest)}: ${problem}`;
  if (allowed.size === 0) return;
  const given = {
    ...(hidden !== '' && { showHiddenMetricsForVersion: hidden }),
    ...(disabled.length > 0 && { disabledMetrics: disabled }),
    allowListMapping: sortedObject(allowed),
    allowListMappingManifest: manifest,
  };
  yield `metrics: Invalid value: ${JSON.stringify(given)}: cannot specify both allowListMapping and allowListMappingManifest`;
}

function mappingProblems(mapping: ReadonlyMap<string, string>, place: string): readonly string[] {
  if ([...mapping.keys()].every((key) => keyPattern.test(key))) return [];
  const shown = JSON.stringify(sortedObject(mapping));
  return [
    `${place}: Invalid value: ${shown}: must have keys with format \`metricName,labelName\` where metricName matches ${goQuote(name)} and labelName matches ${goQuote(label)}`,
  ];
}

function sortedObject(mapping: ReadonlyMap<string, string>): Record<string, string> {
  return Object.fromEntries([...mapping].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function manifestProblem(file: string): string | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    return `failed to read allow list manifest: ${openProblem(file, error)}`;
  }
  const read = readMapping(text);
  if (typeof read === 'string') return `failed to parse allow list manifest: ${read}`;
  const problems = mappingProblems(read, 'metrics.allowListMappingManifest');
  return problems.length === 0 ? undefined : `invalid allow list mapping in manifest: [${problems.join(' ')}]`;
}

/** In Go's words, which operators know. */
function openProblem(file: string, error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'ENOENT') return `open ${file}: no such file or directory`;
  if (code === 'EACCES') return `open ${file}: permission denied`;
  if (code === 'EISDIR') return `read ${file}: is a directory`;
  return error instanceof Error ? error.message : String(error);
}

/** The mapping, or what is wrong with it. */
function readMapping(text: string): ReadonlyMap<string, string> | string {
  let root: YamlNode | undefined;
  try {
    root = parseFirstDocument(text);
  } catch (error) {
    if (error instanceof DecodeError) return error.message;
    throw error;
  }
  const mapping = new Map<string, string>();
  const problems: string[] = [];
  const cannot = (node: YamlNode, type: string): void => {
    const tag = node.kind === 'mapping' ? 'map' : node.kind === 'sequence' ? 'seq' : 'str';
    problems.push(`  line ${lineOf(text, node.offset)}: cannot unmarshal !!${tag} into ${type}`);
  };
  if (root !== undefined && root.kind !== 'mapping') cannot(root, 'map[string]string');
  else
    for (const [index, key] of (root?.items ?? []).entries()) {
      const value = root?.items[index + 1];
      if (index % 2 === 1 || value === undefined) continue;
      if (key.kind !== 'scalar') cannot(key, 'string');
      else if (value.kind !== 'scalar') cannot(value, 'string');
      else mapping.set(key.text, value.text);
    }
  return problems.length === 0 ? mapping : `yaml: unmarshal errors:\n${problems.join('\n')}`;
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

export function metricsConfig(flags: MetricsFlags): GivenConfig {
  const manifest = flags['allow-metric-labels-manifest'];
  const read = manifest === '' ? flags['allow-metric-labels'] : readMapping(readFileSync(manifest, 'utf8'));
  if (typeof read === 'string') throw new Error(`failed to parse allow list manifest: ${read}`);
  return {
    metrics: {
      disabled: flags['disabled-metrics'],
      allowedLabelValues: read,
      showHidden: flags['show-hidden-metrics-for-version'] !== '',
    },
  };
}
