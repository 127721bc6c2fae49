// Upstream: k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1/conversion.go
// Upstream: k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1/{conversion,defaults}.go
import { semanticDeepEqual } from '../../machinery/deep-equal.ts';
import type {
  CustomResourceColumnDefinition,
  CustomResourceConversion,
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionVersion,
} from '../../schema/types/apiextensions-v1.ts';
import type * as beta from '../../schema/types/apiextensions-v1beta1.ts';
import type { Conversion, KubeObject } from '../../server/registry/definition.ts';
import type { CustomResourceDefinition } from '../conditions/conditions.ts';

/** The version in which upstream keeps definitions in etcd, because it is shorter: what all versions have in common stands above them. */
export const v1beta1: Conversion<CustomResourceDefinition> = {
  toStorage(object) {
    const old = object as beta.CustomResourceDefinition & KubeObject;
    return { ...old, apiVersion: 'apiextensions.k8s.io/v1', spec: convertSpec(old.spec) } as CustomResourceDefinition;
  },
  fromStorage(object) {
    return { ...object, apiVersion: 'apiextensions.k8s.io/v1beta1', spec: betaSpec(object.spec) };
  },
};

type Version = CustomResourceDefinitionVersion;

function betaSpec({ versions, conversion, preserveUnknownFields, ...rest }: CustomResourceDefinitionSpec): object {
  const all = versions ?? [];
  const [first] = all;
  const isCommon = (name: keyof Version): boolean => all.every((version) => semanticDeepEqual(version[name], first?.[name]));
  const common = new Set(perVersion.filter(isCommon));
  const above = <Name extends PerVersion>(name: Name): Version[Name] | undefined => (common.has(name) ? first?.[name] : undefined);
  const below = <Name extends PerVersion>(version: Version, name: Name): Version[Name] | undefined =>
    common.has(name) ? undefined : version[name];
  return {
    ...rest,
    version: first?.name,
    validation: above('schema'),
    subresources: above('subresources'),
    additionalPrinterColumns: above('additionalPrinterColumns')?.map(betaColumn),
    selectableFields: above('selectableFields'),
    versions: all.map((version) => ({
      ...version,
      schema: below(version, 'schema'),
      subresources: below(version, 'subresources'),
      additionalPrinterColumns: below(version, 'additionalPrinterColumns')?.map(betaColumn),
      selectableFields: below(version, 'selectableFields'),
    })),
    conversion: conversion && betaConversion(conversion),
    preserveUnknownFields: preserveUnknownFields ?? false,
  };
}

type PerVersion = 'schema' | 'subresources' | 'additionalPrinterColumns' | 'selectableFields';
const perVersion: readonly PerVersion[] = ['schema', 'subresources', 'additionalPrinterColumns', 'selectableFields'];

function betaColumn({ jsonPath, ...column }: CustomResourceColumnDefinition): object {
  return { ...column, JSONPath: jsonPath };
}

function betaConversion({ strategy, webhook }: CustomResourceConversion): object {
  const { clientConfig, conversionReviewVersions } = webhook ?? {};
  return { strategy, webhookClientConfig: clientConfig, conversionReviewVersions: conversionReviewVersions ?? undefined };
}

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
  const { strategy, webhookClientConfig } = conversion;
  const stated = conversion.conversionReviewVersions;
  const conversionReviewVersions = strategy === 'Webhook' && !stated?.length ? ['v1beta1'] : stated;
  if (webhookClientConfig === undefined && conversionReviewVersions === undefined) return { strategy };
  return {
    strategy,
    webhook: {
      ...(webhookClientConfig !== undefined && { clientConfig: webhookClientConfig }),
      conversionReviewVersions: conversionReviewVersions ?? null,
    },
  };
}
