import { setTimeout as sleep } from 'node:timers/promises';
import type { Case, RecordedCase, Result, Step } from '../parity/case.ts';
import type { ParityClient } from '../parity/client.ts';
import { normalResponse } from '../parity/normal-response.ts';
import { Normaliser } from '../parity/normaliser.ts';
import type { Document } from './documents.ts';
import { manifestCase } from './manifest-cases.ts';

export const isDefinition = ({ object }: Document): boolean =>
  object.kind === 'CustomResourceDefinition' && object.apiVersion === 'apiextensions.k8s.io/v1';

const collection = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const served = {
  prefix: '/apis/apiextensions.k8s.io/v1',
  plural: 'customresourcedefinitions',
  isNamespaced: false,
  verbs: ['get', 'create'],
};
const establishMs = 180_000;
const atOnce = 4;

/** Creates definitions that stay, on both servers, and yields what the two said. */
export async function* createDefinitions(
  documents: readonly Document[],
  reference: ParityClient,
  ours: ParityClient,
): AsyncGenerator<{ readonly recorded: RecordedCase; readonly results: readonly Result[] }> {
  for (let start = 0; start < documents.length; start += atOnce) {
    const some = documents.slice(start, start + atOnce).map(async (document) => {
      const one = manifestCase(document, served, false);
      const created = { ...one, name: `${one.name} created`, steps: one.steps.slice(0, 1) };
      const [theirs, own] = await Promise.all([reference, ours].map((client) => askOnce(client, created)));
      return { recorded: { case: created, result: theirs ?? [] }, results: own ?? [] };
    });
    yield* await Promise.all(some);
  }
}

/** The rest of a definition's life, until it is deleted. */
export function definitionCases(document: Document): readonly [lived: Case, deleted: Case] {
  const { steps, ...about } = manifestCase(document, served, false);
  const isDelete = ({ method }: Step): boolean => method === 'DELETE';
  const end = steps.findIndex(isDelete);
  return [
    { ...about, name: `${about.name} lived`, steps: steps.slice(1, end) },
    { ...about, name: `${about.name} deleted`, steps: steps.slice(end, end + 1) },
  ];
}

async function askOnce(client: ParityClient, { category, steps, name }: Case): Promise<Result[]> {
  const [step] = steps;
  if (step?.method === undefined || step.path === undefined) throw new Error(`${name}: nothing to ask`);
  const { method, path, headers = {}, rawBody } = step;
  const response = await client.ask({ method, path, headers, body: rawBody });
  if ('take' in response) throw new Error(`${name}: a stream`);
  return [normalResponse(response, step, new Normaliser(rawBody ?? '', []), category)];
}

interface Definition {
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> };
  readonly status: { readonly conditions: readonly { readonly type: string }[] };
}

/** Two parts of upstream write conditions of a definition that is approved, either of them first: here they come in one order. */
export async function orderConditions(client: ParityClient): Promise<void> {
  const headers = { 'content-type': 'application/merge-patch+json' };
  for (const { metadata, status } of await readDefinitions<Definition>(client)) {
    if (metadata.annotations?.['api-approved.kubernetes.io'] === undefined) continue;
    const conditions = status.conditions.toSorted((a, b) => (a.type < b.type ? -1 : 1));
    const path = `${collection}/${metadata.name}/status?fieldManager=kube-apiserver`;
    const response = await client.ask({ method: 'PATCH', path, headers, body: JSON.stringify({ status: { conditions } }) });
    if (!('status' in response) || response.status !== 200) throw new Error(`conditions of ${metadata.name}: ${JSON.stringify(response)}`);
  }
}

async function readDefinitions<Read>(client: ParityClient): Promise<readonly Read[]> {
  const response = await client.ask({ method: 'GET', path: collection, timeoutMs: 60_000 });
  if (!('body' in response) || response.status !== 200) throw new Error(`no list of definitions: ${JSON.stringify(response)}`);
  return (JSON.parse(response.body.toString()) as { items: Read[] }).items;
}

/** Resolves with the number of definitions when all of them that can be are established. */
export async function waitForDefinitions(client: ParityClient): Promise<number> {
  const deadline = Date.now() + establishMs;
  for (;;) {
    const items = await readDefinitions<{ status?: { conditions?: { type: string; status: string }[] } }>(client);
    const isSettled = ({ status }: (typeof items)[number]): boolean =>
      (status?.conditions ?? []).some(
        ({ type, status: is }) => (type === 'Established' && is === 'True') || (type === 'NamesAccepted' && is === 'False'),
      );
    if (items.every(isSettled)) return items.length;
    if (Date.now() > deadline) throw new Error(`definitions that are not established: ${items.filter((one) => !isSettled(one)).length}`);
    await sleep(500);
  }
}
