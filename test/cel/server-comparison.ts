// Compares verdicts on CEL rules with those of a real kube-apiserver:
//   node test/cel/server-comparison.ts KUBECONFIG [--record]
// Rules are created as x-kubernetes-validations of custom resource definitions, and tried on a custom resource.

import { writeFileSync } from 'node:fs';
import { connect } from './reference-client.ts';
import { corpusGroup } from './corpus.ts';
import type { RuleGroup } from './rule-cases.ts';
import { ruleGroups } from './rule-cases.ts';
import { staticCostGroups } from './static-cost-cases.ts';
import type { Verdict } from './verdicts.ts';
import { digest, normalize, ruleKey, verdict } from './verdicts.ts';

const chunkSize = 250;
const apiGroup = 'cel.example.com';

const call = connect(process.argv[2]!);

function definition(name: string, { schema }: RuleGroup, rules: readonly string[]): unknown {
  const spec = { ...schema, 'x-kubernetes-validations': rules.map((rule, i) => ({ rule, message: `r${i}` })) };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${name}s.${apiGroup}` },
    spec: {
      group: apiGroup,
      scope: 'Cluster',
      names: { plural: `${name}s`, singular: name, kind: name, listKind: `${name}List` },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object', properties: { spec } } } }],
    },
  };
}

const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const detailPattern =
  /(?:compilation failed: |cel expression must evaluate|program instantiation failed: |estimated rule cost exceeds )[^]*$/;

/** The server's verdicts on the rules of a chunk. */
async function judge(name: string, group: RuleGroup, rules: readonly string[]): Promise<Verdict[]> {
  const verdicts: (Verdict | undefined)[] = rules.map(() => undefined);
  const refused = await call('POST', `${crds}?dryRun=All`, definition(name, group, rules));
  for (const { field, message } of refused.details?.causes ?? []) {
    const index = /x-kubernetes-validations\[(\d+)\]\.rule$/.exec(field)?.[1];
    const detail = detailPattern.exec(message)?.[0];
    if (index !== undefined && detail !== undefined) verdicts[Number(index)] ??= { refused: detail };
  }
  const accepted = rules.flatMap((rule, i) => (verdicts[i] ? [] : [{ rule, i }]));
  if (accepted.length > 0) {
    const created = await call(
      'POST',
      crds,
      definition(
        name,
        group,
        accepted.map(({ rule }) => rule),
      ),
    );
    if (created.code !== undefined) throw new Error(JSON.stringify(created).slice(0, 2000));
    const outcomes = await tryRules(name, group, accepted.length);
    accepted.forEach(({ i }, position) => (verdicts[i] = outcomes[position]!));
    await call('DELETE', `${crds}/${name}s.${apiGroup}`);
  }
  return verdicts.map((found) => found!);
}

async function tryRules(name: string, group: RuleGroup, count: number): Promise<Verdict[]> {
  await established(name);
  const object = { apiVersion: `${apiGroup}/v1`, kind: name, metadata: { name: 'x' }, spec: group.value };
  const answer = await call('POST', `/apis/${apiGroup}/v1/${name}s?dryRun=All`, object);
  const outcomes: Verdict[] = Array.from({ length: count }, () => ({ outcome: 'true' }));
  for (const { message } of answer.details?.causes ?? []) {
    const error = /^Invalid value: "[a-z]*": ([^]* rule: )r(\d+)$/.exec(message);
    const failed = /(?:^|: )r(\d+)$/.exec(message);
    if (error) outcomes[Number(error[2])] = { error: `${error[1]}r` };
    else if (failed) outcomes[Number(failed[1])] = { outcome: 'false' };
    else throw new Error(`unexpected cause: ${message}`);
  }
  return outcomes;
}

async function established(name: string): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const { status } = await call('GET', `${crds}/${name}s.${apiGroup}`);
    if (status?.conditions?.some((condition) => condition.type === 'Established' && condition.status === 'True')) {
      const list = await call('GET', `/apis/${apiGroup}/v1/${name}s`);
      if (list.code === undefined) return;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${name} was never established`);
}

const groups = [corpusGroup(600), ...ruleGroups, ...staticCostGroups];
const record: Record<string, string> = {};
let same = 0;
let different = 0;
for (const [g, group] of groups.entries()) {
  for (let from = 0; from < group.rules.length; from += chunkSize) {
    const rules = group.rules.slice(from, from + chunkSize);
    const theirs = await judge(`g${g}c${from}`, group, rules);
    rules.forEach((rule, i) => {
      const ours = verdict(group, rule);
      record[ruleKey(g, rule)] = digest(theirs[i]!);
      if (digest(ours) === digest(theirs[i]!)) {
        same++;
        return;
      }
      different++;
      console.log(
        `--- ${JSON.stringify(rule)}\n  theirs ${normalize(JSON.stringify(theirs[i]))}\n  ours   ${normalize(JSON.stringify(ours))}`,
      );
    });
  }
}
console.log(`${same} verdicts are the same, ${different} differ`);
if (process.argv.includes('--record')) writeFileSync(new URL('recorded/verdicts.json', import.meta.url), `${JSON.stringify(record)}\n`);
process.exitCode = different > 0 ? 1 : 0;
