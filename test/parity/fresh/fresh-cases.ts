// Cases that were never played: objects that upstream is known to accept, changed at random places by what their types declare.
import { createSchema } from '../../../src/schema/index.ts';
import type { Schema } from '../../../src/schema/index.ts';
import type { StructType } from '../../../src/machinery/type-model.ts';
import { Random } from '../../fuzz/random.ts';
import type { Case, Step } from '../case.ts';
import { valueAt } from '../json-pointer.ts';
import type { Json, KindBase } from './bases.ts';
import { isFeltByOthers, readBases, settledAt } from './bases.ts';
import type { Change } from './mutation.ts';
import { asJsonPatch, asMergePatch, changed, changeOf, pointerOf } from './mutation.ts';

/** One kind of play: what is sent for an object and a change of it. */
type Form = (subject: Subject, random: Random) => { readonly category: string; readonly steps: readonly Step[] };

interface Subject {
  readonly base: KindBase;
  readonly object: Json;
  readonly change: Change;
  readonly changedObject: Json;
  /** `?dryRun=All&` where others would feel the object, else `?` */
  readonly query: string;
  /** the object, once it is there */
  readonly path: string;
}

const validations = ['Strict', 'Warn', 'Ignore', 'Strict', 'Warn'];
const accepts = [
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
  'application/json;as=Table;v=v1;g=meta.k8s.io',
  'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
];
const patchType = (name: string): Record<string, string> => ({ 'content-type': `application/${name}` });
const capture = { rv: '/metadata/resourceVersion', uid: '/metadata/uid' };

const make = ({ base, object, path }: Subject): Step[] => {
  const until = settledAt[base.kind];
  const created: Step = { method: 'POST', path: base.path, body: object, setup: true, capture };
  return until === undefined ? [created] : [created, { method: 'GET', path, until, setup: true, capture }];
};
const look = ({ path }: Subject): Step => ({ method: 'GET', path });
const validation = (random: Random): string => `fieldValidation=${random.pick(validations)}`;

const create: Form = (subject, random) => ({
  category: 'create',
  steps: [
    { method: 'POST', path: `${subject.base.path}${subject.query}${validation(random)}`, body: subject.changedObject },
    ...(random.below(3) === 0 ? [{ method: 'GET', path: subject.path, headers: { accept: random.pick(accepts) } }] : []),
  ],
});

const update: Form = (subject, random) => {
  const { metadata } = subject.changedObject as { metadata: Json };
  const withVersion = random.below(3) > 0 ? { ...metadata, resourceVersion: '{rv}' } : metadata;
  const body = { ...subject.changedObject, metadata: withVersion };
  return {
    category: 'update',
    steps: [...make(subject), { method: 'PUT', path: `${subject.path}${subject.query}${validation(random)}`, body }, look(subject)],
  };
};

const jsonPatch: Form = (subject, random) => {
  const wasThere = valueAt(subject.object, pointerOf(subject.change)) !== undefined;
  const step: Step = {
    method: 'PATCH',
    path: `${subject.path}${subject.query}${validation(random)}`,
    headers: patchType('json-patch+json'),
    body: asJsonPatch(subject.change, wasThere),
  };
  return { category: 'patch', steps: [...make(subject), step, look(subject)] };
};

const mergePatch =
  (type: string): Form =>
  (subject, random) => {
    const body = asMergePatch(subject.change);
    if (body === undefined) return jsonPatch(subject, random);
    const path = `${subject.path}${subject.query}${validation(random)}`;
    return { category: 'patch', steps: [...make(subject), { method: 'PATCH', path, headers: patchType(type), body }, look(subject)] };
  };

const apply: Form = (subject, random) => {
  const send = (body: Json, manager: string, force: boolean, more: Partial<Step> = {}): Step => ({
    method: 'PATCH',
    path: `${subject.path}${subject.query}fieldManager=${manager}&force=${force}`,
    headers: patchType('apply-patch+yaml'),
    body,
    ...more,
  });
  const manager = random.pick(['one', 'two']);
  return {
    category: 'apply',
    steps: [
      // Where nothing is kept there is nothing to apply to a second time.
      ...(subject.query.includes('dryRun') ? make(subject) : [send(subject.object, 'one', false, { setup: true })]),
      send(subject.changedObject, manager, random.below(2) === 0),
      look(subject),
    ],
  };
};

const status: Form = (subject, random) => {
  if (!subject.base.hasStatus) return update(subject, random);
  const path = `${subject.path}/status${subject.query}${validation(random)}`;
  return { category: 'subresource', steps: [...make(subject), { method: 'PUT', path, body: subject.changedObject }, look(subject)] };
};

const remove: Form = (subject, random) => {
  const body = random.pick<unknown>([
    undefined,
    { propagationPolicy: random.pick(['Foreground', 'Background', 'Orphan', 'Bogus']) },
    { gracePeriodSeconds: random.pick([0, 1, 30, -1]) },
    { preconditions: { uid: '{uid}' } },
    { preconditions: { resourceVersion: random.pick(['{rv}', '1']) } },
    { dryRun: ['All'] },
    { orphanDependents: true },
  ]);
  const step: Step = { method: 'DELETE', path: subject.path, ...(body !== undefined && { body }) };
  return { category: 'delete', steps: [...make(subject), step, look(subject)] };
};

/** With weights: what is written is most of what a server can get wrong. */
const forms: readonly (readonly [Form, number])[] = [
  [create, 8],
  [update, 5],
  [jsonPatch, 3],
  [mergePatch('merge-patch+json'), 3],
  [mergePatch('strategic-merge-patch+json'), 4],
  [apply, 4],
  [status, 2],
  [remove, 1],
];
const weighted = forms.flatMap(([form, weight]) => Array.from({ length: weight }, () => form));

/** The same seed makes the same cases. `kinds`: only these (`Pod`, `apps/v1/Deployment`). */
export function freshCases(seed: number, count: number, kinds: readonly string[] = []): Case[] {
  const random = new Random(seed);
  const schema = createSchema();
  const wanted = kinds.map((kind) => kind.toLowerCase());
  const isWanted = (kind: string): boolean => wanted.length === 0 || wanted.some((word) => kind === word || kind.endsWith(`/${word}`));
  const bases = readBases().filter(({ kind }) => isWanted(kind.toLowerCase()));
  if (bases.length === 0) throw new Error(`no kind is called ${kinds.join(', ')}`);
  return Array.from({ length: count }, (_, index) => {
    const base = bases[index % bases.length] as KindBase;
    const type = typeOf(schema, base.kind);
    const object = random.pick(base.objects);
    const changes = 1 + (random.below(4) === 0 ? random.below(3) : 0);
    let change = changeOf(object, type, random);
    let changedObject = changed(object, change);
    for (let more = 1; more < changes; more++) {
      change = changeOf(changedObject, type, random);
      changedObject = changed(changedObject, change);
    }
    const query = isFeltByOthers(base.kind) ? '?dryRun=All&' : '?';
    const { name } = object['metadata'] as { name: string };
    const form = random.pick(weighted)({ base, object, change, changedObject, query, path: `${base.path}/${name}` }, random);
    return { name: `fresh-${seed}-${index}`, kind: base.kind, ...form };
  });
}

function typeOf(schema: Schema, name: string): StructType {
  const parts = name.split('/');
  const kind = parts.pop() as string;
  const version = parts.pop() as string;
  const type = schema.typeOf({ group: parts[0] ?? '', version, kind });
  if (type === undefined) throw new Error(`no tables for ${name}`);
  return type;
}
