// Upstream: k8s.io/kubernetes/pkg/registry/admissionregistration/validatingwebhookconfiguration/strategy.go
import type { ValidatingWebhookConfiguration } from '../../../schema/types/admissionregistration-v1.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { defineResource } from '../../../server/registry/definition.ts';
import { webhookColumns } from '../../common/admission-rules/columns.ts';
import { defaultWebhook } from '../../common/admission-rules/defaults.ts';
import { webhookRules } from '../../common/admission-rules/webhooks.ts';

export const validatingWebhookConfigurations = defineResource<ValidatingWebhookConfiguration & KubeObject>({
  group: 'admissionregistration.k8s.io',
  plural: 'validatingwebhookconfigurations',
  strategy: {
    ...webhookRules,
    defaults({ webhooks = [] }) {
      for (const webhook of webhooks) defaultWebhook(webhook);
    },
  },
  columns: webhookColumns,
});
