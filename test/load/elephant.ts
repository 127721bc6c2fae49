import type { ContenderName } from './contenders.ts';
import { podsPath } from './contenders.ts';
import type { CrowdPlan, CrowdReport } from './crowd-plan.ts';
import { runCrowds } from './crowd-process.ts';
import { line, quantile, sum } from './figures.ts';
import type { Scenario } from './scenario.ts';

const objects = 5000;
const idleSeconds = 10;
/** before other processes: what measures must not be what waits */
const urgent = -5;

const probe = (name: string, token: string, path: string): CrowdPlan => ({
  name,
  token,
  path,
  clients: 1,
  connections: 1,
  everyMs: 100,
  afterRefusal: 'obey',
});

const probes: readonly CrowdPlan[] = [
  probe('mouse', 'mouse', `${podsPath}/pod-1`),
  probe('exempt', 'master', `${podsPath}/pod-2`),
  probe('livez', 'mouse', '/livez'),
];

/** 500 lists at once by one user, beside single requests of others. */
export function elephantAndMouse(query: string, clients: number): Scenario {
  const elephant: CrowdPlan = {
    name: 'elephant',
    token: 'elephant',
    path: `${podsPath}${query}`,
    clients,
    connections: Math.ceil(clients / 10),
    afterRefusal: 'obey',
  };
  const seen = { idle: new Seen(), loaded: new Seen() };
  return {
    defaults: { seconds: 20, rounds: 2 },
    prepare: (contender) => contender.createPods(objects),
    async turn(contender, { seconds }) {
      seen.idle.add(contender.name, await runCrowds([contender.task(urgent, ...probes)], idleSeconds));
      seen.loaded.add(contender.name, await runCrowds([contender.task(0, elephant), contender.task(urgent, ...probes)], seconds));
    },
    report: (names) => [
      line('', ...names),
      ...probes.flatMap(({ name }) => [
        line(`${name} idle p50 ms`, ...names.map((who) => quantile(seen.idle.latencies(who, name), 0.5))),
        line(`${name} idle p99 ms`, ...names.map((who) => quantile(seen.idle.latencies(who, name), 0.99))),
        line(`${name} beside p50 ms`, ...names.map((who) => quantile(seen.loaded.latencies(who, name), 0.5))),
        line(`${name} beside p99 ms`, ...names.map((who) => quantile(seen.loaded.latencies(who, name), 0.99))),
        line(`${name} beside max ms`, ...names.map((who) => quantile(seen.loaded.latencies(who, name), 1))),
        line(`${name} answers by status`, ...names.map((who) => seen.loaded.statuses(who, name))),
      ]),
      line('elephant lists/s', ...names.map((who) => seen.loaded.rate(who, 'elephant'))),
      line('elephant p50 ms', ...names.map((who) => quantile(seen.loaded.latencies(who, 'elephant'), 0.5))),
      line('elephant MB/s', ...names.map((who) => seen.loaded.megabytes(who, 'elephant'))),
      ...names.map((who) => `elephant answers by status, ${who}: ${seen.loaded.statuses(who, 'elephant')}`),
    ],
  };
}

/** What crowds have reported so far, of all rounds. */
class Seen {
  readonly #reports = new Map<string, CrowdReport[]>();

  add(who: ContenderName, reports: ReadonlyMap<string, CrowdReport>): void {
    for (const [name, report] of reports) {
      this.#of(who, name).push(report);
      for (const failure of report.failures) console.error(`${who}, ${name}: ${failure}`);
    }
  }

  latencies(who: ContenderName, name: string): number[] {
    return this.#of(who, name).flatMap(({ latencies }) => latencies);
  }

  statuses(who: ContenderName, name: string): string {
    const all: Record<string, number> = {};
    for (const { statuses } of this.#of(who, name)) {
      for (const [status, count] of Object.entries(statuses)) all[status] = (all[status] ?? 0) + count;
    }
    return Object.entries(all)
      .map(([status, count]) => `${status}:${count}`)
      .join(' ');
  }

  rate(who: ContenderName, name: string): number {
    return this.latencies(who, name).length / this.#seconds(who, name);
  }

  megabytes(who: ContenderName, name: string): number {
    return sum(this.#of(who, name).map(({ bytes }) => bytes)) / 1e6 / this.#seconds(who, name);
  }

  #seconds(who: ContenderName, name: string): number {
    return sum(this.#of(who, name).map(({ seconds }) => seconds));
  }

  #of(who: ContenderName, name: string): CrowdReport[] {
    const key = `${who} ${name}`;
    let reports = this.#reports.get(key);
    if (reports === undefined) this.#reports.set(key, (reports = []));
    return reports;
  }
}
