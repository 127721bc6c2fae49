/** Bodies and objects from here on are worked on in slices: others get their turn between the stages of a write. */
export const largeBytes = 16 * 1024;

/** Waits for a turn of the event loop. */
export type Turn = () => Promise<void>;

/** Undefined for what is too small to hold up other requests. */
export function turnsFor(bytes: number): Turn | undefined {
  return bytes < largeBytes ? undefined : nextTurn;
}

export function nextTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
