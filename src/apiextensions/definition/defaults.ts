// Upstream: k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1/defaults.go
import type { CustomResourceDefinition } from '../conditions/conditions.ts';

export function defaultDefinition(definition: CustomResourceDefinition): void {
  const { spec } = definition;
  const { names } = spec;
  if (!names.singular && names.kind) names.singular = names.kind.toLowerCase();
  if (!names.listKind && names.kind) names.listKind = `${names.kind}List`;
  spec.conversion ??= { strategy: 'None' };
  // A quirk kept: upstream has no such thing inside, so one that says nothing does not come back.
  const { webhook } = spec.conversion;
  if (webhook !== undefined && webhook.clientConfig === undefined && (webhook.conversionReviewVersions ?? null) === null)
    delete spec.conversion.webhook;
  const service = spec.conversion.webhook?.clientConfig?.service;
  if (service !== undefined) service.port ??= 443;
  const { status } = definition;
  if ((status.storedVersions ?? []).length === 0) {
    const storage = spec.versions?.find((version) => version.storage);
    if (storage !== undefined) status.storedVersions = [storage.name];
  }
}
