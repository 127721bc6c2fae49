import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { MatchResources, NamedRuleWithOperations } from '../../../schema/types/admissionregistration-v1.ts';
import { ObjectReader } from '../../registry/object-reader.ts';
import type { KubeObject } from '../../registry/definition.ts';
import type { VersionedKind } from '../../object/versioned-kind.ts';
import type { AdmissionAttributes, AdmittedResource } from '../admission.ts';
import { EndpointIndex } from './endpoint-index.ts';
import { isExemptFromPolicies, isExemptFromWebhooks, isReview } from './exempt.ts';
import { MatchCriteria } from './match-criteria.ts';
import { Matcher } from './matcher.ts';

function resource(group: string, plural: string, kind: string, namespaced: boolean, ...versions: string[]): AdmittedResource {
  const versionedKinds = versions.map((version) => [version, { group, version, kind } as VersionedKind] as const);
  return {
    group,
    kind,
    namespaced,
    names: { group, plural, kind, namespaced, singular: '', listKind: '', shortNames: [], categories: [], verbs: [] },
    groupResource: { group, resource: plural },
    versions: new Map(versionedKinds),
    subresourceKinds: new Map([
      ['status', { kind }],
      ['scale', { kind: 'Scale', group: 'autoscaling', version: 'v1' }],
    ]),
  };
}

const deployments = resource('apps', 'deployments', 'Deployment', true, 'v1', 'v1beta1');
const nodes = resource('', 'nodes', 'Node', false, 'v1');
const namespaces = resource('', 'namespaces', 'Namespace', false, 'v1');
const events = resource('', 'events', 'Event', true, 'v1');
const newEvents = resource('events.k8s.io', 'events', 'Event', true, 'v1');
const equivalentTo = (one: AdmittedResource): AdmittedResource[] => (one.kind === 'Event' ? [events, newEvents] : [one]);

const labelled = (labels: Record<string, string>): KubeObject => ({ metadata: { name: 'x', labels } });

function attributes(of: AdmittedResource, changes: Partial<AdmissionAttributes> & { version?: string } = {}): AdmissionAttributes {
  const { version = 'v1', ...rest } = changes;
  return {
    operation: 'CREATE',
    resource: of,
    version,
    versionedKind: of.versions.get(version) as VersionedKind,
    subresource: '',
    namespace: of.namespaced ? 'default' : '',
    name: 'x',
    object: labelled({}),
    old: undefined,
    user: { name: 'admin', uid: '', groups: [], extra: {} },
    dryRun: false,
    options: {},
    warn: () => {},
    annotate: () => {},
    ...rest,
  };
}

const rule = (changes: Partial<NamedRuleWithOperations> = {}): NamedRuleWithOperations => ({
  operations: ['CREATE'],
  apiGroups: ['apps'],
  apiVersions: ['v1'],
  resources: ['deployments'],
  scope: '*',
  ...changes,
});
const anything = rule({ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] });

/** A cluster whose only namespace is `default`, labelled env=test. */
const reader = {
  async require(_group: string, _plural: string, _namespace: string, name: string): Promise<KubeObject> {
    if (name !== 'default') throw new Error(`namespaces ${JSON.stringify(name)} not found`);
    return labelled({ env: 'test' });
  },
} as unknown as ObjectReader;

async function match(criteria: MatchResources, of: AdmissionAttributes, noRulesMatch = true): Promise<string> {
  const selectors = { namespaceSelector: {}, objectSelector: {}, matchPolicy: 'Equivalent' };
  const compiled = new MatchCriteria({ ...selectors, ...criteria }, { noRulesMatch });
  const [candidate] = new EndpointIndex([{ criteria: compiled }], equivalentTo).candidates(of);
  if (candidate === undefined) return 'never';
  const found = await new Matcher(reader).match(compiled, candidate.at, of);
  if (found === undefined) return 'no';
  const { group, version, kind } = found.kind;
  return `${found.resource.names.group}/${found.version} ${group}/${version} ${kind}`;
}

const own = 'apps/v1 apps/v1 Deployment';
const resourceRules = [rule()];
const testOnly = { matchLabels: { env: 'test' } };

const cases: readonly (readonly [what: string, expected: string, criteria: MatchResources, of: AdmissionAttributes])[] = [
  ['no rules match everything', own, {}, attributes(deployments)],
  ['a rule matches its resource', own, { resourceRules }, attributes(deployments)],
  ['but no other operation', 'never', { resourceRules }, attributes(deployments, { operation: 'DELETE' })],
  ['nor another resource', 'never', { resourceRules }, attributes(nodes)],
  ['nor a subresource', 'never', { resourceRules }, attributes(deployments, { subresource: 'status' })],
  [
    'unless it says so',
    'apps/v1 autoscaling/v1 Scale',
    { resourceRules: [rule({ resources: ['deployments/scale'] })] },
    attributes(deployments, { subresource: 'scale' }),
  ],
  ['*/* is every resource and subresource', own, { resourceRules: [anything] }, attributes(deployments)],
  [
    '* is every resource without subresources',
    'never',
    { resourceRules: [rule({ resources: ['*'] })] },
    attributes(deployments, { subresource: 'status' }),
  ],
  ['another version is matched as the one that the rule has', own, { resourceRules }, attributes(deployments, { version: 'v1beta1' })],
  ['unless matches must be exact', 'never', { resourceRules, matchPolicy: 'Exact' }, attributes(deployments, { version: 'v1beta1' })],
  [
    'a rule that names the request as it came goes before one that does not',
    'apps/v1beta1 apps/v1beta1 Deployment',
    { resourceRules: [rule(), rule({ apiVersions: ['v1beta1'] })] },
    attributes(deployments, { version: 'v1beta1' }),
  ],
  [
    'the same objects of another group are the same resource',
    'events.k8s.io/v1 events.k8s.io/v1 Event',
    { resourceRules: [rule({ apiGroups: ['events.k8s.io'], resources: ['events'] })] },
    attributes(events),
  ],
  ['names are asked of the object', 'no', { resourceRules: [rule({ resourceNames: ['y'] })] }, attributes(deployments)],
  ['and one of them is enough', own, { resourceRules: [rule({ resourceNames: ['y', 'x'] })] }, attributes(deployments)],
  ['what is excluded never matches', 'never', { resourceRules, excludeResourceRules: [rule()] }, attributes(deployments)],
  ['exclusion may be by name', 'no', { resourceRules, excludeResourceRules: [rule({ resourceNames: ['x'] })] }, attributes(deployments)],
  [
    'exclusion reaches other versions too',
    'never',
    { resourceRules: [anything], excludeResourceRules: [rule()] },
    attributes(deployments, { version: 'v1beta1' }),
  ],
  ['scope Cluster is for nodes', '/v1 /v1 Node', { resourceRules: [{ ...anything, scope: 'Cluster' }] }, attributes(nodes)],
  ['and not for deployments', 'never', { resourceRules: [{ ...anything, scope: 'Cluster' }] }, attributes(deployments)],
  ['scope Namespaced is not for namespaces', 'never', { resourceRules: [{ ...anything, scope: 'Namespaced' }] }, attributes(namespaces)],
  ['the namespace has the labels', own, { namespaceSelector: testOnly }, attributes(deployments)],
  ['or it has not', 'no', { namespaceSelector: { matchLabels: { env: 'prod' } } }, attributes(deployments)],
  [
    'what is in no namespace is not selected by it',
    '/v1 /v1 Node',
    { namespaceSelector: { matchLabels: { env: 'prod' } } },
    attributes(nodes),
  ],
  [
    'a namespace has the labels it is going to have',
    '/v1 /v1 Namespace',
    { namespaceSelector: testOnly },
    attributes(namespaces, { object: labelled({ env: 'test' }) }),
  ],
  ['the object has the labels', own, { objectSelector: testOnly }, attributes(deployments, { object: labelled({ env: 'test' }) })],
  ['or had them', own, { objectSelector: testOnly }, attributes(deployments, { old: labelled({ env: 'test' }) })],
  ['or neither', 'no', { objectSelector: testOnly }, attributes(deployments)],
];

describe('what admission applies to', () => {
  for (const [what, expected, criteria, of] of cases) test(what, async () => assert.equal(await match(criteria, of), expected));

  test('a webhook without rules is never called', async () => assert.equal(await match({}, attributes(deployments), false), 'never'));

  test('a namespace that does not exist is an error only where the rest matches', async () => {
    const lost = attributes(deployments, { namespace: 'gone' });
    await assert.rejects(match({ namespaceSelector: testOnly }, lost), /"gone" not found/);
    assert.equal(await match({ namespaceSelector: testOnly, objectSelector: testOnly }, lost), 'no');
  });

  test('an index asks each item about an endpoint once', () => {
    let asked = 0;
    const criteria = new MatchCriteria({}, { noRulesMatch: true });
    const counting = { criteria: { at: (...given: Parameters<MatchCriteria['at']>) => (asked++, criteria.at(...given)) } as MatchCriteria };
    const index = new EndpointIndex([counting], equivalentTo);
    assert.equal(index.candidates(attributes(deployments)), index.candidates(attributes(deployments)));
    index.candidates(attributes(deployments, { operation: 'UPDATE' }));
    assert.equal(asked, 2);
  });

  test('configurations of admission are exempt', () => {
    const policies = resource('admissionregistration.k8s.io', 'validatingadmissionpolicies', 'ValidatingAdmissionPolicy', false, 'v1');
    const webhooks = resource(
      'admissionregistration.k8s.io',
      'validatingwebhookconfigurations',
      'ValidatingWebhookConfiguration',
      false,
      'v1',
    );
    const reviews = resource('authorization.k8s.io', 'subjectaccessreviews', 'SubjectAccessReview', false, 'v1');
    const all = [policies, webhooks, reviews, nodes];
    assert.deepEqual(all.map(isExemptFromPolicies), [true, false, false, false]);
    assert.deepEqual(all.map(isReview), [false, false, true, false]);
    assert.deepEqual(all.map(isExemptFromWebhooks), [true, true, false, false]);
  });
});
