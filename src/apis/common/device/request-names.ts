// Upstream: k8s.io/kubernetes/pkg/apis/resource/validation/validation.go#gatherRequestNames, #validateRequestNameRef
import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import { invalid } from '../../../machinery/field.ts';
import type { DeviceClaim } from '../../../schema/types/resource-v1.ts';
import { validateDnsLabel } from '../pod-spec/rules.ts';
import { validateList } from './lists.ts';

const maxRequests = 32;
const unknownRequest = "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'";

/** The requests of a claim, and what may refer to them: `request` or `request/subrequest`. */
export class RequestNames {
  readonly #names: ReadonlySet<string>;

  constructor({ requests }: DeviceClaim) {
    this.#names = new Set(
      (requests ?? []).flatMap(({ name, firstAvailable = [] }) => [name, ...firstAvailable.map((sub) => `${name}/${sub.name}`)]),
    );
  }

  validateReference(name: string, path: FieldPath): FieldError[] {
    const segments = name.split('/');
    if (segments.length > 2) return [invalid(path, name, unknownRequest)];
    const errors = segments.flatMap((segment) => validateDnsLabel(segment, path));
    return this.#names.has(name) ? errors : [...errors, invalid(path, name, unknownRequest)];
  }

  validateReferences(names: readonly string[] | undefined, path: FieldPath): FieldError[] {
    return validateList(names, path.child('requests'), (name, at) => this.validateReference(name, at), { declaredMax: maxRequests });
  }
}
