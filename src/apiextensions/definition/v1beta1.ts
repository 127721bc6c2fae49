// Upstream: apiextensions-apiserver pkg/apis/apiextensions/v1/conversion.go, pkg/apis/apiextensions/v1beta1/{conversion,defaults}.go
import type { CustomResourceDefinitionSpec, CustomResourceDefinitionVersion } from '../../schema/types/apiextensions-v1.ts';
import type * as beta from '../../schema/types/apiextensions-v1beta1.ts';
import type { Conversion, KubeObject } from '../../server/registry/definition.ts';
import type { CustomResourceDefinition } from '../conditions/conditions.ts';

/**
 * The version in which the original keeps definitions in etcd, because it is shorter: what all versions have in common stands above them.
 * We read it; what we write is v1, which the original reads too.
 */
export const fromV1beta1: Conversion<CustomResourceDefinition> = {
  toStorage(object) {
    const old = object as unknown as beta.CustomResourceDefinition & KubeObject;
    return { ...old, apiVersion: 'apiextensions.k8s.io/v1', spec: convertSpec(old.spec) } as unknown as CustomResourceDefinition;
  },
  fromStorage() {
    throw new Error('apiextensions.k8s.io/v1beta1 is read, and never written');
  },
};

function convertSpec(spec: beta.CustomResourceDefinitionSpec): CustomResourceDefinitionSpec {
  const { group, names, scope, version, versions, validation, subresources, additionalPrinterColumns, selectableFields } = spec;
  const single: beta.CustomResourceDefinitionVersion[] = version ? [{ name: version, served: true, storage: true }] : [];
  const { conversion } = spec;
  const preserves = spec.preserveUnknownFields ?? true;
  return {
    group,
    names,
    scope,
    versions: (versions?.length ? versions : single).map((one): CustomResourceDefinitionVersion => {
      const { schema = validation, subresources: own = subresources, ...rest } = one;
      const columns = one.additionalPrinterColumns ?? additionalPrinterColumns;
      const fields = one.selectableFields ?? selectableFields;
      const { additionalPrinterColumns: _, selectableFields: __, ...plain } = rest;
      return {
        ...plain,
        ...(schema !== undefined && { schema }),
        ...(own !== undefined && { subresources: own }),
        ...(columns !== undefined && { additionalPrinterColumns: columns.map(convertColumn) }),
        ...(fields !== undefined && { selectableFields: fields }),
      } as CustomResourceDefinitionVersion;
    }),
    conversion: conversion === undefined ? { strategy: 'None' } : convertConversion(conversion),
    ...(preserves && { preserveUnknownFields: true }),
  };
}

function convertColumn({ JSONPath, ...column }: beta.CustomResourceColumnDefinition): object {
  return { ...column, jsonPath: JSONPath };
}

function convertConversion(conversion: beta.CustomResourceConversion): NonNullable<CustomResourceDefinitionSpec['conversion']> {
  const { strategy, webhookClientConfig, conversionReviewVersions } = conversion;
  if (webhookClientConfig === undefined && conversionReviewVersions === undefined) return { strategy };
  return {
    strategy,
    webhook: {
      ...(webhookClientConfig !== undefined && { clientConfig: webhookClientConfig }),
      conversionReviewVersions: conversionReviewVersions ?? null,
    },
  };
}
