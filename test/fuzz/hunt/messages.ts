/** `glance`: as `begin`, without the care that a measurement takes */
export type Order = 'begin' | 'glance' | 'end' | 'stop';

export interface Report {
  /** CPU milliseconds of the longest turn of the event loop */
  readonly longest: number;
  /** CPU milliseconds of all turns */
  readonly total: number;
  /** milliseconds of the longest turn by the time of day: what others waited, with all that kept this thread from its core */
  readonly wall: number;
  /** how much slower this thread computed than at its best */
  readonly slowness: number;
  /** bytes by which the process grew at most */
  readonly memory: number;
  /** what was done in the longest turn, if that is asked for */
  readonly why: readonly string[];
}

export interface Hello {
  readonly url: string;
  readonly ca: string;
  readonly admin: { readonly certificate: string; readonly key: string };
}
