// Upstream: k8s.io/apiserver/pkg/admission/plugin/webhook/validating/{plugin,dispatcher}.go
import type { AdmissionAttributes } from '../../server/admission/admission.ts';
import type { Match } from '../../server/admission/matching/match-criteria.ts';
import { definePlugin } from '../../server/admission/plugin.ts';
import { exemption } from '../common/webhooks/exemption.ts';
import { WebhookCaller } from '../common/webhooks/webhook-caller.ts';
import { WebhookSource } from '../common/webhooks/webhook-source.ts';
import type { Webhook } from '../common/webhooks/webhook.ts';

const failedOpenPrefix = 'failed-open.validating.webhook.admission.k8s.io/';

interface Invocation {
  readonly webhook: Webhook;
  readonly match: Match;
}

/** Webhooks outside may refuse requests. */
export const validatingAdmissionWebhook = definePlugin({
  name: 'ValidatingAdmissionWebhook',
  enabledByDefault: true,
  create(context) {
    const source = new WebhookSource(context, 'validatingwebhookconfigurations');
    const caller = new WebhookCaller(context, { isMutating: false, credentials: source.credentials });
    const isExempt = exemption(context.features);
    return {
      handles: (attributes) => !isExempt(attributes.resource) && source.mayConcern(attributes),
      async validate(attributes) {
        const invocations: Invocation[] = [];
        for (const candidate of await source.candidates(attributes)) {
          const match = await caller.match(candidate, attributes);
          if (match !== undefined) invocations.push({ webhook: candidate.item, match });
        }
        if (invocations.length > 0) await askAll(caller, invocations, attributes);
      },
      ready: () => source.ready(),
      [Symbol.dispose]: () => source[Symbol.dispose](),
    };
  },
});

/** All are asked at once and all are waited for; who refuses first is who the client hears of. */
async function askAll(caller: WebhookCaller, invocations: readonly Invocation[], attributes: AdmissionAttributes): Promise<void> {
  const refusals: unknown[] = [];
  const ask = async ({ webhook, match }: Invocation, index: number): Promise<void> => {
    try {
      await caller.call(webhook, match, attributes).catch((error: unknown) => {
        caller.conclude(webhook, error, attributes, `${failedOpenPrefix}round_0_index_${index}`);
      });
    } catch (refusal) {
      refusals.push(refusal);
    }
  };
  const began = performance.now();
  await Promise.all(invocations.map(ask));
  if (attributes.timeLimit !== undefined) attributes.timeLimit.waitedMs += performance.now() - began;
  if (refusals.length > 0) throw refusals[0];
}
