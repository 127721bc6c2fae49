import type { Client } from './client.ts';
import type { Contender } from './contender.ts';
import { Sample } from './figures.ts';

export interface Load {
  /** ends after this long, or when this many operations were started */
  readonly forMs?: number;
  readonly count?: number;
}

/** Every client does one operation after the other; `operation` gets how many were started before it. */
export async function applyLoad(
  contender: Contender,
  clients: readonly Client[],
  { forMs = Infinity, count = Infinity }: Load,
  operation: (client: Client, index: number) => Promise<unknown>,
): Promise<Sample> {
  const sample = new Sample();
  const cpuBefore = contender.cpuMs();
  const started = performance.now();
  const end = started + forMs;
  let next = 0;
  await Promise.all(
    clients.map(async (client) => {
      for (let begun = performance.now(); begun < end && next < count; begun = performance.now()) {
        await operation(client, next++);
        sample.latencies.push(performance.now() - begun);
      }
    }),
  );
  sample.seconds = (performance.now() - started) / 1000;
  sample.cpuMs = contender.cpuMs() - cpuBefore;
  sample.operations = sample.latencies.length;
  return sample;
}
