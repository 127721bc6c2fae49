import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { serverFlags } from './flags/index.ts';
import { metricsConfig, validateMetrics } from './metrics-options.ts';
import { parseFlags } from './parse-flags.ts';

const problemsOf = (...args: string[]): string[] => [...validateMetrics(parseFlags(serverFlags, args).values)];
const keys =
  'must have keys with format `metricName,labelName` where metricName matches "[a-zA-Z_:][a-zA-Z0-9_:]*" and labelName matches "[a-zA-Z_][a-zA-Z0-9_]*"';
const names = 'must be fully qualified metric names matching "^[a-zA-Z_:][a-zA-Z0-9_:]*$"';

test('what is wrong with flags of metrics is said in the words of upstream', () => {
  const version = "must be omitted or have the value '1.36'; only the previous minor version is allowed";
  assert.deepEqual(problemsOf('--show-hidden-metrics-for-version=1.35'), [
    `metrics.showHiddenMetricsForVersion: Invalid value: "1.35": ${version}`,
  ]);
  assert.deepEqual(problemsOf('--disabled-metrics=a,,b'), [`metrics.disabledMetrics: Invalid value: ["a","","b"]: ${names}, got ""`]);
  assert.deepEqual(problemsOf('--allow-metric-labels="a,b=c","a-,d=f,g"'), [
    `metrics.allowListMapping: Invalid value: {"a,b":"c","a-,d":"f,g"}: ${keys}`,
  ]);
  assert.deepEqual(problemsOf('--show-hidden-metrics-for-version=1.36', '--disabled-metrics=a,b', '--allow-metric-labels=a,b=c,d'), []);
});

test('a manifest of allowed values is read, or refused in the words of upstream', () => {
  const folder = mkdtempSync(join(tmpdir(), 'metrics-options-'));
  try {
    const file = join(folder, 'labels.yaml');
    const problem = (text: string): string | undefined => {
      writeFileSync(file, text);
      return problemsOf(`--allow-metric-labels-manifest=${file}`)[0]?.replaceAll(file, 'FILE');
    };
    const place = 'metrics.allowListMappingManifest: Invalid value: "FILE"';
    const parse = `${place}: failed to parse allow list manifest`;
    assert.equal(
      problem('allowListMapping: {"a,b": "x"}\n'),
      `${parse}: yaml: unmarshal errors:\n  line 1: cannot unmarshal !!map into string`,
    );
    assert.equal(problem('- 1\n'), `${parse}: yaml: unmarshal errors:\n  line 1: cannot unmarshal !!seq into map[string]string`);
    assert.equal(problem('a: [\n'), `${parse}: yaml: line 1: did not find expected node content`);
    assert.equal(
      problem('bad-key: x\n'),
      `${place}: invalid allow list mapping in manifest: [metrics.allowListMappingManifest: Invalid value: {"bad-key":"x"}: ${keys}]`,
    );
    assert.equal(problem('"a,b": "x,y"\n'), undefined);
    const { values } = parseFlags(serverFlags, [`--allow-metric-labels-manifest=${file}`]);
    assert.deepEqual(metricsConfig(values).metrics?.allowedLabelValues, new Map([['a,b', 'x,y']]));
    const both = problemsOf(`--allow-metric-labels-manifest=${file}`, '--allow-metric-labels=a,b=c');
    assert.deepEqual(both, [
      `metrics: Invalid value: {"allowListMapping":{"a,b":"c"},"allowListMappingManifest":"${file}"}: cannot specify both allowListMapping and allowListMappingManifest`,
    ]);
    assert.match(
      problemsOf('--allow-metric-labels-manifest=/none')[0] ?? '',
      /: failed to read allow list manifest: open \/none: no such file or directory$/,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});
