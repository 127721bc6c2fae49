// Upstream: k8s.io/apiserver/pkg/admission/plugin/policy/manifest/loader/loader.go
import { goQuote } from '../../../machinery/go-format.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { nameSuffix } from '../static-manifests/configuration.ts';
import type { BindingObject, PolicyObject } from './policy-source.ts';

/** Parameters are objects of the API, which policies in files do without. */
export function staticPolicyProblem(object: KubeObject, kind: string): string | undefined {
  const name = goQuote(object.metadata.name ?? '');
  if (!kind.endsWith('Binding')) {
    const { paramKind } = (object as PolicyObject).spec;
    return paramKind === undefined ? undefined : `${kind} ${name}: spec.paramKind is not supported for static manifests`;
  }
  const { policyName = '', paramRef } = (object as BindingObject).spec;
  if (policyName === '') return `binding ${name} must reference a policy (spec.policyName)`;
  if (!policyName.endsWith(nameSuffix))
    return `binding ${name}: spec.policyName ${goQuote(policyName)} must end with ${goQuote(nameSuffix)}`;
  return paramRef === undefined ? undefined : `binding ${name}: spec.paramRef is not supported for static manifests`;
}

/** What is wrong when a binding is for a policy that is in none of the files. */
export function missingPolicy(policies: readonly PolicyObject[], bindings: readonly BindingObject[]): string | undefined {
  const names = new Set(policies.map(({ metadata }) => metadata.name));
  const lost = bindings.find(({ spec }) => !names.has(spec.policyName ?? ''));
  if (lost === undefined) return undefined;
  const [binding, policy] = [goQuote(lost.metadata.name ?? ''), goQuote(lost.spec.policyName ?? '')];
  return `binding ${binding} references policy ${policy} which does not exist in the manifest directory`;
}
