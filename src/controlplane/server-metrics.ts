// Upstream: k8s.io/component-base/metrics/prometheus/{version,feature,compatversion}/metrics.go
import type { MetricsRegistry } from '../base/metrics.ts';
import type { EffectiveVersion } from './effective-version.ts';
import { featuresAt } from './feature-gates.ts';
import { kubernetesVersion } from '../server/object/kubernetes-version.ts';
import type { FeatureGates } from '../server/registry/features.ts';

const architectures: Readonly<Record<string, string>> = { x64: 'amd64', ia32: '386' };
const stages: Readonly<Record<string, string>> = { GA: '', Alpha: 'ALPHA', Beta: 'BETA', Deprecated: 'DEPRECATED' };

const wholeStages = [
  ['AllAlpha', 'ALPHA'],
  ['AllBeta', 'BETA'],
] as const;

/** What the server is: the release whose API it speaks, and the feature gates it runs with. */
export function registerServerMetrics(registry: MetricsRegistry, features: FeatureGates, version: EffectiveVersion): void {
  const { major, minor, patch } = kubernetesVersion;
  registry
    .gauge({
      name: 'kubernetes_build_info',
      help: 'Always 1; the labels say which release of Kubernetes the server speaks for, and what it runs on',
      labels: ['major', 'minor', 'git_version', 'git_commit', 'git_tree_state', 'build_date', 'go_version', 'compiler', 'platform'],
      stability: 'BETA',
    })
    .with(
      String(major),
      String(minor),
      `v${major}.${minor}.${patch}`,
      '',
      '',
      '',
      process.version,
      'v8',
      `${process.platform}/${architectures[process.arch] ?? process.arch}`,
    )
    .set(1);
  registry
    .gauge({
      name: 'version_info',
      help: 'Always 1; the labels say which version the server is, and which one it behaves as',
      labels: ['component', 'binary', 'emulation', 'min_compat'],
    })
    .with('kube', `${major}.${minor}.${patch}`, `${major}.${version.emulation}`, `${major}.${version.minCompatibility}`)
    .set(1);
  const enabled = registry.gauge({
    name: 'kubernetes_feature_enabled',
    help: 'Feature gates: 1 when on, 0 when off',
    labels: ['name', 'stage'],
    stability: 'BETA',
  });
  // They are many, and few servers of tests are asked.
  const shown = registry.onCollect(() => {
    shown();
    const gates = [...Object.entries(featuresAt(version)).map(([name, [stage]]) => [name, stages[stage] ?? ''] as const), ...wholeStages];
    for (const [name, stage] of gates) enabled.with(name, stage).set(features.enabled(name) ? 1 : 0);
  });
}
