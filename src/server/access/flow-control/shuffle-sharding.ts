// Upstream: k8s.io/apiserver/pkg/util/shufflesharding/shufflesharding.go, k8s.io/apiserver/pkg/util/flowcontrol/apf_controller.go#hashFlowID
import { createHash } from 'node:crypto';

const maxEntropyBits = 60;

/** Why hands of this size cannot be dealt from a deck of that size; undefined: they can. */
export function dealingProblem(deckSize: number, handSize: number): string | undefined {
  if (deckSize <= 0 || handSize <= 0) return `deckSize ${deckSize} or handSize ${handSize} is not positive`;
  if (handSize > deckSize) return `handSize ${handSize} is greater than deckSize ${deckSize}`;
  if (deckSize > 1 << 26) return `deckSize ${deckSize} is impractically large`;
  if (Math.ceil(Math.log2(deckSize) * handSize) > maxEntropyBits) {
    return `required entropy bits of deckSize ${deckSize} and handSize ${handSize} is greater than ${maxEntropyBits}`;
  }
  return undefined;
}

/** The queues that requests of a flow may wait in: always the same ones, and hardly ever all those of another flow. */
export function dealHand(schema: string, distinguisher: string, deckSize: number, handSize: number): number[] {
  let hash = createHash('sha256').update(`${schema}\0${distinguisher}`).digest().readBigUInt64LE();
  const remainders: number[] = [];
  for (let dealt = 0; dealt < handSize; dealt++) {
    const left = BigInt(deckSize - dealt);
    remainders.push(Number(hash % left));
    hash /= left;
  }
  return remainders.map((remainder, index) => {
    let card = remainder;
    for (let earlier = index - 1; earlier >= 0; earlier--) if (card >= (remainders[earlier] as number)) card++;
    return card;
  });
}
