import { readRecorded } from '../recording.ts';
import type { Step } from '../case.ts';

export type Json = Record<string, unknown>;

/** Objects of a kind that upstream has accepted, and where they were created. */
export interface KindBase {
  /** `apps/v1/Deployment` */
  readonly kind: string;
  /** the collection, with `{ns}` in it where the kind has namespaces */
  readonly path: string;
  readonly objects: readonly Json[];
  readonly hasStatus: boolean;
}

/** Kinds that others of the same server would feel: what is written is not kept. */
const dryRunOnly =
  /^(admissionregistration|apiregistration|apiextensions|flowcontrol|storage\.k8s\.io\/v1\/StorageClass|scheduling|networking\.k8s\.io\/v1\/(ServiceCIDR|IPAddress|IngressClass)|node\.k8s\.io)/;

/** What the server itself writes into an object soon after it was created: cases wait for it. */
export const settledAt: Readonly<Record<string, NonNullable<Step['until']>>> = {
  'apiextensions.k8s.io/v1/CustomResourceDefinition': { pointer: '/status/conditions/1/status', equals: 'True' },
  'apiregistration.k8s.io/v1/APIService': { pointer: '/status/conditions/0' },
  'flowcontrol.apiserver.k8s.io/v1/FlowSchema': { pointer: '/status/conditions/0' },
};

export const isFeltByOthers = (kind: string): boolean => dryRunOnly.test(kind);

const mostObjects = 40;

/** From the recorded cases: whatever was created there is sound. */
export function readBases(): KindBase[] {
  const found = new Map<string, { path: string; objects: Map<string, Json>; hasStatus: boolean }>();
  for (const { case: one, result } of readRecorded()) {
    if (one.kind === undefined) continue;
    for (const [index, step] of one.steps.entries()) {
      const path = (step.path ?? '').split('?')[0] as string;
      const base = found.get(one.kind);
      if (base !== undefined && path.endsWith('/status')) base.hasStatus = true;
      if (result[index]?.status !== 201 || !isPlainCreate(step, one.kind)) continue;
      const text = JSON.stringify(step.body);
      if (base === undefined) found.set(one.kind, { path, objects: new Map([[text, step.body as Json]]), hasStatus: false });
      else if (base.path === path && base.objects.size < mostObjects) base.objects.set(text, step.body as Json);
    }
  }
  return [...found]
    .map(([kind, { path, objects, hasStatus }]) => ({ kind, path, hasStatus, objects: [...objects.values()] }))
    .toSorted((a, b) => (a.kind < b.kind ? -1 : 1));
}

/** Made by its own name: other objects that a case creates, and other ways to create, are not of use. */
function isPlainCreate({ method, body, path = '', as, headers }: Step, kind: string): boolean {
  if (method !== 'POST' || as !== undefined || headers !== undefined || path.includes('dryRun')) return false;
  const { apiVersion, kind: ownKind, metadata } = (body ?? {}) as { apiVersion?: string; kind?: string; metadata?: { name?: unknown } };
  return `${apiVersion}/${ownKind}` === kind && typeof metadata?.name === 'string';
}
