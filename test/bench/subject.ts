import type { Client } from './client.ts';

export type Body = Readonly<Record<string, unknown>>;

/** A kind of object that phases work on. Two bodies of one object with different values differ in a field that users change. */
export interface Subject {
  readonly collection: (namespace: string) => string;
  readonly body: (namespace: string, name: string, value: string) => Body;
  /** what a merge patch, a strategic one and an apply send to set the value */
  readonly change: (value: string) => Body;
  readonly jsonPatch: (value: string) => readonly Body[];
  /** once per server, before any object */
  readonly prepare?: (client: Client) => Promise<void>;
  /** what a namespace needs before its first object, as no controllers run */
  readonly furnish?: (client: Client, namespace: string) => Promise<void>;
}

const json = 'application/json';

export async function createNamespace(client: Client, name: string, subject: Subject): Promise<void> {
  await client.request('POST', '/api/v1/namespaces', { type: json, bytes: JSON.stringify({ metadata: { name } }) });
  await subject.furnish?.(client, name);
}

export function create(client: Client, subject: Subject, namespace: string, name: string): Promise<number> {
  const bytes = JSON.stringify(subject.body(namespace, name, 'first'));
  return client.request('POST', subject.collection(namespace), { type: json, bytes });
}

export function list(client: Client, subject: Subject, namespace: string, accept: string): Promise<number> {
  return client.request('GET', subject.collection(namespace), undefined, accept);
}

type Verb = (
  client: Client,
  subject: Subject,
  object: { readonly namespace: string; readonly name: string },
  value: string,
) => Promise<number>;

function patch(type: string, query: string, body: (subject: Subject, name: string, value: string) => unknown): Verb {
  return (client, subject, { namespace, name }, value) =>
    client.request('PATCH', `${subject.collection(namespace)}/${name}${query}`, {
      type,
      bytes: JSON.stringify(body(subject, name, value)),
    });
}

function applied(subject: Subject, name: string, value: string): Body {
  const { apiVersion, kind } = subject.body('', name, value);
  return { apiVersion, kind, ...subject.change(value) };
}

/** What is done to an object that exists. */
export const verbs = {
  get: (client, subject, { namespace, name }) => client.request('GET', `${subject.collection(namespace)}/${name}`),
  update: (client, subject, { namespace, name }, value) =>
    client.request('PUT', `${subject.collection(namespace)}/${name}`, {
      type: json,
      bytes: JSON.stringify(subject.body(namespace, name, value)),
    }),
  'JSON patch': patch('application/json-patch+json', '', (subject, _, value) => subject.jsonPatch(value)),
  'merge patch': patch('application/merge-patch+json', '', (subject, _, value) => subject.change(value)),
  'strategic patch': patch('application/strategic-merge-patch+json', '', (subject, _, value) => subject.change(value)),
  apply: patch('application/apply-patch+yaml', '?fieldManager=bench&force=true', applied),
  delete: (client, subject, { namespace, name }) => client.request('DELETE', `${subject.collection(namespace)}/${name}`),
} as const satisfies Record<string, Verb>;

export type VerbName = keyof typeof verbs;
