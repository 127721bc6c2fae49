import type { Contender, ContenderName } from './contenders.ts';
import { podsPath } from './contenders.ts';
import type { CrowdPlan, CrowdReport } from './crowd-plan.ts';
import { runCrowds } from './crowd-process.ts';
import { line, quantile, sum } from './figures.ts';
import type { Scenario } from './scenario.ts';

const objects = 5000;
const clients = [1, 10, 100, 1000];
const flows = clients.map((_, index) => `flow-${index + 1}`);
const api = '/apis/flowcontrol.apiserver.k8s.io/v1';

/** Streams of one connection: upstream allows 100. */
const perConnection = 25;

/**
 * Matches nothing, and says so with its last term: it takes the server several milliseconds. A single client has no request under way while its
 * response is read and the next is sent; it can use a quarter of one seat only if that is shorter than three requests of the others.
 */
const selector = [...Array.from({ length: 60 }, (_, index) => `a${index}!%3Dx`), 'zz'].join(',');

/**
 * Four users of one level with very different numbers of clients. Each user has one queue, since fairness is among queues. The level has one seat
 * and does not borrow: a single client has its next request there before the others have had their turns, and can use a quarter of it.
 */
export function fairShare(): Scenario {
  const seen: Record<ContenderName, CrowdReport[]> = { ours: [], reference: [] };
  const plans = flows.map((token, index): CrowdPlan => {
    const count = clients[index] as number;
    return {
      name: token,
      token,
      path: `${podsPath}?labelSelector=${selector}`,
      clients: count,
      connections: Math.ceil(count / perConnection),
      afterRefusal: 'obey',
    };
  });
  const rate = (who: ContenderName, flow: string): number => {
    const reports = seen[who].filter(({ name }) => name === flow);
    return sum(reports.map(({ latencies }) => latencies.length)) / sum(reports.map(({ seconds }) => seconds));
  };
  const fair = (who: ContenderName): number => sum(flows.map((flow) => rate(who, flow))) / flows.length;
  return {
    flags: ['--max-requests-inflight=200', '--max-mutating-requests-inflight=40'],
    defaults: { seconds: 60, rounds: 1 },
    async prepare(contender) {
      await contender.createPods(objects);
      await createLevel(contender);
    },
    async turn(contender, { seconds }) {
      // The many in a process of their own: the one client is not to wait for them to be served.
      const crowds = await runCrowds([contender.task(0, ...plans.slice(2)), contender.task(0, ...plans.slice(0, 2))], seconds);
      seen[contender.name].push(...crowds.values());
    },
    report: (names) => [
      line('', ...names),
      ...flows.flatMap((flow, index) => [
        line(`${clients[index]} clients: answers/s`, ...names.map((who) => rate(who, flow))),
        line(`${clients[index]} clients: of the fair share`, ...names.map((who) => rate(who, flow) / fair(who))),
        // With one request at a time: what is left of a second when all of them have been waited for.
        ...(index === 0
          ? [line('1 client: ms between its requests', ...names.map((who) => pauseOf(rate(who, flow), latenciesOf(seen[who], flow))))]
          : []),
        line(`${clients[index]} clients: p50 ms`, ...names.map((who) => quantile(latenciesOf(seen[who], flow), 0.5))),
      ]),
      ...names.flatMap((who) => seen[who].map(({ name, statuses }) => `${who}, ${name}: ${JSON.stringify(statuses)}`)),
    ],
  };
}

function pauseOf(perSecond: number, latencies: readonly number[]): number {
  return 1000 / perSecond - sum(latencies) / latencies.length;
}

function latenciesOf(reports: readonly CrowdReport[], flow: string): number[] {
  return reports.filter(({ name }) => name === flow).flatMap(({ latencies }) => latencies);
}

async function createLevel({ server }: Contender): Promise<void> {
  const queuing = { queues: 64, handSize: 1, queueLengthLimit: 200 };
  const limitResponse = { type: 'Queue', queuing };
  await server.post(`${api}/prioritylevelconfigurations`, {
    metadata: { name: 'load' },
    spec: { type: 'Limited', limited: { nominalConcurrencyShares: 1, lendablePercent: 0, borrowingLimitPercent: 0, limitResponse } },
  });
  const everything = { verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] };
  const subjects = flows.map((name) => ({ kind: 'User', user: { name } }));
  await server.post(`${api}/flowschemas`, {
    metadata: { name: 'load' },
    spec: {
      priorityLevelConfiguration: { name: 'load' },
      matchingPrecedence: 1000,
      distinguisherMethod: { type: 'ByUser' },
      rules: [{ subjects, resourceRules: [everything] }],
    },
  });
}
