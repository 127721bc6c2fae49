// Upstream: pkg/registry/admissionregistration/mutatingwebhookconfiguration/strategy.go
import { defaultWebhook } from '../../common/admission-rules/defaults.ts';
import type { MutatingWebhookConfiguration } from '../../../schema/types/admissionregistration-v1.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { defineResource } from '../../../server/registry/definition.ts';
import { ageColumn } from '../../../table/common-columns.ts';

/** Stored and shown; nobody calls the webhooks yet. */
export const mutatingWebhookConfigurations = defineResource<MutatingWebhookConfiguration & KubeObject>({
  group: 'admissionregistration.k8s.io',
  plural: 'mutatingwebhookconfigurations',
  strategy: {
    generation: true,
    allowUnconditionalUpdate: false,
    defaults({ webhooks }) {
      for (const webhook of webhooks ?? []) {
        defaultWebhook(webhook);
        webhook.reinvocationPolicy ??= 'Never';
      }
    },
  },
  columns: [
    {
      name: 'Webhooks',
      type: 'integer',
      description: 'Webhooks indicates the number of webhooks registered in this configuration',
      cell: ({ webhooks }) => webhooks?.length ?? 0,
    },
    ageColumn,
  ],
});
