/** What the writer of a value knows of it goes with it to other threads: those need not find it out again. */
export interface ValueNotes {
  /** undefined: nothing is known */
  of(value: Buffer): string | undefined;
  /** what another thread of this process has noted of a value */
  add(key: string, value: Buffer, note: string): void;
}
