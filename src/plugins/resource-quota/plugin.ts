// Upstream: k8s.io/apiserver/pkg/admission/plugin/resourcequota/{admission,controller}.go
import { Slices } from '../../base/slices.ts';
import type { Quantity } from '../../machinery/quantity.ts';
import type { ResourceQuota } from '../../schema/types/core-v1.ts';
import type { ResourceAmounts } from '../../apis/common/pod-spec/pod-resources.ts';
import { amountsOf } from '../../apis/common/pod-spec/pod-resources.ts';
import type { AdmissionAttributes } from '../../server/admission/admission.ts';
import { forbid } from '../../server/admission/forbid.ts';
import type { PluginContext } from '../../server/admission/plugin.ts';
import { definePlugin } from '../../server/admission/plugin.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import type { Evaluator } from '../../apis/common/quota/evaluators.ts';
import { evaluatorOf } from '../../apis/common/quota/evaluators.ts';
import { isUncounted, scopesOf } from '../../apis/common/quota/scopes.ts';
import type { LimitedResource } from './limited-resources.ts';
import { limitedProblem, readLimitedResources } from './limited-resources.ts';

type QuotaObject = ResourceQuota & KubeObject;

/** A namespace holds no more than its quotas allow. What an object needs is charged before it is written. */
export const resourceQuota = definePlugin({
  name: 'ResourceQuota',
  enabledByDefault: true,
  create(context) {
    const limited = readLimitedResources(context.configuration);
    const evaluators = new Map<string, Evaluator>();
    const evaluatorFor = ({ group, names }: AdmissionAttributes['resource']): Evaluator => {
      const key = `${group}/${names.plural}`;
      let known = evaluators.get(key);
      if (known === undefined) {
        const { features } = context;
        const options = { volumeAttributes: features.enabled('VolumeAttributesClass'), podLevel: features.enabled('PodLevelResources') };
        evaluators.set(key, (known = evaluatorOf(group, names.plural, options)));
      }
      return known;
    };
    return {
      handles: (attributes) =>
        (attributes.operation === 'CREATE' || attributes.operation === 'UPDATE') &&
        attributes.namespace !== '' &&
        !(attributes.resource.group === '' && attributes.resource.kind === 'Namespace') &&
        !isUncounted(attributes.resource.group, attributes.resource.names.plural),
      async validate(attributes) {
        const evaluator = evaluatorFor(attributes.resource);
        const { object } = attributes;
        if (object === undefined || !evaluator.handles(attributes)) return;
        if (limited.length === 0 && context.reader.hasNone('', 'resourcequotas', attributes.namespace)) return;
        const found = await context.reader.list<QuotaObject>('', 'resourcequotas', attributes.namespace);
        const slices = new Slices();
        const quotas: QuotaObject[] = [];
        await eachInSlices(found, slices, (quota) => void quotas.push(quota));
        if (quotas.length > 0 || limited.length > 0) await charge(quotas, limited, attributes, object, evaluator, context, slices);
      },
    };
  },
});

async function charge(
  quotas: readonly QuotaObject[],
  limited: readonly LimitedResource[],
  attributes: AdmissionAttributes,
  object: KubeObject,
  evaluator: Evaluator,
  { clock, writer }: PluginContext,
  slices: Slices,
): Promise<void> {
  const concerned: QuotaObject[] = [];
  const missing = evaluator.missing?.(object);
  await eachInSlices(quotas, slices, (quota) => {
    if (!concernsObject(quota, object, evaluator)) return;
    checkKnown(quota, attributes, evaluator, missing);
    concerned.push(quota);
  });
  const usage = evaluator.usage(object, clock.now());
  const negative = [...usage].filter(([, quantity]) => quantity.sign < 0).map(([name]) => name);
  if (negative.length > 0) {
    throw forbid(attributes, `quota usage is negative for resource(s): ${negative.toSorted().join(',')}`);
  }
  if (limited.length > 0 && consumesMore(usage, attributes, evaluator, clock.now())) {
    const resources = new Set(concerned.flatMap(({ status }) => Object.keys(status.hard ?? {})));
    const scopes = quotas.flatMap(scopesOf).filter((scope) => evaluator.matchesScope(scope, object));
    const problem = limitedProblem(limited, attributes, object, evaluator, usage, { resources, scopes });
    if (problem !== undefined) throw forbid(attributes, problem);
  }
  const due: { readonly quota: QuotaObject; readonly delta: ResourceAmounts }[] = [];
  // All are looked at before any is charged: what one refuses must not burden the others.
  const before =
    attributes.operation === 'UPDATE' && attributes.old !== undefined ? evaluator.usage(attributes.old, clock.now()) : undefined;
  await eachInSlices(concerned, slices, (quota) => {
    const delta = deltaFor(quota, usage, before, attributes, evaluator);
    if (delta.size === 0) return;
    charged(quota, delta, attributes);
    due.push({ quota, delta });
  });
  if (attributes.dryRun) return;
  for (const { quota, delta } of due) {
    const { name = '', namespace = '' } = quota.metadata;
    if (![...delta.keys()].some((resource) => quota.status.hard?.[resource] !== undefined)) continue;
    await writer.updateStatus('', 'resourcequotas', namespace, name, (live) => {
      const current = live as QuotaObject;
      current.status.used = charged(current, delta, attributes);
    });
  }
}

/** A namespace may have many quotas, and each may name thousands of resources. */
async function eachInSlices(quotas: Iterable<QuotaObject>, slices: Slices, look: (quota: QuotaObject) => void): Promise<void> {
  for (const quota of quotas) {
    look(quota);
    const pause = slices.pause();
    if (pause !== undefined) await pause;
  }
}

/** An update that takes no more than before is not limited. */
function consumesMore(usage: ResourceAmounts, { operation, old }: AdmissionAttributes, evaluator: Evaluator, now: number): boolean {
  if (operation !== 'UPDATE' || old === undefined) return true;
  const before = evaluator.usage(old, now);
  return [...usage].some(([resource, quantity]) => quantity.sign > 0 && (before.get(resource)?.compare(quantity) ?? -1) < 0);
}

function concernsObject(quota: QuotaObject, object: KubeObject, evaluator: Evaluator): boolean {
  if (!Object.keys(quota.status?.hard ?? {}).some((resource) => evaluator.evaluates(resource))) return false;
  return scopesOf(quota).every((scope) => evaluator.matchesScope(scope, object));
}

/** Both what the object needs and what is used already must be known. */
function checkKnown(
  quota: QuotaObject,
  attributes: AdmissionAttributes,
  evaluator: Evaluator,
  missingFor: ReturnType<NonNullable<Evaluator['missing']>> | undefined,
): void {
  const { hard = {}, used = {} } = quota.status;
  const restricted = Object.keys(hard).filter((resource) => evaluator.evaluates(resource));
  const missing = missingFor?.(new Set(restricted));
  if (missing !== undefined) throw forbid(attributes, `failed quota: ${quota.metadata.name}: ${missing}`);
  if (restricted.some((resource) => used[resource] === undefined)) {
    throw forbid(attributes, `status unknown for quota: ${quota.metadata.name}, resources: ${restricted.toSorted().join(',')}`);
  }
}

/** What the write adds to a quota: everything, or, when the old object counted there too, the difference. */
function deltaFor(
  quota: QuotaObject,
  usage: ResourceAmounts,
  before: ResourceAmounts | undefined,
  { old }: AdmissionAttributes,
  evaluator: Evaluator,
): ResourceAmounts {
  const counted = before !== undefined && old !== undefined && concernsObject(quota, old, evaluator) ? before : undefined;
  const delta: ResourceAmounts = new Map();
  for (const [resource, quantity] of usage) {
    const last = counted?.get(resource);
    const more = last === undefined ? quantity : quantity.subtract(last);
    if (more.sign > 0) delta.set(resource, more);
  }
  return delta;
}

/** Usage after the write; throws when it is more than the quota allows. */
function charged({ metadata, status }: QuotaObject, delta: ResourceAmounts, attributes: AdmissionAttributes): Record<string, string> {
  const [hard, used] = [amountsOf(status.hard), amountsOf(status.used)];
  const asked = new Map([...delta].filter(([resource]) => hard.has(resource)));
  const next = new Map(used);
  for (const [resource, quantity] of asked) next.set(resource, used.get(resource)?.add(quantity) ?? quantity);
  const exceeded = [...asked.keys()]
    .filter((resource) => (next.get(resource) as Quantity).compare(hard.get(resource) as Quantity) > 0)
    .toSorted();
  if (exceeded.length > 0 && attributes.subresource !== 'status') {
    const show = (amounts: ReadonlyMap<string, Quantity>): string =>
      exceeded.flatMap((resource) => (amounts.has(resource) ? [`${resource}=${amounts.get(resource)}`] : [])).join(',');
    throw forbid(attributes, `exceeded quota: ${metadata.name}, requested: ${show(asked)}, used: ${show(used)}, limited: ${show(hard)}`);
  }
  return Object.fromEntries([...next].map(([resource, quantity]) => [resource, quantity.toString()]));
}
