// Upstream: pkg/registry/admissionregistration/validatingwebhookconfiguration/strategy.go
import { defaultWebhook } from '../../common/admission-rules/defaults.ts';
import type { ValidatingWebhookConfiguration } from '../../../schema/types/admissionregistration-v1.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { defineResource } from '../../../server/registry/definition.ts';
import { ageColumn } from '../../../table/common-columns.ts';

/** Stored and shown; nobody calls the webhooks yet. */
export const validatingWebhookConfigurations = defineResource<ValidatingWebhookConfiguration & KubeObject>({
  group: 'admissionregistration.k8s.io',
  plural: 'validatingwebhookconfigurations',
  strategy: {
    generation: true,
    allowUnconditionalUpdate: false,
    defaults({ webhooks }) {
      for (const webhook of webhooks ?? []) defaultWebhook(webhook);
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
