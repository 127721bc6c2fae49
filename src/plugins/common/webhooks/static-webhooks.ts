// Upstream: k8s.io/apiserver/pkg/admission/plugin/webhook/manifest/loader/loader.go
import { goQuote } from '../../../machinery/go-format.ts';
import type { WebhookConfiguration } from './webhook.ts';

/** A webhook of a file is called before there are services: it is named by its URL. */
export function staticWebhookProblem({ metadata, webhooks = [] }: WebhookConfiguration, _kind: string, file: string): string | undefined {
  for (const { name, clientConfig } of webhooks) {
    const where = `webhook ${goQuote(name)} in ${goQuote(metadata.name ?? '')} (file ${goQuote(file)})`;
    if (clientConfig.service !== undefined) {
      return `${where}: clientConfig.service is not supported for static manifests; use clientConfig.url instead`;
    }
    if (!clientConfig.url) return `${where}: clientConfig.url is required for static manifests`;
  }
  return undefined;
}
