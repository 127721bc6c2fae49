import { create, describeKind } from '../../../../test/support/kind-suite.ts';

describeKind('a ResourceClaim', {
  path: '/apis/resource.k8s.io/v1/namespaces/{ns}/resourceclaims',
  cases: [
    [
      'says first what its namespace may not have, then what else is wrong',
      [create({ spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'NO', adminAccess: true } }] } } })],
      {
        causes: [
          'spec.devices.requests[0].adminAccess: Forbidden: admin access to devices requires the `resource.kubernetes.io/admin-access: true` label on the containing namespace',
          /^spec\.devices\.requests\[0\]\.exactly\.deviceClassName: Invalid value: "NO"/,
        ],
      },
    ],
  ],
});
