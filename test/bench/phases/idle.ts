import { setTimeout as sleep } from 'node:timers/promises';
import { Sample } from '../figures.ts';
import { interleave, total } from '../phase.ts';
import type { Phase } from '../phase.ts';

const restMs = 5000;

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
      return { sample, memory: contender.residentMegabytes() };
    });
    const figures = (name: 'ours' | 'reference') => ({
      cpu: total(measured[name].map(({ sample }) => sample)).cpu as number,
      memory: measured[name][0]?.memory as number,
    });
    yield {
      name: 'idle',
      metrics: ['memory', 'cpu'],
      ours: figures('ours'),
      reference: figures('reference'),
      targets: [{ metric: 'memory', atMost: 110 }],
    };
  },
};
