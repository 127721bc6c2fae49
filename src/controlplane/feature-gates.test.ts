import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFeatureGates, defaultFeatureGates } from './feature-gates.ts';
import { serverFlags } from '../cli/flags/index.ts';
import { parseFlags } from '../cli/parse-flags.ts';

const gates = (...texts: string[]) =>
  createFeatureGates(
    parseFlags(
      serverFlags,
      texts.map((text) => `--feature-gates=${text}`),
    ).values['feature-gates'],
  );

test('gates have the defaults of v1.37', () => {
  const { enabled } = defaultFeatureGates();
  assert.equal(enabled('WatchListClient'), true);
  assert.equal(enabled('CBORServingAndStorage'), false);
  assert.equal(enabled('InformerResourceVersion'), true);
  assert.equal(enabled('NoSuchGate'), false);
});

test('a gate can be switched, alone or with its whole stage', () => {
  assert.equal(gates('CBORServingAndStorage=true').gates.enabled('CBORServingAndStorage'), true);
  assert.equal(gates('kube:HPAGeneration=false').gates.enabled('HPAGeneration'), false);
  const all = gates('H2CContainerProbe=false', 'AllAlpha=true,AllBeta=true').gates;
  assert.equal(all.enabled('CBORServingAndStorage'), true);
  assert.equal(all.enabled('H2CContainerProbe'), false);
});

test('a gate that will go away is a warning', () => {
  assert.deepEqual(gates('KMSv1=true').warnings, ['Warning: setting deprecated feature gate. It will be removed in a future release.']);
});

const refused: readonly (readonly [texts: readonly string[], message: string | RegExp])[] = [
  [['Bogus=true'], 'unrecognized feature gate: Bogus'],
  [['constructor=true'], 'unrecognized feature gate: constructor'],
  [['Bogus'], 'missing bool value for Bogus'],
  [['APIServerIdentity=x'], 'invalid value of APIServerIdentity=x, err: strconv.ParseBool: parsing "x": invalid syntax'],
  [
    ['APIServerIdentity=true', 'kube:APIServerIdentity=true'],
    'set kube feature gates with default empty prefix or kube: prefix consistently, do not mix use',
  ],
  [['foo:X=true'], 'component not registered: foo'],
  [['CPUManagerPolicyOptions=false'], 'cannot set feature gate CPUManagerPolicyOptions to false, feature is locked to true'],
  [
    ['PodLevelResources=false'],
    /PodLevelResourcesFixKubeletQOSClass is enabled, but depends on features that are disabled: \[PodLevelResources\]/,
  ],
];

test('what upstream refuses is refused in its words', () => {
  for (const [texts, message] of refused) assert.throws(() => gates(...texts), { message });
});
