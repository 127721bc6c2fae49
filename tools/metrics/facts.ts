/**
 * `sh tools/with-node tools/metrics/facts.ts`: writes upstream-metrics.generated.ts anew from the sources of the release that is pinned here.
 * Names, types, labels and stability alone: the prose stays where it is. Needs Go.
 */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { moduleFolder } from '../go-module.ts';

const version = '37.1';
/** Modules, and of the largest one the folders that are part of the API server. */
const modules: readonly (readonly [module: string, version: string, folders: readonly string[]])[] = [
  ['k8s.io/apiserver', `v0.${version}`, ['.']],
  ['k8s.io/component-base', `v0.${version}`, ['metrics']],
  ['k8s.io/kube-aggregator', `v0.${version}`, ['pkg']],
  ['k8s.io/apiextensions-apiserver', `v0.${version}`, ['pkg']],
  ['k8s.io/pod-security-admission', `v0.${version}`, ['.']],
  ['k8s.io/kubernetes', `v1.${version}`, ['pkg/serviceaccount', 'pkg/registry', 'plugin/pkg', 'pkg/controlplane']],
];

interface Fact {
  readonly name: string;
  readonly type: string;
  readonly stability: string;
  readonly labels: readonly string[];
  readonly deprecated: string;
}

function goFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.go') && !file.endsWith('_test.go') && !/(^|\/)(testing|testutil|examples?)\//.test(file))
    .map((file) => join(folder, file))
    .toSorted();
}

/** Text constants of a file, and of the others in its folder. */
function constants(folder: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const file of readdirSync(folder).filter((one) => one.endsWith('.go') && !one.endsWith('_test.go')))
    for (const [, name = '', value = ''] of readFileSync(join(folder, file), 'utf8').matchAll(
      /^\s*(?:const\s+)?(\w+)\s*(?:string)?\s*=\s*"([^"]*)"/gm,
    ))
      found.set(name, value);
  return found;
}

function field(body: string, name: string): string {
  return new RegExp(`\\b${name}:\\s*([^,\\n]*)`).exec(body)?.[1]?.trim() ?? '';
}

function factsOf(file: string): Fact[] {
  const text = readFileSync(file, 'utf8');
  const known = constants(join(file, '..'));
  const valueOf = (expression: string): string =>
    expression.startsWith('"') ? expression.slice(1, -1) : (known.get(expression.split('.').at(-1) ?? '') ?? '');
  const facts: Fact[] = [];
  const pattern = /etrics\.New(?:Lazy)?((?:Timing)?(?:Counter|Gauge|Histogram|Summary))(?:Vec|Func)?\(\s*&?\s*(?:&?\w+\.)?(?:\w+)Opts\{/g;
  for (const match of text.matchAll(pattern)) {
    const start = match.index + match[0].length;
    let depth = 1;
    let end = start;
    for (; depth > 0 && end < text.length; end++) depth += text[end] === '{' ? 1 : text[end] === '}' ? -1 : 0;
    const body = text.slice(start, end - 1);
    const name = ['Namespace', 'Subsystem', 'Name']
      .map((part) => valueOf(field(body, part)))
      .filter((part) => part !== '')
      .join('_');
    const vector = /^\s*,\s*(?:\/\/[^\n]*\n\s*)*\[\]string\{([^}]*)\}/.exec(text.slice(end))?.[1] ?? '';
    const labels = vector
      .split(',')
      .map((label) => valueOf(label.trim()))
      .filter((label) => label !== '');
    const type = (match[1] ?? '').replace('Timing', '').toLowerCase();
    const stability = field(body, 'StabilityLevel').split('.').at(-1) || 'ALPHA';
    facts.push({ name, type, stability, labels, deprecated: valueOf(field(body, 'DeprecatedVersion')) });
  }
  return facts;
}

/** Made in other ways than by the calls above. */
const collected: readonly Fact[] = [
  ...['authentication', 'authorization', 'encryption', 'manifest_admission'].map((of): Fact => ({
    name: `apiserver_${of}_config_controller_last_config_info`,
    type: 'gauge',
    stability: 'ALPHA',
    labels: [...(of === 'manifest_admission' ? ['plugin'] : []), 'apiserver_id_hash', 'hash'],
    deprecated: '',
  })),
  {
    name: 'apiserver_authentication_jwt_authenticator_jwks_fetch_last_key_set_info',
    type: 'gauge',
    stability: 'ALPHA',
    labels: ['jwt_issuer_hash', 'apiserver_id_hash', 'hash'],
    deprecated: '',
  },
  { name: 'apiserver_storage_size_bytes', type: 'gauge', stability: 'STABLE', labels: ['storage_cluster_id'], deprecated: '' },
  { name: 'aggregator_unavailable_apiservice', type: 'gauge', stability: 'ALPHA', labels: ['name'], deprecated: '' },
  { name: 'cardinality_enforcement_unexpected_categorizations_total', type: 'counter', stability: 'ALPHA', labels: [], deprecated: '' },
  ...[
    ['demand_seats', 'priority_level'],
    ['priority_level_request_utilization', 'phase', 'priority_level'],
    ['priority_level_seat_utilization', 'priority_level', 'phase'],
    ['read_vs_write_current_requests', 'phase', 'request_kind'],
  ].map(([name, ...labels]): Fact => ({
    name: `apiserver_flowcontrol_${name}`,
    type: 'histogram',
    stability: 'ALPHA',
    labels,
    deprecated: '',
  })),
];

const facts = new Map<string, Fact>(collected.map((fact) => [fact.name, fact]));
for (const [module, at, folders] of modules) {
  const root = await moduleFolder({ name: module, version: at });
  for (const folder of folders) {
    for (const file of goFiles(join(root, folder)))
      for (const fact of factsOf(file)) {
        if (fact.name === '') console.error(`no name: ${relative(root, file)}`);
        else facts.set(fact.name, fact);
      }
  }
}
const rows = [...facts.values()]
  .toSorted((a, b) => (a.name < b.name ? -1 : 1))
  .map(({ name, type, stability, labels, deprecated }) => {
    const since = deprecated === '' ? '' : `, '${deprecated}'`;
    return `  ['${name}', '${type}', '${stability}', [${labels.map((label) => `'${label}'`).join(', ')}]${since}],`;
  });
writeFileSync(
  join(import.meta.dirname, 'upstream-metrics.generated.ts'),
  `/** Made by tools/metrics/facts.ts: what kube-apiserver v1.${version} measures. */
export const upstreamMetrics: readonly (readonly [
  name: string,
  type: string,
  stability: string,
  labels: readonly string[],
  deprecated?: string,
])[] = [
${rows.join('\n')}
];
`,
);
console.log(`${rows.length} metrics`);
