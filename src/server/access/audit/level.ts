// Upstream: k8s.io/apiserver/pkg/apis/audit/types.go

/** How much of a request is recorded, least first. */
export const levels = ['None', 'Metadata', 'Request', 'RequestResponse'] as const;
export type Level = (typeof levels)[number];

/** When an event is made. */
export const stages = ['RequestReceived', 'ResponseStarted', 'ResponseComplete', 'Panic'] as const;
export type Stage = (typeof stages)[number];

export function isAtLeast(level: Level, wanted: Level): boolean {
  return levels.indexOf(level) >= levels.indexOf(wanted);
}
