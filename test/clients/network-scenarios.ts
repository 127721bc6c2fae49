import type { Scenario } from './controller-scenarios.ts';
import type { Estate } from './estate.ts';

const http = { name: 'http', port: 80 };
/** not headless: that would be of two families */
const withoutSelector = { spec: { ports: [http], clusterIP: undefined } };

async function endpoints(estate: Estate, subsets: readonly object[], metadata: object = {}): Promise<void> {
  await estate.create('endpoints', 's', { fields: { subsets }, metadata });
}

const one = [{ addresses: [{ ip: '192.0.2.1' }], ports: [http] }];

export const mirroringScenarios: readonly Scenario[] = [
  {
    name: 'mirroring-subsets',
    steps: [
      async (estate) => {
        await estate.create('services', 's', withoutSelector);
        await endpoints(estate, [
          { addresses: [{ ip: '192.0.2.1' }, { ip: '192.0.2.2' }], notReadyAddresses: [{ ip: '192.0.2.3' }], ports: [http] },
          {
            addresses: [{ ip: '192.0.2.1' }, { ip: '192.0.2.2' }],
            notReadyAddresses: [{ ip: '192.0.2.3' }],
            ports: [{ name: 'raw', port: 81, protocol: 'UDP' }],
          },
          { addresses: [{ ip: '192.0.2.9' }], ports: [{ name: 'other', port: 90, appProtocol: 'example.com/x' }] },
        ]);
      },
      (estate) => estate.patch('endpoints', 's', { subsets: one }),
      (estate) => estate.delete('endpoints', 's', 'Background'),
    ],
  },
  {
    name: 'mirroring-families',
    steps: [
      async (estate) => {
        await estate.create('services', 's', withoutSelector);
        await endpoints(estate, [{ addresses: [{ ip: '192.0.2.1' }, { ip: '2001:db8::1' }], ports: [http] }]);
      },
      (estate) => estate.patch('endpoints', 's', { subsets: [{ notReadyAddresses: [{ ip: '2001:db8::1' }], ports: [http] }] }),
    ],
  },
  {
    name: 'mirroring-skipped',
    steps: [
      async (estate) => {
        await estate.create('services', 's', withoutSelector);
        await endpoints(estate, one, { labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } });
      },
      (estate) => estate.patch('endpoints', 's', { metadata: { labels: null } }),
      (estate) => estate.patch('endpoints', 's', { metadata: { labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } } }),
    ],
  },
  {
    name: 'mirroring-of-a-lock',
    steps: [
      async (estate) => {
        await estate.create('services', 's', withoutSelector);
        await endpoints(estate, one, { annotations: { 'control-plane.alpha.kubernetes.io/leader': '{}' } });
      },
    ],
  },
  {
    name: 'mirroring-until-there-is-a-selector',
    steps: [
      async (estate) => {
        await estate.create('services', 's', withoutSelector);
        await endpoints(estate, one);
      },
      (estate) => estate.patch('services', 's', { spec: { selector: { app: 'x' } } }),
    ],
  },
  {
    name: 'mirroring-when-the-service-comes',
    steps: [
      (estate) => endpoints(estate, one),
      (estate) => estate.create('services', 's', { spec: { ports: [http] } }).then(() => {}),
      (estate) => estate.delete('services', 's', 'Background'),
    ],
  },
  {
    name: 'mirroring-details',
    steps: [
      async (estate) => {
        await estate.create('services', 's', withoutSelector);
        const address = {
          ip: '192.0.2.1',
          hostname: 'first',
          nodeName: 'n',
          targetRef: { kind: 'Pod', name: 'p', namespace: estate.namespace },
        };
        await endpoints(estate, [{ addresses: [address] }], { labels: { tier: 'front' }, annotations: { note: 'copied' } });
      },
      (estate) => estate.patch('endpoints', 's', { metadata: { labels: { tier: 'back' }, annotations: { note: null } } }),
    ],
  },
];

const range = (...cidrs: string[]): { spec: object } => ({ spec: { cidrs } });
const serviceAt = (estate: Estate, clusterIP: string): Promise<unknown> => estate.create('services', 's', { spec: { clusterIP } });

/** Services that want any address get one of any range that is ready: those of other scenarios are made in the first step, ranges after it. */
const afterServices = ({ name, steps }: Scenario): Scenario => ({ name, steps: [async () => {}, ...steps] });

const ranges: readonly Scenario[] = [
  { name: 'cidr-ready', steps: [async (estate) => void (await estate.create('servicecidrs', 'a', range('172.20.1.0/24')))] },
  {
    name: 'cidr-goes',
    steps: [
      async (estate) => void (await estate.create('servicecidrs', 'a', range('172.20.2.0/24'))),
      (estate) => estate.delete('servicecidrs', 'a', 'Background'),
    ],
  },
  {
    name: 'cidr-in-use',
    steps: [
      async (estate) => void (await estate.create('servicecidrs', 'a', range('172.20.3.0/24'))),
      async (estate) => {
        await serviceAt(estate, '172.20.3.7');
        await estate.delete('servicecidrs', 'a', 'Background');
      },
      (estate) => estate.delete('services', 's', 'Background'),
    ],
  },
  {
    name: 'cidr-within-another',
    steps: [
      async (estate) => {
        await estate.create('servicecidrs', 'inner', range('172.20.4.0/24'));
        await estate.create('servicecidrs', 'outer', range('172.20.4.0/23'));
      },
      async (estate) => {
        await serviceAt(estate, '172.20.4.7');
        await estate.delete('servicecidrs', 'inner', 'Background');
      },
    ],
  },
  {
    name: 'cidr-twice',
    steps: [
      async (estate) => {
        await estate.create('servicecidrs', 'a', range('172.20.6.0/24'));
        await estate.create('servicecidrs', 'b', range('172.20.6.0/24'));
      },
      async (estate) => {
        await serviceAt(estate, '172.20.6.7');
        await estate.delete('servicecidrs', 'a', 'Background');
      },
    ],
  },
  {
    name: 'cidr-of-two-families',
    steps: [
      async (estate) => void (await estate.create('servicecidrs', 'a', range('172.20.7.0/24', 'fd00:7::/112'))),
      (estate) => estate.delete('servicecidrs', 'a', 'Background'),
    ],
  },
  {
    name: 'cidr-replaced',
    steps: [
      async (estate) => void (await estate.create('servicecidrs', 'a', range('172.20.8.0/24'))),
      async (estate) => {
        await serviceAt(estate, '172.20.8.7');
        await estate.delete('servicecidrs', 'a', 'Background');
      },
      async (estate) => void (await estate.create('servicecidrs', 'b', range('172.20.8.0/24'))),
    ],
  },
];

export const serviceCidrScenarios: readonly Scenario[] = ranges.map(afterServices);
