// Upstream: k8s.io/kubernetes/pkg/controller/validatingadmissionpolicystatus/controller.go
import { schemaType } from '../../cel/schema-types.ts';
import { parseGroupVersion } from '../../machinery/group-version.ts';
import type { GroupVersionKind } from '../../machinery/type-model.ts';
import type { ValidatingAdmissionPolicy } from '../../schema/types/admissionregistration-v1.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import type { Client } from '../common/client.ts';
import { defineController } from '../common/controller.ts';
import { discover } from '../common/served-resources.ts';
import { WorkQueue } from '../common/work-queue.ts';
import { kindsOf } from './kinds.ts';
import { KindSchemas } from './schemas.ts';
import type { TypedKind } from './type-check.ts';
import { typeWarnings } from './type-check.ts';

type Policy = ValidatingAdmissionPolicy & KubeObject;

const path = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';
const fieldManager = 'validatingadmissionpolicy-status';

/** Tells in the status of validating policies what their expressions get wrong about types. */
export const validatingAdmissionPolicyStatus = defineController({
  name: 'validatingadmissionpolicy-status-controller',
  account: 'validatingadmissionpolicy-status-controller',
  async run({ client, informers, clock, log, metrics, signal }) {
    const policies = informers.of<Policy>(path);
    const queue = new WorkQueue<string>({
      name: 'validatingadmissionpolicy-status',
      metrics,
      clock,
      log,
      async process(name) {
        const policy = policies.get('', name);
        if (policy !== undefined && isNews(policy)) await reconcile(client, policy);
      },
    });
    using _policies = policies.subscribe({ changed: ({ metadata }) => queue.add(metadata.name as string) });
    await queue.run(signal);
  },
});

function isNews({ metadata, status }: Policy): boolean {
  return Number(metadata.generation ?? 0) > Number(status?.observedGeneration ?? 0);
}

async function reconcile(client: Client, { metadata, spec }: Policy): Promise<void> {
  const schemas = new KindSchemas(client);
  const kinds = kindsOf(spec.matchConstraints?.resourceRules ?? [], (await discover(client)).resources);
  const typed: TypedKind[] = [];
  for (const one of kinds) {
    const schema = await schemas.of(one);
    if (schema !== undefined) typed.push({ ...one, type: schemaType(schema, `${one.kind}Object`, true) });
  }
  const paramKind = paramKindOf(spec);
  const paramSchema = paramKind && (await schemas.of(paramKind));
  const params = paramKind && { type: paramSchema && schemaType(paramSchema, `${paramKind.kind}Params`, true) };
  const expressionWarnings = typeWarnings(spec, typed, params);
  const status = {
    observedGeneration: metadata.generation,
    typeChecking: expressionWarnings.length === 0 ? {} : { expressionWarnings },
  };
  const name = metadata.name as string;
  // Objects of a list do not say what they are.
  const applied = { apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingAdmissionPolicy', metadata: { name }, status };
  await client.apply(`${path}/${name}/status`, applied, fieldManager);
}

function paramKindOf({ paramKind }: Policy['spec']): GroupVersionKind | undefined {
  const parsed = paramKind && parseGroupVersion(paramKind.apiVersion ?? '');
  return parsed && { ...parsed, kind: paramKind.kind ?? '' };
}
