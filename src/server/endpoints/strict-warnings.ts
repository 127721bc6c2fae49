// Upstream: k8s.io/apiserver/pkg/endpoints/handlers/rest.go#addStrictDecodingWarnings, #parseYAMLWarnings
import type { AuthenticatedRequest } from '../request/stages.ts';

const yamlErrors = /^(?:error converting YAML to JSON: )?yaml: unmarshal errors:\n/;

/** Warns of what strict decoding has found; what is wrong with YAML is one error of several lines, and each is a warning. */
export function warnOfStrictErrors(request: AuthenticatedRequest, errors: readonly string[]): void {
  for (const error of errors) for (const text of strictWarnings(error)) request.warn(text);
}

export function strictWarnings(error: string): readonly string[] {
  if (!yamlErrors.test(error)) return [error];
  return error
    .replace(yamlErrors, '')
    .split('\n')
    .map((line) => line.trim());
}
