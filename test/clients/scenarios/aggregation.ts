import type { Step } from '../step.ts';
import { step } from '../step.ts';

/** A document that is asked for without kubectl. */
export interface Question {
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** the part that is compared; default: all of it */
  readonly part?: (document: never) => unknown;
}

/** What happens to the server behind the APIService before the steps are played. */
export type Event = 'registered' | 'killed' | 'started' | 'service gone' | 'service back' | 'certificate of others' | 'unregistered';

export interface Phase {
  readonly event: Event;
  /** what both servers must have come to before the rest is compared */
  readonly settled: readonly Step[];
  readonly steps: readonly (Step | Question)[];
}

interface Named {
  readonly metadata?: { readonly name?: string };
}

interface Swagger {
  readonly paths: Record<string, object>;
  readonly definitions: Record<string, object>;
}

const group = 'wardle.example.com';
const apiService = `apiservice/v1alpha1.${group}`;
const aggregated = { accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList' };
const ofGroup = (table: Record<string, object>): object =>
  Object.fromEntries(Object.entries(table).filter(([name]) => /wardle/.test(name)));

const condition = (status: string): Step =>
  step(`wait --for=condition=Available=${status} ${apiService} apiservice/v1beta1.${group} --timeout=90s`);
const conditions = step(
  `get ${apiService} -o jsonpath={.status.conditions[*].status}/{.status.conditions[*].reason}/{.status.conditions[*].message}`,
);
const discovery: readonly Question[] = [
  { path: '/apis' },
  { path: `/apis/${group}` },
  { path: `/apis/${group}/v1alpha1` },
  { path: `/apis/${group}/v1beta1` },
  { path: `/apis/${group}/v1` },
  {
    path: '/apis',
    headers: aggregated,
    part: ({ items }: { items: readonly Named[] }) => [
      items.map(({ metadata }) => metadata?.name),
      items.find(({ metadata }) => metadata?.name === group),
    ],
  },
  { path: '/', part: ({ paths }: { paths: readonly string[] }) => paths.filter((path) => path.includes(group)) },
];
const openApi: readonly Question[] = [
  { path: '/openapi/v3', part: ({ paths }: { paths: object }) => Object.keys(paths) },
  { path: `/openapi/v3/apis/${group}/v1alpha1` },
  { path: `/openapi/v3/apis/${group}/v1beta1` },
  { path: '/openapi/v2', part: ({ paths, definitions }: Swagger) => [ofGroup(paths), ofGroup(definitions)] },
  { path: '/openapi/v2', part: ({ definitions }: Swagger) => Object.keys(definitions).filter((name) => name.endsWith('_v2')) },
];
const lists = [step('get flunders -A'), step('api-resources --api-group=wardle.example.com'), step('api-versions')];

export const phases: readonly Phase[] = [
  {
    event: 'registered',
    // Upstream reads OpenAPI a second later.
    settled: [condition('True'), step('explain flunders', { eventually: true }), step('explain fischers', { eventually: true })],
    steps: [
      conditions,
      ...discovery,
      ...openApi,
      ...lists,
      step('explain flunders --recursive'),
      step('explain flunder.spec'),
      step('explain flunders --output=plaintext-openapiv2'),
      step('create -f flunder.yaml'),
      step('create -f flunder.yaml'),
      step('get flunders play -o yaml'),
      step('get flunders play -o json'),
      step('get flunders play --show-managed-fields -o yaml'),
      step('get flunders'),
      step('get flunders -o wide'),
      step('describe flunder play'),
      step('label flunder play colour=red'),
      step('get flunders -l colour=red -o name'),
      step('get flunders --field-selector=metadata.name=play -o name'),
      step(`patch flunder play --type=merge -p '{"spec":{"reference":"third"}}'`),
      step(`patch flunder play --type=json -p '[{"op":"replace","path":"/spec/reference","value":"fourth"}]'`),
      step('apply -f flunder.yaml'),
      step('apply --server-side --force-conflicts -f flunder.yaml'),
      step('diff -f flunder.yaml'),
      step('edit flunder play', { edit: ['reference: other', 'reference: edited'] }),
      step('replace -f flunder.yaml'),
      step('get flunders --watch -o name', {
        meanwhile: [step('annotate flunder play note=one'), step('annotate flunder play note=two --overwrite')],
      }),
      step('get flunders --as=jane'),
      step('create clusterrole flunders --verb=get,list,create --resource=flunders.wardle.example.com'),
      step('create clusterrolebinding jane --clusterrole=flunders --user=jane'),
      step('get flunders --as=jane', { eventually: true }),
      step('delete flunder play --as=jane'),
      step('get flunders nothing'),
      step('get flunders.v1beta1.wardle.example.com play -o yaml'),
      step('create -f flunder.yaml --validate=strict --dry-run=server -o yaml'),
      step('delete flunders --all --dry-run=server'),
      step('get fischers'),
      { path: `/apis/${group}/v1alpha1/flunders?limit=1` },
      { path: `/apis/${group}/v1alpha1/flunders`, headers: { accept: 'application/yaml' } },
      { path: `/apis/${group}/v1alpha1/flunders`, headers: { accept: 'application/xml' } },
      { path: `/apis/${group}/v1alpha1/nothing` },
      { path: `/apis/${group}/v1alpha1/` },
      { path: `/apis/${group}/v1alpha1/namespaces/default/flunders/play/scale` },
      { path: `/openapi/v3/apis/${group}/v2` },
    ],
  },
  {
    event: 'killed',
    settled: [condition('False')],
    steps: [
      conditions,
      ...discovery,
      { path: `/apis/${group}/v1alpha1/flunders` },
      { path: `/openapi/v3/apis/${group}/v1alpha1` },
      { path: '/openapi/v3', part: ({ paths }: { paths: object }) => Object.keys(paths) },
      step('get flunders'),
      step('create -f flunder.yaml'),
      step('get configmaps -n kube-system -o name'),
    ],
  },
  {
    event: 'started',
    settled: [condition('True'), step('get flunders', { eventually: true })],
    steps: [conditions, ...discovery, ...lists],
  },
  { event: 'service gone', settled: [condition('False')], steps: [conditions, { path: `/apis/${group}/v1alpha1/flunders` }] },
  { event: 'service back', settled: [condition('True'), step('get flunders', { eventually: true })], steps: [conditions, ...lists] },
  { event: 'certificate of others', settled: [condition('False')], steps: [conditions] },
  { event: 'unregistered', settled: [], steps: [...discovery, step('get flunders'), step('api-resources --api-group=wardle.example.com')] },
];
