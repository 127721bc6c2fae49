import type { FieldPath } from '../../../machinery/field.ts';
import type { IPBlock, NetworkPolicyPeer, NetworkPolicyPort, NetworkPolicySpec } from '../../../schema/types/networking-v1.ts';

/** Rules of both directions look alike but for the name of their peers. */
export interface Rule {
  readonly ports: readonly NetworkPolicyPort[];
  readonly peers: readonly NetworkPolicyPeer[];
  readonly direction: 'ingress' | 'egress';
  readonly index: number;
  readonly peersField: 'from' | 'to';
}

export function rulesOf({ ingress = [], egress = [] }: NetworkPolicySpec): Rule[] {
  return [
    ...ingress.map(
      ({ ports = [], from = [] }, index) => ({ ports, peers: from, direction: 'ingress', index, peersField: 'from' }) as const,
    ),
    ...egress.map(({ ports = [], to = [] }, index) => ({ ports, peers: to, direction: 'egress', index, peersField: 'to' }) as const),
  ];
}

/** Every block of addresses, and where it is. */
export function blocksOf(spec: NetworkPolicySpec, path: FieldPath): { readonly block: IPBlock; readonly path: FieldPath }[] {
  return rulesOf(spec).flatMap(({ peers, direction, index, peersField }) =>
    peers.flatMap(({ ipBlock }, at) =>
      ipBlock === undefined
        ? []
        : [{ block: ipBlock, path: path.child(direction).index(index).child(peersField).index(at).child('ipBlock') }],
    ),
  );
}
