// Upstream: k8s.io/apiserver/pkg/admission/plugin/cel/activation.go
import type { AdmissionAttributes } from '../../../server/admission/admission.ts';
import type { ExpressionInputs } from '../../../server/admission/expressions/evaluation.ts';
import { admissionRequest, namespaceObject } from '../../../server/admission/expressions/admission-request.ts';
import { AuthorizationCalls } from '../../../server/admission/expressions/authorization-calls.ts';
import { isNamespace, requestNamespace } from '../../../server/admission/matching/endpoint-kind.ts';
import type { Match } from '../../../server/admission/matching/match-criteria.ts';
import { versionedObject } from '../../../server/admission/matching/versioned-object.ts';
import type { Authorizer } from '../../../server/request/authorizer.ts';
import type { ObjectReader } from '../../../server/registry/object-reader.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';

/** What all policies see of one request, made once. */
export class PolicyInputs {
  readonly #attributes: AdmissionAttributes;
  readonly #namespace: unknown;
  readonly #authorizationCalls: AuthorizationCalls;
  readonly #byVersion = new Map<string, ExpressionInputs>();

  private constructor(attributes: AdmissionAttributes, authorizer: Authorizer, namespace: KubeObject | undefined) {
    this.#attributes = attributes;
    this.#namespace = namespace && namespaceObject(namespace);
    this.#authorizationCalls = new AuthorizationCalls(authorizer, attributes);
  }

  /** Throws not found when the request is about something in a namespace that is not there. */
  static async of(attributes: AdmissionAttributes, authorizer: Authorizer, reader: ObjectReader): Promise<PolicyInputs> {
    // Namespaces are in a namespace of their own name, but do not see it.
    const name = isNamespace(attributes.resource) ? '' : requestNamespace(attributes);
    const namespace = name === '' ? undefined : await reader.require<KubeObject>('', 'namespaces', '', name);
    return new PolicyInputs(attributes, authorizer, namespace);
  }

  /** At the version that was matched; `params` are the invocation's own. */
  at(match: Match): ExpressionInputs {
    const key = `${match.resource.names.group}/${match.version}`;
    let known = this.#byVersion.get(key);
    if (known === undefined) {
      const { object, old } = this.#attributes;
      known = {
        object: object && complete(versionedObject(object, match), match),
        oldObject: versionedObject(old, match),
        request: admissionRequest(this.#attributes, match),
        namespaceObject: this.#namespace,
        authorizationCalls: this.#authorizationCalls,
      };
      this.#byVersion.set(key, known);
    }
    return known;
  }
}

/** Rules of a kind may have emptied what an object of it always has, a status above all; expressions see it as it would be written. */
function complete(object: KubeObject, { resource, version, kind }: Match): KubeObject {
  const own = kind.kind === resource.kind ? resource.versions.get(version) : undefined;
  return own?.profile.isTyped ? own.decodeMerged(object) : object;
}
