import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';

interface Rule {
  readonly expr: string;
  readonly record?: string;
  readonly alert?: string;
}

interface RuleGroup {
  readonly name: string;
  readonly rules: readonly Rule[];
}

interface Panel {
  readonly title?: string;
  readonly targets?: readonly { readonly expr?: string }[];
  readonly panels?: readonly Panel[];
}

/** What of kubernetes-mixin is about the API server. */
export interface Mixin {
  readonly recordingRules: readonly Rule[];
  readonly queries: readonly (readonly [what: string, query: string])[];
}

/**
 * kubernetes-mixin as its `make prometheus_alerts.yaml prometheus_rules.yaml dashboards_out` writes it: every recording rule, alert and panel
 * that selects the API server, as it stands. An alert has no data until it fires: of it the part before the comparison.
 */
export function readMixin(folder: string): Mixin {
  const groups = (file: string): readonly RuleGroup[] =>
    (load(readFileSync(join(folder, file), 'utf8')) as { readonly groups: readonly RuleGroup[] }).groups;
  const recordingRules = groups('prometheus_rules.yaml')
    .filter(({ name }) => name.startsWith('kube-apiserver'))
    .flatMap(({ rules }) => rules);
  const alerts = groups('prometheus_alerts.yaml')
    .flatMap(({ rules }) => rules)
    .filter(({ expr }) => /apiserver/.test(expr));
  const dashboard = JSON.parse(readFileSync(join(folder, 'dashboards_out/apiserver.json'), 'utf8')) as Panel;
  return {
    recordingRules,
    queries: [
      ...[...new Set(recordingRules.map(({ record = '' }) => record))].map((name) => [`rule ${name}`, name] as const),
      ...alerts.map(({ alert = '', expr }) => [`alert ${alert}`, withoutThresholds(expr)] as const),
      ...panelQueries(dashboard),
    ],
  };
}

function panelQueries({ title = '', targets = [], panels = [] }: Panel): (readonly [what: string, query: string])[] {
  const own = targets.map(({ expr = '' }) => [`panel ${title}`, withVariables(expr)] as const);
  return [...own, ...panels.flatMap(panelQueries)];
}

/** What Grafana puts in. */
function withVariables(expr: string): string {
  return expr.replaceAll('$cluster', 'judge').replaceAll('$instance', '.+').replaceAll('$__rate_interval', '30s');
}

function withoutThresholds(expr: string): string {
  return expr.replace(/^absent\((.*)\)$/ms, '$1').replaceAll(/\s*(?:[<>]|==)\s*(?:\([\d.* ]+\)|[\d.]+)/g, '');
}
