// Upstream: sigs.k8s.io/json/internal/golang/encoding/json/scanner.go#maxNestingDepth

/** Go refuses documents that are deeper. */
export const maxDepth = 10_000;

/** Any stack holds a walk of this depth: documents that are deeper take the exact path, which counts levels. */
export const shallow = 256;

/** Frames of `dive` that stand for one level: what the greediest of our walks takes, with room to spare. */
const framesPerLevel = 25;

/**
 * How deep a document may be, as far as it matters to one that wants this depth. Everything that walks an object is recursive, and
 * JavaScript's stack does not grow as Go's does: the launcher asks for one that holds Go's limit, in an embedding process this
 * is what its stack can take.
 */
export function depthLimit(wanted: number): number {
  return Math.floor(dive(Math.min(wanted, maxDepth) * framesPerLevel) / framesPerLevel);
}

/** How many of the frames there is room for. */
function dive(frames: number): number {
  if (frames === 0) return 0;
  try {
    return 1 + dive(frames - 1);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return 0;
  }
}
