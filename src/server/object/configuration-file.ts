// Upstream: k8s.io/apimachinery/pkg/runtime/codec.go, k8s.io/apiserver/pkg/apis/apiserver/install/install.go
import { readYaml } from '../../machinery/codec/yaml/read.ts';
import type { Shape } from '../../machinery/strict-shape.ts';
import { unknownFields } from '../../machinery/strict-shape.ts';
import { requireKind } from './configuration-kind.ts';

const apiVersions = ['v1', 'v1beta1', 'v1alpha1'].map((version) => `apiserver.config.k8s.io/${version}`);

/** A configuration of this server: of a kind, in a version that is known, and with nothing in it that the kind does not have. */
export function readConfiguration(text: string, kind: string, fields: Readonly<Record<string, Shape>>): unknown {
  const { value, duplicates } = readYaml(text);
  requireKind(value, kind, apiVersions, text);
  const repeated = duplicates.length === 0 ? [] : [`yaml: unmarshal errors:\n  ${duplicates.join('\n  ')}`];
  const unknown = unknownFields(value, { name: kind, fields: { kind: 'string', apiVersion: 'string', ...fields } });
  if (repeated.length + unknown.length > 0) throw new Error(`strict decoding error: ${[...repeated, ...unknown].join(', ')}`);
  return value;
}
