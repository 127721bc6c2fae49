import { create, describeKind, merge, replace, table } from '../../../../test/support/kind-suite.ts';

const podTemplate = (spec: object = {}): object => ({
  template: { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'x' }], ...spec } },
});

describeKind('a PodTemplate', {
  path: '/api/v1/namespaces/{ns}/podtemplates',
  cases: [
    [
      'has the defaults of a pod',
      [create(podTemplate())],
      {
        fields: {
          metadata: { generation: 1 },
          template: {
            spec: {
              restartPolicy: 'Always',
              dnsPolicy: 'ClusterFirst',
              terminationGracePeriodSeconds: 30,
              schedulerName: 'default-scheduler',
              securityContext: {},
              containers: [{ imagePullPolicy: 'Always', terminationMessagePath: '/dev/termination-log', terminationMessagePolicy: 'File' }],
            },
          },
        },
      },
    ],
    ['needs containers', [create({})], { causes: ['template.spec.containers: Required value'] }],
    [
      'is judged as a pod is',
      [create(podTemplate({ restartPolicy: 'Sometimes', containers: [{ name: 'C', image: '' }] }))],
      {
        causes: [
          `template.spec.containers[0].name: Invalid value: "C": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')`,
          'template.spec.containers[0].image: Required value',
          'template.spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "OnFailure", "Never"',
        ],
      },
    ],
    [
      'may restart its pods never',
      [create(podTemplate({ restartPolicy: 'Never' }))],
      { fields: { template: { spec: { restartPolicy: 'Never' } } } },
    ],
    [
      'has no ephemeral containers',
      [create(podTemplate({ ephemeralContainers: [{ name: 'e', image: 'x' }] }))],
      { causes: ['template.spec.ephemeralContainers: Forbidden: ephemeral containers not allowed in pod template'] },
    ],
    [
      'changes, and counts it',
      [create(podTemplate()), merge({ template: { spec: { nodeName: 'n' } } })],
      { fields: { metadata: { generation: 2 }, template: { spec: { nodeName: 'n' } } } },
    ],
    [
      'is judged again when it is replaced',
      [create(podTemplate()), replace({ template: { spec: { containers: null } } })],
      { causes: ['template.spec.containers: Required value'] },
    ],
    [
      'warns as a pod does',
      [
        create(
          podTemplate({
            containers: [
              {
                name: 'c',
                image: 'x',
                env: [
                  { name: 'A', value: '1' },
                  { name: 'A', value: '2' },
                ],
              },
            ],
          }),
        ),
      ],
      { warnings: ['template.spec.containers[0].env[1]: hides previous definition of "A", which may be dropped when using apply'] },
    ],
    [
      'shows its containers',
      [create(podTemplate()), table],
      { cells: { Name: '{name}', Containers: 'c', Images: 'x', 'Pod Labels': 'app=a' } },
    ],
    [
      'has no resources of ephemeral containers, not even empty ones',
      [
        create(
          podTemplate({
            ephemeralContainers: [{ name: 'e', image: 'x', resources: { requests: {} }, ports: [], lifecycle: {} }],
          }),
        ),
      ],
      {
        causes: [
          ...['ports', 'resources', 'lifecycle'].map(
            (field) => `template.spec.ephemeralContainers[0].${field}: Forbidden: cannot be set for an Ephemeral Container`,
          ),
          'template.spec.ephemeralContainers: Forbidden: ephemeral containers not allowed in pod template',
        ],
      },
    ],
    [
      'has no claims of the pod as a whole, not even an empty list',
      [create(podTemplate({ resources: { claims: [] } }))],
      { causes: ['template.spec.resources.claims: Forbidden: claims may not be set for Resources at pod-level'] },
    ],
  ],
});
