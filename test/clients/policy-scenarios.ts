import type { Scenario } from './controller-scenarios.ts';
import type { Estate } from './estate.ts';

interface Policy {
  readonly expressions?: readonly string[];
  /** of the core group, or GROUP/PLURAL */
  readonly resource?: string;
  /** v1; of any version nothing is known */
  readonly version?: string;
  readonly more?: object;
}

const rules = (resource: string, version: string): object => {
  const [, group = '', plural = resource] = /^(.+)\/(.+)$/.exec(resource) ?? [];
  return { resourceRules: [{ apiGroups: [group], apiVersions: [version], operations: ['CREATE'], resources: [plural] }] };
};
const specOf = ({ expressions = [], resource = 'pods', version = 'v1', more }: Policy): object => ({
  matchConstraints: rules(resource, version),
  validations: expressions.map((expression) => ({ expression })),
  ...more,
});
const policy =
  (details: Policy) =>
  async (estate: Estate): Promise<void> =>
    void (await estate.create('validatingadmissionpolicies', 'p', { spec: specOf(details) }));
const changes =
  (details: Policy) =>
  (estate: Estate): Promise<void> =>
    estate.patch('validatingadmissionpolicies', 'p', { spec: specOf(details) });

/** What is said of the types in policies that nothing is bound to. */
export const policyScenarios: readonly Scenario[] = [
  { name: 'policy-without-fault', steps: [policy({ expressions: ['object.spec.containers.all(c, c.image != "")'] })] },
  { name: 'policy-of-an-unknown-field', steps: [policy({ expressions: ['object.spec.colour == "blue"', 'has(object.spec.nodeName)'] })] },
  { name: 'policy-of-another-type', steps: [policy({ expressions: ['object.spec.replicas == "3"'], resource: 'apps/deployments' })] },
  { name: 'policy-of-any-version', steps: [policy({ expressions: ['object.spec.colour == "blue"'], version: '*' })] },
  {
    name: 'policy-corrected',
    steps: [policy({ expressions: ['object.spec.colour == "blue"'] }), changes({ expressions: ['object.spec.hostNetwork == true'] })],
  },
  {
    name: 'policy-spoilt',
    steps: [policy({ expressions: ['has(object.data)'], resource: 'configmaps' }), changes({ expressions: ['object.data > 1'] })],
  },
  { name: 'policy-of-custom-resources', steps: [policy({ expressions: ['object.spec.size > "x"'], resource: 'example.com/things' })] },
  { name: 'policy-of-what-is-not-there', steps: [policy({ expressions: ['object.spec.size > "x"'], resource: 'example.com/nothings' })] },
  {
    name: 'policy-with-parameters',
    steps: [policy({ expressions: ['params.data.colour == 3'], more: { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } } })],
  },
  {
    name: 'policy-with-a-message',
    steps: [
      policy({
        more: {
          variables: [{ name: 'names', expression: 'object.spec.containers.map(c, c.name)' }],
          validations: [{ expression: 'variables.names.size() > 0', messageExpression: '"named " + object.spec.names' }],
          matchConditions: [{ name: 'm', expression: 'object.metadata.nam == "x"' }],
        },
      }),
    ],
  },
  {
    name: 'policy-whose-status-is-emptied',
    steps: [
      policy({ expressions: ['object.spec.colour == "blue"'] }),
      (estate) => estate.patchIn('validatingadmissionpolicies', 'p', 'status', { status: null }),
    ],
  },
];
