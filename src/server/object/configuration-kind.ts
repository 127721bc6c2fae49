// Upstream: k8s.io/apimachinery/pkg/runtime/{error.go,serializer/json/json.go}
import { goQuote } from '../../machinery/go-format.ts';

/** Throws unless a configuration says that it is of this kind, in a version that is known; `text` is how errors show it. */
export function requireKind(
  configuration: unknown,
  expected: string,
  apiVersions: readonly string[],
  text = JSON.stringify(configuration),
): void {
  const { apiVersion = '', kind = '' } = (configuration ?? {}) as { apiVersion?: string; kind?: string };
  if (kind === '') throw new Error(`Object 'Kind' is missing in '${text}'`);
  if (apiVersion === '') throw new Error(`Object 'apiVersion' is missing in '${text}'`);
  if (kind === expected && apiVersions.includes(apiVersion)) return;
  throw new Error(`no kind ${goQuote(kind)} is registered for version ${goQuote(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`);
}
