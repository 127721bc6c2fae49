import { create, describeKind, list, merge, replace, send } from '../../../../test/support/kind-suite.ts';

const event = (fields: object = {}): object => ({
  eventTime: '2024-01-01T00:00:00.123456Z',
  reportingController: 'example.com/controller',
  reportingInstance: 'controller-1',
  action: 'Starting',
  reason: 'Started',
  type: 'Normal',
  regarding: { kind: 'Pod', namespace: '{ns}', name: 'p' },
  note: 'It runs',
  ...fields,
});

describeKind('an Event', {
  path: '/apis/events.k8s.io/v1/namespaces/{ns}/events',
  cases: [
    [
      'says what happened, when, to what and by whom',
      [create(event())],
      {
        fields: {
          eventTime: '2024-01-01T00:00:00.123456Z',
          deprecatedSource: {},
          deprecatedFirstTimestamp: null,
          deprecatedLastTimestamp: null,
        },
      },
    ],
    [
      'needs all of it',
      [create({ regarding: { kind: 'Pod', namespace: '{ns}', name: 'p' } })],
      { causes: ['eventTime: Required value', 'type: Invalid value: "": has invalid value: '] },
    ],
    ['is normal or a warning', [create(event({ type: 'Odd' }))], { causes: ['type: Invalid value: "": has invalid value: Odd'] }],
    [
      'is of a controller with a qualified name',
      [create(event({ reportingController: 'a b' }))],
      {
        causes: [
          `reportingController: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
        ],
      },
    ],
    [
      'is short',
      [create(event({ action: 'a'.repeat(129), reason: 'r'.repeat(129), reportingInstance: 'i'.repeat(129), note: 'n'.repeat(1025) }))],
      {
        causes: [
          'reportingInstance: Invalid value: "": can have at most 128 characters',
          'action: Invalid value: "": can have at most 128 characters',
          'reason: Invalid value: "": can have at most 128 characters',
          'message: Invalid value: "": can have at most 1024 characters',
        ],
      },
    ],
    [
      'has none of the deprecated fields',
      [
        create(
          event({
            deprecatedSource: { component: 'c' },
            deprecatedCount: 1,
            deprecatedFirstTimestamp: '2024-01-01T00:00:00Z',
            deprecatedLastTimestamp: '2024-01-01T00:00:00Z',
          }),
        ),
      ],
      {
        causes: [
          'firstTimestamp: Invalid value: "": needs to be unset',
          'lastTimestamp: Invalid value: "": needs to be unset',
          'count: Invalid value: "": needs to be unset',
          'source: Invalid value: "": needs to be unset',
        ],
      },
    ],
    [
      'may be about an object of another namespace',
      [create(event({ regarding: { kind: 'Pod', namespace: 'other', name: 'p' } }))],
      { fields: { regarding: { namespace: 'other' } } },
    ],
    [
      'has a series of two at least',
      [create(event({ series: { count: 1, lastObservedTime: '2024-01-01T00:00:01.000000Z' } }))],
      { causes: ['series.count: Invalid value: "": should be at least 2'] },
    ],
    [
      'becomes a series',
      [create(event()), merge({ series: { count: 2, lastObservedTime: '2024-01-01T00:00:01.000000Z' } })],
      { fields: { series: { count: 2, lastObservedTime: '2024-01-01T00:00:01.000000Z' } } },
    ],
    [
      'is otherwise what it was',
      [
        create(event()),
        replace({
          reason: 'Other',
          note: 'other',
          action: 'Other',
          type: 'Warning',
          reportingInstance: 'other',
          eventTime: '2024-01-01T00:00:09.000000Z',
        }),
      ],
      {
        causes: [
          'reason: Invalid value: "Other": field is immutable',
          'message: Invalid value: "other": field is immutable',
          'type: Invalid value: "Warning": field is immutable',
          'eventTime: Invalid value: "2024-01-01T00:00:09.000000Z": field is immutable',
          'action: Invalid value: "Other": field is immutable',
          'reportingInstance: Invalid value: "other": field is immutable',
        ],
      },
    ],
    [
      'is found by what it is about and who reported it',
      [
        create(event({ regarding: { kind: 'Pod', namespace: '{ns}', name: 'wanted' } })),
        list('fieldSelector=regarding.name=wanted,reportingController=example.com/controller'),
      ],
      { fields: { items: [{ metadata: { name: '{name}' } }] } },
    ],
    [
      'is the same event in core',
      [create(event()), send('GET', '/api/v1/namespaces/{ns}/events/{name}')],
      {
        fields: {
          apiVersion: 'v1',
          involvedObject: { name: 'p' },
          message: 'It runs',
          reportingComponent: 'example.com/controller',
          source: {},
        },
      },
    ],
    [
      'keeps finalizers that have a domain',
      [create(event()), replace({ metadata: { finalizers: ['a'] } })],
      { causes: ['metadata.finalizers[0]: Invalid value: "a": name is neither a standard finalizer name nor is it fully qualified'] },
    ],
    [
      'is not created by a PUT that names a revision that is no number',
      [
        send('PUT', '/apis/events.k8s.io/v1/namespaces/{ns}/events/{name}', {
          ...event(),
          metadata: { name: '{name}', resourceVersion: 'x' },
        }),
      ],
      { status: 500, message: 'strconv.ParseUint: parsing "x": invalid syntax' },
    ],
  ],
});
