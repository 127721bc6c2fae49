import { median } from '../figures.ts';
import { interleave } from '../phase.ts';
import type { Phase } from '../phase.ts';

/** From exec to a /readyz that says yes: with an empty store, and with the store that the start before has left. */
export const start: Phase = {
  name: 'start',
  async *run({ contenders, effort, prepare }) {
    const times = await interleave(contenders, Math.max(2, effort.rounds), async ({ name }) => {
      const { server } = await prepare(name);
      const first = await server.start();
      await server.stop('SIGKILL');
      const again = await server.start();
      await server.stop('SIGKILL');
      return { first, again };
    });
    const row = (key: 'first' | 'again') => ({
      ours: { start: median(times.ours.map((time) => time[key])) },
      reference: { start: median(times.reference.map((time) => time[key])) },
    });
    const targets = [{ metric: 'start', atMost: 500, ratioAtMost: 1 / 8 }] as const;
    yield { name: 'start, empty store', metrics: ['start'], ...row('first'), targets };
    yield { name: 'start, after kill -9', metrics: ['start'], ...row('again') };
  },
};
