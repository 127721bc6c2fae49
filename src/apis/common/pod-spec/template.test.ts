import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FieldPath } from '../../../machinery/field.ts';
import type { Container, PodSpec, PodTemplateSpec, Volume } from '../../../schema/types/core-v1.ts';
import type { FeatureGates } from '../../../server/registry/features.ts';
import { defaultPodTemplate } from './defaults.ts';
import { podTemplateValidationOptions } from './options.ts';
import { validatePodTemplateSpec } from './template.ts';

const features: FeatureGates = { enabled: (name) => name === 'PodLevelResources' || name === 'RelaxedEnvironmentVariableValidation' };
const capabilities = { allowPrivileged: true };

function messages(spec: Partial<PodSpec>, annotations?: Record<string, string>, permitted = capabilities): string[] {
  const template: PodTemplateSpec = {
    metadata: annotations === undefined ? {} : { annotations },
    spec: { containers: [container()], ...spec },
  };
  defaultPodTemplate(template);
  const options = podTemplateValidationOptions({ features, capabilities: permitted }, template, undefined);
  return validatePodTemplateSpec(template, FieldPath.root('template'), options).map(String);
}

function container(more: Partial<Container> = {}): Container {
  return { name: 'main', image: 'i', resources: {}, ...more };
}

const withVolume = (volume: Omit<Volume, 'name'>): Partial<PodSpec> => ({ volumes: [{ name: 'v', ...volume }] });

const valid: readonly (readonly [name: string, spec: Partial<PodSpec>])[] = [
  ['a container', {}],
  ['resources', { containers: [container({ resources: { limits: { cpu: '1', 'example.com/gpu': '2' } } })] }],
  ['volumes and mounts', { ...withVolume({ emptyDir: {} }), containers: [container({ volumeMounts: [{ name: 'v', mountPath: '/v' }] })] }],
];

for (const [name, spec] of valid) {
  test(`a template with ${name} is valid`, () => {
    assert.deepEqual(messages(spec), []);
  });
}

const spec = 'template.spec';
const refused: readonly (readonly [name: string, spec: Partial<PodSpec>, errors: readonly string[]])[] = [
  ['no containers', { containers: null }, [`${spec}.containers: Required value`]],
  ['containers of one name', { containers: [container(), container()] }, [`${spec}.containers[1].name: Duplicate value: "main"`]],
  ['no image', { containers: [container({ image: '' })] }, [`${spec}.containers[0].image: Required value`]],
  [
    'an unknown restart policy',
    { restartPolicy: 'Maybe' },
    [`${spec}.restartPolicy: Unsupported value: "Maybe": supported values: "Always", "OnFailure", "Never"`],
  ],
  [
    'a request above its limit',
    { containers: [container({ resources: { limits: { cpu: '1' }, requests: { cpu: '2' } } })] },
    [`${spec}.containers[0].resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1`],
  ],
  [
    'half a device',
    { containers: [container({ resources: { limits: { 'example.com/gpu': '500m' } } })] },
    [`${spec}.containers[0].resources.limits[example.com/gpu]: Invalid value: "500m": must be an integer`],
  ],
  [
    'a mount of nothing',
    { containers: [container({ volumeMounts: [{ name: 'v', mountPath: '/v' }] })] },
    [`${spec}.containers[0].volumeMounts[0].name: Not found: "v"`],
  ],
  [
    'two sources in a volume',
    withVolume({ emptyDir: {}, downwardAPI: {} }),
    [`${spec}.volumes[0].downwarAPI: Forbidden: may not specify more than 1 volume type`],
  ],
  [
    'a host path upwards',
    withVolume({ hostPath: { path: '/a/../b' } }),
    [`${spec}.volumes[0].hostPath.path: Invalid value: "/a/../b": must not contain '..'`],
  ],
  [
    'a probe without handler',
    { containers: [container({ livenessProbe: {} })] },
    [`${spec}.containers[0].livenessProbe: Required value: must specify a handler type`],
  ],
  [
    'a toleration without key',
    { tolerations: [{ operator: 'Equal' }] },
    [
      `${spec}.tolerations[0].operator: Invalid value: "Equal": operator must be Exists when \`key\` is empty, which means "match all values and all keys"`,
    ],
  ],
  [
    'privileges given and taken',
    { containers: [container({ securityContext: { privileged: true, allowPrivilegeEscalation: false } })] },
    [
      `${spec}.containers[0].securityContext: Invalid value: {"Capabilities":null,"Privileged":true,"SELinuxOptions":null,"WindowsOptions":null,"RunAsUser":null,"RunAsGroup":null,"RunAsNonRoot":null,"ReadOnlyRootFilesystem":null,"AllowPrivilegeEscalation":false,"ProcMount":null,"SeccompProfile":null,"AppArmorProfile":null}: cannot set \`allowPrivilegeEscalation\` to false and \`privileged\` to true`,
    ],
  ],
  [
    'no nameservers under policy None',
    { dnsPolicy: 'None' },
    [`${spec}.dnsConfig: Required value: must provide \`dnsConfig\` when \`dnsPolicy\` is None`],
  ],
  [
    'an unselective spread of domains',
    { topologySpreadConstraints: [{ maxSkew: 0, topologyKey: '', whenUnsatisfiable: 'Never', minDomains: 1 }] },
    [
      `${spec}.topologySpreadConstraints[0].maxSkew: Invalid value: 0: must be greater than zero`,
      `${spec}.topologySpreadConstraints[0].topologyKey: Required value: can not be empty`,
      `${spec}.topologySpreadConstraints[0].whenUnsatisfiable: Unsupported value: "Never": supported values: "DoNotSchedule", "ScheduleAnyway"`,
      `${spec}.topologySpreadConstraints[0].minDomains: Invalid value: 1: can only use minDomains if whenUnsatisfiable=DoNotSchedule, not Never`,
    ],
  ],
  [
    'an environment variable of two sources',
    {
      containers: [
        container({
          env: [
            { name: 'A', value: 'x', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
            { name: 'B', valueFrom: {} },
          ],
        }),
      ],
    },
    [
      `${spec}.containers[0].env[0].valueFrom: Invalid value: "": may not be specified when \`value\` is not empty`,
      `${spec}.containers[0].env[1].valueFrom: Invalid value: "": must specify one of: \`fieldRef\`, \`resourceFieldRef\`, \`configMapKeyRef\` or \`secretKeyRef\``,
    ],
  ],
  [
    'linux settings on windows',
    { os: { name: 'windows' }, hostPID: true, securityContext: { runAsUser: 1 } },
    [
      `${spec}.securityContext.runAsUser: Forbidden: cannot be set for a windows pod`,
      `${spec}.hostPID: Forbidden: cannot be set for a windows pod`,
    ],
  ],
  [
    'less for the pod than for its containers',
    { containers: [container({ resources: { requests: { cpu: '2' } } })], resources: { requests: { cpu: '1' } } },
    [`${spec}.resources.requests[cpu]: Invalid value: "1": must be greater than or equal to aggregate container requests of 2`],
  ],
  [
    'an ephemeral container',
    { ephemeralContainers: [{ name: 'debug', image: 'i', resources: {} }] },
    [`${spec}.ephemeralContainers: Forbidden: ephemeral containers not allowed in pod template`],
  ],
];

for (const [name, pod, errors] of refused) {
  test(`a template with ${name} is refused`, () => {
    assert.deepEqual(messages(pod), errors);
  });
}

test('profiles in annotations and fields have to agree', () => {
  const errors = messages(
    { securityContext: { seccompProfile: { type: 'Unconfined' } } },
    { 'seccomp.security.alpha.kubernetes.io/pod': 'runtime/default' },
  );
  assert.deepEqual(errors, [`${spec}.securityContext.seccompProfile.type: Forbidden: seccomp type in annotation and field must match`]);
});

test('a server may forbid privileged containers and host processes', () => {
  const forbidding = { allowPrivileged: false };
  const windowsOptions = { hostProcess: true };
  const hostProcess = { hostNetwork: true, containers: [container({ securityContext: { windowsOptions } })] };
  assert.deepEqual(messages({ containers: [container({ securityContext: { privileged: true } })] }, undefined, forbidding), [
    `${spec}.containers[0].securityContext.privileged: Forbidden: disallowed by cluster policy`,
  ]);
  assert.deepEqual(messages(hostProcess, undefined, forbidding), [
    `${spec}: Forbidden: hostProcess containers are disallowed by cluster policy`,
  ]);
});
