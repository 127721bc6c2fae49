import { setTimeout as sleep } from 'node:timers/promises';
import { Sample } from '../figures.ts';
import { interleave } from '../phase.ts';
import type { Phase } from '../phase.ts';

const restMs = 15_000;

/** What an unused server costs. The operation is a second of rest. */
export const idle: Phase = {
  name: 'idle',
  async *run({ contenders }) {
    const measured = await interleave(contenders, 1, async (contender) => {
      const sample = new Sample();
      const before = contender.cpuMs();
      await sleep(restMs);
      sample.cpuMs = contender.cpuMs() - before;
      sample.operations = restMs / 1000;
      return { cpu: sample.figures().cpu as number, memory: contender.residentMegabytes() };
    });
    yield {
      name: 'idle',
      metrics: ['memory', 'cpu'],
      ours: measured.ours[0] ?? {},
      reference: measured.reference[0] ?? {},
      targets: [{ metric: 'memory', ratioAtMost: 1 / 3 }],
    };
  },
};
