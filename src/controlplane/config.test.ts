import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLogger } from '../base/log.ts';
import { completeOptions } from '../cli/complete-options.ts';
import { serverFlags } from '../cli/flags/index.ts';
import { parseFlags } from '../cli/parse-flags.ts';
import { serverConfig } from '../cli/server-config.ts';
import type { ApiServerOptions } from '../index.ts';
import { startApiServer } from '../index.ts';
import { completeConfig } from './config.ts';
import { defaultFeatureGates } from './feature-gates.ts';

const refused: readonly (readonly [options: unknown, message: RegExp])[] = [
  [{ storge: 'memory' }, /^there is no option storge; there are address, admission, .*storage, wheelhouse$/],
  [{ storage: { folder: '/x' } }, /^there is no option storage\.folder; there are backend, /],
  [{ serving: { prot: 1 } }, /^there is no option serving\.prot; there are address, .*port, /],
  [
    { authentication: { serviceAccounts: { issuer: '' } } },
    /^there is no option authentication\.serviceAccounts\.issuer; there are .*issuers/,
  ],
  [{ auditing: { log: { file: '' } } }, /^there is no option auditing\.log\.file; there are .*path/],
  [{ storage: 'disk' }, /^storage is 'memory', \{ directory: .* of your own, not "disk"$/],
  [{ storage: 5 }, /^storage is .*, not 5$/],
  [{ storage: { directory: 5 } }, /^storage is .*, not \{"directory":5\}$/],
  [{ storage: { etcd: 'http://127.0.0.1:2379' } }, /^storage is .*, not \{"etcd":"http:\/\/127.0.0.1:2379"\}$/],
  [{ controllers: 'all' }, /^controllers is true, false or a list of names, not "all"$/],
  [{ controllers: ['namespace'] }, /^there is no controller namespace; there are .*namespace-controller/],
  [{ apis: { 'nope/v1': true } }, /^there is no API nope\/v1; there are api\/all, .*apps\/v1, /],
  [{ apis: { 'apps/v1/deploymentz': true } }, /^there is no resource deploymentz in apps\/v1; there are .*deployments/],
  [{ features: { Nope: true } }, /^unrecognized feature gate: Nope$/],
  [{ admission: { disable: ['Nope'] } }, /^there is no admission plugin Nope; there are .*NamespaceLifecycle/],
  [{ authorization: 'Nope' }, /unknown authorization mode Nope/],
  [{ clock: 5 }, /^clock is an object with now, elapsed, setTimeout; this one has no now, elapsed, setTimeout$/],
  [{ log: { info() {} } }, /^log is an object with info, warn, .*; this one has no warn, error, v, named, with$/],
  [{ services: 5 }, /^services is an object of options, not 5$/],
];

for (const [options, message] of refused) {
  test(`startApiServer(${JSON.stringify(options)}) is refused`, async () => {
    await assert.rejects(startApiServer(options as ApiServerOptions), { message });
  });
}

test('flags and the library start from the same configuration', () => {
  const { values, changed } = parseFlags(serverFlags, []);
  const features = defaultFeatureGates();
  const ofFlags = completeConfig(serverConfig(completeOptions(values, changed), features, silentLogger));
  const ofLibrary = completeConfig({ resources: { features } });
  // What the two mean to differ in: the command is reached from elsewhere, keeps its state and admits less.
  const { backend: _, ...storage } = ofFlags.storage;
  const { address: _a, port: _p, advertiseAddress: _r, ...serving } = ofFlags.serving;
  const { allowPrivileged: _v, ...resources } = ofFlags.resources;
  const { modes: _m, ...authorization } = ofFlags.authorization;
  const { flags: _f, ...observability } = ofFlags.observability;
  const { issuers: _i, ...serviceAccounts } = ofFlags.authentication.serviceAccounts;
  const authentication = { ...ofFlags.authentication, serviceAccounts };
  const compared = { ...ofFlags, storage, serving, resources, authorization, observability, authentication };
  assert.partialDeepStrictEqual(ofLibrary, compared);
});
