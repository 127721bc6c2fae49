// Upstream: k8s.io/kubernetes/pkg/registry/core/service/{ipallocator/interfaces.go,portallocator/allocator.go}

/** Why an address or a port cannot be had, in words for clients. */
export class AllocationError extends Error {
  /** nothing is left, rather than this one being taken */
  readonly full: boolean;

  constructor(message: string, options: { readonly full?: boolean } = {}) {
    super(message);
    this.name = 'AllocationError';
    this.full = options.full ?? false;
  }
}

export const rangeIsFull = (): AllocationError => new AllocationError('range is full', { full: true });
