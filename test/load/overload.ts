import type { ContenderName } from './contenders.ts';
import { podsPath } from './contenders.ts';
import type { CrowdPlan, CrowdReport } from './crowd-plan.ts';
import { runCrowds } from './crowd-process.ts';
import { line, quantile, slope, sum } from './figures.ts';
import type { Scenario } from './scenario.ts';

const objects = 500;
const factor = 10;
const peakSeconds = 15;
const afterSeconds = 10;
const urgent = -5;

const probe: CrowdPlan = {
  name: 'probe',
  token: 'master',
  path: `${podsPath}/pod-1`,
  clients: 1,
  connections: 1,
  everyMs: 50,
  afterRefusal: 'obey',
};

interface Turn {
  readonly idle: CrowdReport;
  readonly peak: number;
  /** good responses for each second of the server's CPU, at its best and during the overload: what other work of the machine does not change */
  readonly peakPerCpu: number;
  readonly perCpu: number;
  readonly crowd: CrowdReport;
  readonly during: CrowdReport;
  readonly after: CrowdReport;
  readonly megabytes: readonly number[];
}

/** Ten times as many lists of the metadata of 500 pods as the server can make, by clients that do not wait when they are asked to. */
export function overload(): Scenario {
  const turns: Record<ContenderName, Turn[]> = { ours: [], reference: [] };
  const of = (who: ContenderName, figure: (turn: Turn) => number): number => sum(turns[who].map(figure)) / turns[who].length;
  const plan = (more: Partial<CrowdPlan>): CrowdPlan => ({
    name: 'crowd',
    token: 'elephant',
    path: podsPath,
    // Dear for the server, which has to decode every pod, and cheap for the clients.
    accept: 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1',
    clients: 1,
    connections: 40,
    afterRefusal: 100,
    ...more,
  });
  return {
    defaults: { seconds: 300, rounds: 1 },
    prepare: (contender) => contender.createPods(objects),
    async turn(contender, { seconds }) {
      const idle = (await runCrowds([contender.task(urgent, probe)], 5)).get('probe') as CrowdReport;
      // As many clients as keep it busy, and no more.
      const beforePeak = contender.cpuSeconds();
      const best = (await runCrowds([contender.task(0, plan({ clients: 16, connections: 8 }))], peakSeconds)).get('crowd') as CrowdReport;
      const peakPerCpu = best.latencies.length / (contender.cpuSeconds() - beforePeak);
      const peak = goodput(best);
      const clients = 20;
      const everyMs = (1000 * clients) / (factor * peak);
      const crowd = plan({ clients, everyMs, mostUnderWay: 2000 });
      const megabytes: number[] = [];
      const note = (): void => void megabytes.push(contender.residentMegabytes());
      const beforeLoad = contender.cpuSeconds();
      const loaded = await runCrowds([contender.task(0, crowd), contender.task(urgent, probe)], seconds, note);
      const perCpu = (loaded.get('crowd') as CrowdReport).latencies.length / (contender.cpuSeconds() - beforeLoad);
      const after = (await runCrowds([contender.task(urgent, probe)], afterSeconds)).get('probe') as CrowdReport;
      turns[contender.name].push({
        idle,
        peak,
        peakPerCpu,
        perCpu,
        crowd: loaded.get('crowd') as CrowdReport,
        during: loaded.get('probe') as CrowdReport,
        after,
        megabytes,
      });
    },
    report: (names) => [
      line('', ...names),
      line('peak lists/s', ...names.map((who) => of(who, ({ peak }) => peak))),
      line('asked, times peak', ...names.map((who) => of(who, ({ crowd, peak }) => asked(crowd) / crowd.seconds / peak))),
      line('goodput lists/s', ...names.map((who) => of(who, ({ crowd }) => goodput(crowd)))),
      line('goodput of peak', ...names.map((who) => of(who, ({ crowd, peak }) => goodput(crowd) / peak))),
      line('good lists per CPU second of the server, peak', ...names.map((who) => of(who, ({ peakPerCpu }) => peakPerCpu))),
      line('good lists per CPU second, during of peak', ...names.map((who) => of(who, ({ perCpu, peakPerCpu }) => perCpu / peakPerCpu))),
      line('429 without Retry-After', ...names.map((who) => of(who, ({ crowd }) => crowd.withoutRetryAfter))),
      line('answers 5xx', ...names.map((who) => of(who, ({ crowd }) => serverErrors(crowd)))),
      line('no answer', ...names.map((who) => of(who, ({ crowd }) => crowd.statuses['0'] ?? 0))),
      line('not sent by the tool', ...names.map((who) => of(who, ({ crowd }) => crowd.unsent))),
      line(
        'RSS MB at a fifth',
        ...names.map((who) => of(who, ({ megabytes }) => megabytes[Math.floor(megabytes.length / 5)] ?? Number.NaN)),
      ),
      line('RSS MB at the end', ...names.map((who) => of(who, ({ megabytes }) => megabytes.at(-1) ?? Number.NaN))),
      line('RSS slope MB/min', ...names.map((who) => of(who, ({ megabytes }) => 60 * slope(megabytes.slice(megabytes.length / 5))))),
      line('exempt get idle p99 ms', ...names.map((who) => of(who, ({ idle }) => quantile(idle.latencies, 0.99)))),
      line('exempt get during p99 ms', ...names.map((who) => of(who, ({ during }) => quantile(during.latencies, 0.99)))),
      line('exempt get 5 s after p50 ms', ...names.map((who) => of(who, ({ after }) => quantile(lateHalf(after), 0.5)))),
      line('exempt get 5 s after p99 ms', ...names.map((who) => of(who, ({ after }) => quantile(lateHalf(after), 0.99)))),
      ...names.flatMap((who) => turns[who].map(({ crowd }) => `${who}: ${JSON.stringify(crowd.statuses)} ${crowd.failures.join('; ')}`)),
    ],
  };
}

const goodput = ({ goodBySecond }: CrowdReport): number => {
  // The first second is that of a burst.
  const settled = goodBySecond.slice(1);
  return sum(settled) / settled.length;
};

const asked = ({ statuses, unsent }: CrowdReport): number => sum(Object.values(statuses)) + unsent;

const serverErrors = ({ statuses }: CrowdReport): number =>
  sum(Object.entries(statuses).map(([status, count]) => (status.startsWith('5') ? count : 0)));

const lateHalf = ({ latencies }: CrowdReport): readonly number[] => latencies.slice(latencies.length / 2);
