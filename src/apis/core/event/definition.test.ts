import { create, describeKind, get, list, merge, replace, send, table } from '../../../../test/support/kind-suite.ts';

const event = (fields: object = {}): object => ({
  involvedObject: { kind: 'Pod', namespace: '{ns}', name: 'p', uid: 'u' },
  reason: 'Started',
  message: 'It runs',
  type: 'Normal',
  ...fields,
});

describeKind('an Event of core', {
  path: '/api/v1/namespaces/{ns}/events',
  cases: [
    [
      'is about an object of its namespace',
      [create(event())],
      {
        fields: {
          involvedObject: { kind: 'Pod', name: 'p' },
          reason: 'Started',
          source: {},
          firstTimestamp: null,
          lastTimestamp: null,
          eventTime: null,
          reportingComponent: '',
          reportingInstance: '',
        },
      },
    ],
    [
      'is not about an object of another namespace',
      [create(event({ involvedObject: { kind: 'Pod', namespace: 'other', name: 'p' } }))],
      { causes: ['involvedObject.namespace: Invalid value: "other": does not match event.namespace'] },
    ],
    [
      'is about something of the cluster in the default namespace alone',
      [create(event({ involvedObject: { kind: 'Node', name: 'n' } }))],
      { causes: ['involvedObject.namespace: Invalid value: "": does not match event.namespace'] },
    ],
    [
      'says by whom it was reported once it has a time of its own',
      [create(event({ eventTime: '2024-01-01T00:00:00.000000Z' }))],
      {
        causes: [
          'reportingComponent: Required value',
          'reportingComponent: Invalid value: "": name part must be non-empty',
          `reportingComponent: Invalid value: "": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
          'reportingInstance: Required value',
          'action: Required value',
        ],
      },
    ],
    ['is of any type while it has no time of its own', [create(event({ type: 'Odd' }))], { fields: { type: 'Odd' } }],
    [
      'is judged less strictly here than in events.k8s.io',
      [
        create(
          event({
            eventTime: '2024-01-01T00:00:00.000000Z',
            reportingComponent: 'example.com/c',
            reportingInstance: 'i',
            action: 'a',
            series: { count: 1 },
          }),
        ),
      ],
      { fields: { series: { count: 1, lastObservedTime: null } } },
    ],
    [
      'changes while it has no time of its own',
      [create(event()), merge({ count: 2, message: 'again' })],
      { fields: { count: 2, message: 'again' } },
    ],
    [
      'is replaced without a precondition',
      [create(event()), send('PUT', '/api/v1/namespaces/{ns}/events/{name}', { metadata: { name: '{name}' }, ...event({ count: 3 }) })],
      { fields: { count: 3 } },
    ],
    [
      'keeps what it is about once it has a time of its own',
      [
        create(
          event({ eventTime: '2024-01-01T00:00:00.000000Z', reportingComponent: 'example.com/c', reportingInstance: 'i', action: 'a' }),
        ),
        send(
          'PATCH',
          '/apis/events.k8s.io/v1/namespaces/{ns}/events/{name}',
          { reason: 'Other', note: 'other' },
          { 'content-type': 'application/merge-patch+json' },
        ),
      ],
      { causes: ['reason: Invalid value: "Other": field is immutable', 'message: Invalid value: "other": field is immutable'] },
    ],
    [
      'is found by what it is about',
      [
        create(
          event({ involvedObject: { kind: 'Pod', namespace: '{ns}', name: 'wanted' }, type: 'Warning', source: { component: 'kubelet' } }),
        ),
        list('fieldSelector=involvedObject.name=wanted,type=Warning,source=kubelet,reason=Started'),
      ],
      { fields: { items: [{ metadata: { name: '{name}' } }] } },
    ],
    [
      'is the same event in events.k8s.io',
      [
        create(event({ source: { component: 'kubelet', host: 'h' }, count: 4 })),
        send('GET', '/apis/events.k8s.io/v1/namespaces/{ns}/events/{name}'),
      ],
      {
        fields: {
          regarding: { name: 'p' },
          note: 'It runs',
          deprecatedSource: { component: 'kubelet', host: 'h' },
          deprecatedCount: 4,
          reason: 'Started',
        },
      },
    ],
    ['has no status', [create(event()), get('status')], { status: 404, message: 'the server could not find the requested resource' }],
    [
      'is not replaced from an older state',
      [create(event()), replace({ metadata: { resourceVersion: '1' } })],
      {
        status: 409,
        message:
          'Operation cannot be fulfilled on events "{name}": the object has been modified; please apply your changes to the latest version and try again',
      },
    ],
    [
      'shows what happened to what',
      [
        create(
          event({
            source: { component: 'kubelet', host: 'h' },
            count: 4,
            involvedObject: { kind: 'Pod', namespace: '{ns}', name: 'p', fieldPath: 'spec.containers{c}' },
          }),
        ),
        table,
      ],
      {
        cells: {
          'Last Seen': '<unknown>',
          Type: 'Normal',
          Reason: 'Started',
          Object: 'pod/p',
          Subobject: 'spec.containers{c}',
          Source: 'kubelet, h',
          Message: 'It runs',
          'First Seen': '<unknown>',
          Count: 4,
          Name: '{name}',
        },
      },
    ],
  ],
});
