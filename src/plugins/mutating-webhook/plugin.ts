// Upstream: k8s.io/apiserver/pkg/admission/plugin/webhook/mutating/{plugin,dispatcher}.go
import { stepByStep } from '../../base/steps.ts';
import { stringify } from '../../machinery/codec/json/write.ts';
import { internalError } from '../../machinery/errors.ts';
import type { JsonObject } from '../../patch/json/json-object.ts';
import type { AdmissionResponse } from '../../schema/types/admission-v1.ts';
import type { AdmissionAttributes, ReinvocationContext } from '../../server/admission/admission.ts';
import type { Match } from '../../server/admission/matching/match-criteria.ts';
import { storageObject, versionedObject } from '../../server/admission/matching/versioned-object.ts';
import type { PluginContext } from '../../server/admission/plugin.ts';
import { definePlugin } from '../../server/admission/plugin.ts';
import { versionedKindAt } from '../common/webhooks/admission-review.ts';
import { exemption } from '../common/webhooks/exemption.ts';
import { CallError, WebhookCaller } from '../common/webhooks/webhook-caller.ts';
import { WebhookSource } from '../common/webhooks/webhook-source.ts';
import type { Webhook } from '../common/webhooks/webhook.ts';
import { operationsOf, patchObject } from './patch.ts';
import { Reinvocation } from './reinvocation.ts';

const mutationPrefix = 'mutation.webhook.admission.k8s.io/';
const patchPrefix = 'patch.webhook.admission.k8s.io/';

/** Webhooks outside may change objects, one after the other. */
export const mutatingAdmissionWebhook = definePlugin({
  name: 'MutatingAdmissionWebhook',
  enabledByDefault: true,
  create(context) {
    const source = new WebhookSource(context, 'mutatingwebhookconfigurations');
    const dispatcher = new Dispatcher(source, context);
    const isExempt = exemption(context.features);
    return {
      handles: (attributes) => !isExempt(attributes.resource) && source.mayConcern(attributes),
      mutate: (attributes, reinvocation) => dispatcher.dispatch(attributes, reinvocation),
      ready: () => source.ready(),
      [Symbol.dispose]: () => source[Symbol.dispose](),
    };
  },
});

class Dispatcher {
  readonly #source: WebhookSource;
  readonly #context: PluginContext;
  readonly #caller: WebhookCaller;
  readonly #reinvocations = new WeakMap<ReinvocationContext, Reinvocation>();

  constructor(source: WebhookSource, context: PluginContext) {
    this.#source = source;
    this.#context = context;
    this.#caller = new WebhookCaller(context, { isMutating: true, credentials: source.credentials });
  }

  async dispatch(attributes: AdmissionAttributes, context: ReinvocationContext): Promise<void> {
    let reinvocation = this.#reinvocations.get(context);
    if (reinvocation === undefined) this.#reinvocations.set(context, (reinvocation = new Reinvocation(context)));
    reinvocation.begin(attributes.object);
    for (const candidate of await this.#source.candidates(attributes)) {
      const { item: webhook } = candidate;
      const match = await this.#caller.match(candidate, attributes);
      if (match === undefined || !reinvocation.isAsked(webhook)) continue;
      const where = `round_${reinvocation.round}_index_${this.#source.positionOf(webhook)}`;
      if (await this.#invoke(webhook, match, attributes, where)) reinvocation.changed();
      reinvocation.asked(webhook);
    }
    reinvocation.end(attributes.object);
  }

  /** Whether the object has changed. */
  async #invoke(webhook: Webhook, match: Match, attributes: AdmissionAttributes, where: string): Promise<boolean> {
    let mutated = false;
    try {
      const response = await this.#caller.call(webhook, match, attributes);
      const operations = await readPatch(webhook, response);
      if (operations.length > 0) mutated = await this.#patch(webhook, match, attributes, operations, where);
    } catch (error) {
      this.#caller.conclude(webhook, error, attributes, `failed-open.${mutationPrefix}${where}`);
    } finally {
      attributes.annotate(mutationPrefix + where, JSON.stringify({ configuration: webhook.configuration, webhook: webhook.name, mutated }));
    }
    return mutated;
  }

  async #patch(
    webhook: Webhook,
    match: Match,
    attributes: AdmissionAttributes,
    operations: readonly JsonObject[],
    where: string,
  ): Promise<boolean> {
    if (attributes.object === undefined) {
      throw internalError(
        `admission webhook ${JSON.stringify(webhook.name)} attempted to modify the object, which is not supported for this operation`,
      );
    }
    const versionedKind = versionedKindAt(match, this.#context.versionedKindOf);
    const { object, isChanged } = await stepByStep(patchObject(versionedObject(attributes.object, match), operations, versionedKind));
    const { configuration, name } = webhook;
    const applied = stringify({ configuration, webhook: name, patch: operations, patchType: 'JSONPatch' });
    attributes.annotate(patchPrefix + where, applied, 'Request');
    attributes.object = storageObject(object, match, attributes);
    return isChanged;
  }
}

async function readPatch(webhook: Webhook, response: AdmissionResponse): Promise<readonly JsonObject[]> {
  let operations: readonly JsonObject[];
  try {
    operations = await stepByStep(operationsOf(response));
  } catch (error) {
    throw new CallError(webhook, `received undecodable patch in webhook response: ${(error as Error).message}`, { cause: error });
  }
  if (operations.length > 0 && response.patchType !== 'JSONPatch') {
    throw new CallError(webhook, `unsupported patch type ${JSON.stringify(response.patchType)}`);
  }
  return operations;
}
