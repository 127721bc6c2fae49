// Upstream: k8s.io/apiextensions-apiserver/pkg/apiserver/conversion/{converter,nop_converter}.go
import type { WebhookClient } from '../../server/webhook/webhook-client.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import type { CustomResourceDefinition } from '../conditions/conditions.ts';
import type { MetricsRegistry } from '../../base/metrics.ts';
import { ConversionMetrics } from './conversion-metrics.ts';
import { WebhookConverter } from './webhook-converter.ts';

/** Makes objects of one version objects of another. The one given is the converter's to change. */
export interface Converter {
  /** It waits for nothing, and labels and other metadata stay as they are. */
  readonly isImmediate: boolean;
  convert(object: KubeObject, apiVersion: string): KubeObject | Promise<KubeObject>;
}

/** Versions differ in what their schemas know, nothing else. */
const renaming: Converter = Object.freeze({
  isImmediate: true,
  convert: (object: KubeObject, apiVersion: string) => Object.assign(object, { apiVersion }),
});

/** How the objects of a definition are converted: by name alone, or by a webhook. */
export function converterOf({ metadata, spec }: CustomResourceDefinition, webhooks: WebhookClient, registry: MetricsRegistry): Converter {
  const { webhook } = spec.conversion ?? {};
  const { clientConfig, conversionReviewVersions } = webhook ?? {};
  if (spec.conversion?.strategy !== 'Webhook' || clientConfig === undefined) return renaming;
  return new WebhookConverter(clientConfig, conversionReviewVersions ?? [], webhooks, new ConversionMetrics(registry, metadata.name ?? ''));
}
