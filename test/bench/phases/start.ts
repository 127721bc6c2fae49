import type { ContenderName } from '../contender.ts';
import type { Figures } from '../figures.ts';
import { median } from '../figures.ts';
import { interleave } from '../phase.ts';
import type { Phase } from '../phase.ts';

/** From exec to a /readyz that says yes, and the CPU it took: with an empty store, and with the store that the start before has left. */
export const start: Phase = {
  name: 'start',
  async *run({ contenders, effort, prepare }) {
    const rounds = await interleave(contenders, Math.max(2, effort.rounds), async ({ name }) => {
      const contender = await prepare(name);
      const once = async (): Promise<Required<Pick<Figures, 'start' | 'cpu'>>> => {
        const figures = { start: await contender.server.start(), cpu: contender.cpuMs() * 1000 };
        await contender.server.stop('SIGKILL');
        return figures;
      };
      return { first: await once(), again: await once() };
    });
    const figures = (name: ContenderName, which: 'first' | 'again'): Figures => ({
      start: median(rounds[name].map((round) => round[which].start)),
      cpu: median(rounds[name].map((round) => round[which].cpu)),
    });
    const row = (which: 'first' | 'again') => ({ ours: figures('ours', which), reference: figures('reference', which) });
    const targets = [{ metric: 'start', atMost: 500, ratioAtMost: 1 / 8 }] as const;
    yield { name: 'start, empty store', metrics: ['start', 'cpu'], ...row('first'), targets };
    yield { name: 'start, after kill -9', metrics: ['start', 'cpu'], ...row('again') };
  },
};
