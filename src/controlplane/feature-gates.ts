// Upstream: k8s.io/component-base/featuregate/feature_gate.go, k8s.io/component-base/compatibility/registry.go
import type { FeatureGates } from '../server/registry/features.ts';
import type { EffectiveVersion } from './effective-version.ts';
import { ownVersion } from './effective-version.ts';
import { featureHistory } from './generated/feature-gate-history.ts';
import { featureTable } from './generated/feature-gates.ts';
import type { FeatureRow, FeatureStage } from './generated/feature-gates.ts';
import { parseBool } from '../machinery/go-values.ts';

export interface FeatureGateResult {
  readonly gates: FeatureGates;
  readonly warnings: readonly string[];
}

/** Names that switch all gates of a stage. */
const wholeStages: Readonly<Record<string, FeatureStage>> = { AllAlpha: 'Alpha', AllBeta: 'Beta' };

/** Gates as `--feature-gates` sets them, by component; throws with upstream's words. */
export function createFeatureGates(
  flag: ReadonlyMap<string, readonly string[]> = new Map(),
  version: GateVersion = ownVersion,
): FeatureGateResult {
  const table = featuresAt(version);
  for (const component of flag.keys()) {
    if (component !== '' && component !== 'kube') throw new Error(`component not registered: ${component}`);
  }
  if (flag.has('') && flag.has('kube')) {
    throw new Error('set kube feature gates with default empty prefix or kube: prefix consistently, do not mix use');
  }
  const asked = readPairs(flag.get('') ?? flag.get('kube') ?? []);
  const enabled = new Map<string, boolean>(Object.entries(table).map(([name, [, on]]) => [name, on]));
  for (const name of Object.keys(wholeStages)) enabled.set(name, false);

  const errors: string[] = [];
  const warnings: string[] = [];
  for (const [name, on] of asked) {
    const row = Object.hasOwn(table, name) ? table[name] : undefined;
    if (row === undefined && !Object.hasOwn(featureTable, name) && !Object.hasOwn(wholeStages, name))
      throw new Error(`unrecognized feature gate: ${name}`);
    if (row === undefined) {
      if (Object.hasOwn(wholeStages, name)) continue;
      const at = `emulated version 1.${version.emulation}, min compatibility version 1.${version.minCompatibility}`;
      errors.push(`cannot set feature gate ${name} to ${on}, feature is PreAlpha at ${at}`);
      continue;
    }
    const [stage, fallback, locked] = row;
    if (locked && on !== fallback) errors.push(`cannot set feature gate ${name} to ${on}, feature is locked to ${fallback}`);
    else if (stage === 'GA' || stage === 'Deprecated') {
      warnings.push(`Warning: setting ${stage === 'GA' ? 'GA' : 'deprecated'} feature gate. It will be removed in a future release.`);
    }
  }
  // A gate that is named goes before its whole stage, in whatever order they were given.
  for (const [name, stage] of Object.entries(wholeStages)) {
    const on = asked.get(name);
    if (on === undefined) continue;
    enabled.set(name, on);
    for (const [gate, [itsStage, , locked]] of Object.entries(table)) if (itsStage === stage && !locked) enabled.set(gate, on);
  }
  for (const [name, on] of asked) enabled.set(name, on);
  if (errors.length === 0) errors.push(...unmetDependencies(enabled, table));
  if (errors.length > 0) throw new Error(errors.length === 1 ? (errors[0] as string) : `[${errors.join(', ')}]`);
  return { gates: { enabled: (name) => enabled.get(name) ?? false }, warnings };
}

/** What an in-process server starts from: every gate at its default. */
export function defaultFeatureGates(): FeatureGates {
  return createFeatureGates().gates;
}

type FeatureTable = Readonly<Record<string, FeatureRow>>;
type GateVersion = Pick<EffectiveVersion, 'emulation' | 'minCompatibility'>;
type HistoryRow = readonly [since: number, stage: FeatureStage, on: boolean, locked: boolean, minCompatibility: number];

/** The gates that there are at a version, as they are then. */
export function featuresAt({ emulation, minCompatibility }: GateVersion): FeatureTable {
  if (emulation === ownVersion.emulation && minCompatibility === ownVersion.minCompatibility) return featureTable;
  const table: Record<string, FeatureRow> = {};
  for (const [name, rows] of Object.entries(JSON.parse(featureHistory) as Record<string, readonly HistoryRow[]>)) {
    const row = rows.findLast(([since, , , , oldest]) => since <= emulation && oldest <= minCompatibility);
    if (row === undefined) continue;
    const [, stage, on, locked] = row;
    const needs = featureTable[name]?.[3];
    table[name] = needs === undefined ? [stage, on, locked] : [stage, on, locked, needs];
  }
  return table;
}

function readPairs(texts: readonly string[]): Map<string, boolean> {
  const pairs = new Map<string, boolean>();
  for (const text of texts) {
    const at = text.indexOf('=');
    const name = (at < 0 ? text : text.slice(0, at)).trim();
    if (at < 0) throw new Error(`missing bool value for ${name}`);
    const value = text.slice(at + 1).trim();
    try {
      pairs.set(name, parseBool(value));
    } catch (error) {
      throw new Error(`invalid value of ${name}=${value}, err: ${error instanceof Error ? error.message : String(error)}`, {
        cause: error,
      });
    }
  }
  return pairs;
}

function unmetDependencies(enabled: ReadonlyMap<string, boolean>, table: FeatureTable): string[] {
  return Object.entries(table).flatMap(([name, [, , , needs = []]]) => {
    if (!enabled.get(name)) return [];
    const missing = needs.filter((need) => !enabled.get(need));
    return missing.length === 0 ? [] : [`${name} is enabled, but depends on features that are disabled: [${missing.join(' ')}]`];
  });
}
