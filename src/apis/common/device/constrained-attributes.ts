// Upstream: k8s.io/kubernetes/pkg/apis/resource/validation/validation.go#gatherConstraintAttributes
import type { DeviceConstraint } from '../../../schema/types/resource-v1.ts';

const everyRequest = '';

/** Which attributes the constraints of a claim speak of, by the requests that they are about. */
export class ConstrainedAttributes {
  readonly #byRequest = new Map<string, Set<string>>();

  constructor(constraints: readonly DeviceConstraint[]) {
    for (const { requests = [], matchAttribute, distinctAttribute } of constraints) {
      const attribute = matchAttribute ?? distinctAttribute;
      if (attribute === undefined) continue;
      for (const request of requests.length === 0 ? [everyRequest] : requests) {
        const attributes = this.#byRequest.get(request) ?? new Set();
        this.#byRequest.set(request, attributes.add(attribute));
      }
    }
  }

  /** What is said of a request also holds for its subrequests. */
  has(attribute: string, reference: string): boolean {
    const [request = ''] = reference.split('/');
    return [everyRequest, reference, request].some((about) => this.#byRequest.get(about)?.has(attribute));
  }
}
