import { decodeFields } from './protobuf-fields.ts';
import type { ProtobufField } from './protobuf-fields.ts';

type Json = Record<string, unknown>;

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const isUuid = new RegExp(`^${uuid.source}$`);
const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)/g;
/** Most texts have nothing that varies, and are looked at once only. */
const suspicious =
  /0xc0|kube-api-access-|eyJ|SHA256=|[0-9a-f]{8}-[0-9a-f]{4}-|\d{4}-\d\d-\d\d[T ]|esource version|esourceVersion|10\.(?:9[6-9]|10\d|11[01])\.|\d:\d{4,5}\b|P 3[0-2]\d{3}\}|time\.Date|m=\+/;
const day = 86_400_000;
const nearMs = 2 * day;
const yearMs = 365 * day;
const ageColumns = new Set([
  'Age',
  'TimeAdded',
  'Created At',
  'Renew',
  'Last Seen',
  'First Seen',
  'Duration',
  'Last Schedule',
  'Last Transition',
]);
const ageCell = /^(\d+[smhdy])+( \(.*\))?$|^<invalid>$/;

/**
 * Replaces what differs between two runs of the same server: identifiers and resource versions become ordinals of their first appearance
 * (so that "changed" and "unchanged" show), times near now, generated names, allocated addresses and ports, tokens and ages become marks.
 * What the case itself says stays.
 */
export class Normaliser {
  readonly #caseText: string;
  /** names that this run was given, with what they stand for */
  readonly #names: [text: string, mark: string][];
  readonly #generated: readonly (readonly [RegExp, string])[];
  readonly #resourceVersions = new Map<string, number>();
  readonly #uids = new Map<string, number>();
  readonly #now = Date.now();
  /** of the last table: later events of a watch have none */
  #columns: readonly Json[] = [];

  constructor(caseText: string, names: readonly (readonly [string, string])[]) {
    this.#caseText = caseText;
    this.#names = names.map(([text, mark]) => [text, mark]);
    const prefixes = new Set([...caseText.matchAll(/"generateName":"([^"]+)"/g)].map(([, prefix]) => prefix as string));
    // A short prefix and what follows it may stand inside an identifier, which is none of its names.
    this.#generated = [...prefixes].map((prefix) => [
      new RegExp(`${uuid.source}|${prefix.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}[bcdfghjklmnpqrstvwxz2456789]{5}\\b`, 'g'),
      `${prefix}<rand>`,
    ]);
  }

  json(text: string): unknown {
    const known = this.#names.length;
    let value: unknown = JSON.parse(this.#replaceNames(text));
    this.#learn(value);
    if (this.#names.length > known) value = JSON.parse(this.#replaceNames(text));
    return this.#walk(value, '', undefined);
  }

  text(text: string): string {
    return this.string(this.#replaceNames(text))
      .replaceAll(/(resourceVersion: )"?\d+"?/g, '$1<rv>')
      .replaceAll(/(clusterIP: |clusterIPs:\n\s*- )(?!None)[0-9a-f.:]+/g, '$1<ip>')
      .replaceAll(/(odePort: )3\d{4}/g, '$1<port>');
  }

  header(text: string): string {
    return this.string(this.#replaceNames(text));
  }

  /** A value of a protobuf message that was decoded without its schema. */
  field(value: unknown, number = 0, siblings: readonly ProtobufField[] = []): unknown {
    if (typeof value === 'string') {
      const text = this.text(value);
      return /^\d{2,}$/.test(text) && !this.#says(`"${text}"`) ? '<num>' : text;
    }
    if (typeof value === 'number') {
      if (this.#isNear(value * 1000)) return '<time>';
      const isOfTime = siblings.some(([other, seconds]) => other === 1 && typeof seconds === 'number' && this.#isNear(seconds * 1000));
      if (number === 2 && isOfTime) return '<nanos>';
      return value >= 30_000 && value <= 32_767 && !this.#says(`${value}`) ? '<port>' : value;
    }
    if (!Array.isArray(value)) return value;
    const fields = value as ProtobufField[];
    return fields.map(([one, item]) => [one, this.field(item, one, fields)]);
  }

  /** An envelope of protobuf: the object in its second field is text where it happens to look like one. */
  envelope(fields: readonly ProtobufField[]): unknown {
    const normal = this.field(fields) as ProtobufField[];
    return normal.map(([number, value]) => {
      if (number !== 2 || typeof value !== 'string') return [number, value];
      try {
        return [number, this.field(decodeFields(Buffer.from(value)))];
      } catch {
        // It is text after all.
        return [number, value];
      }
    });
  }

  string(text: string): string {
    if (text.length < 5 || !suspicious.test(text)) return text;
    return text
      .replaceAll(uuid, (one) => (this.#says(one) ? one : ordinal(this.#uids, one, 'uid')))
      .replaceAll(time, (one: string, fraction?: string) => {
        const moment = Date.parse(one);
        if (this.#says(one) || !(this.#isNear(moment) || this.#isNear(moment - yearMs))) return one;
        return fraction === undefined ? '<time>' : '<microtime>';
      })
      .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)? \+0000 UTC( m=[+-][\d.]+)?/g, (one) => (this.#says(one) ? one : '<gotime>'))
      .replaceAll(/time\.Date\([^)]*\)/g, (one) => (/\b20[2-9]\d,/.test(one) ? '<gotime>' : one))
      .replaceAll(/0xc[0-9a-f]{7,}/g, '<ptr>')
      .replaceAll(/kube-api-access-[a-z0-9]{5}/g, 'kube-api-access-<rand>')
      .replaceAll(/eyJ[\w-]{8,}\.[\w-]+\.[\w-]+/g, '<jwt>')
      .replaceAll(/X509SHA256=[0-9a-f]{64}/g, 'X509SHA256=<x509>')
      .replaceAll(/(resourceVersion\\*":\s*\\*")\d+/g, '$1<rv>')
      .replaceAll(/(ResourceVersion in object meta: )\d+/g, '$1<rv>')
      .replaceAll(/(odePort\\*":\s*|\{(?:TCP|UDP|SCTP) )3[0-2]\d{3}\b/g, (one: string, before: string) =>
        this.#says(one.slice(before.length)) ? one : `${before}<port>`,
      )
      .replaceAll(/(ResourceVersion in record )\(\d+\)/g, '$1(<rv>)')
      .replaceAll(/\b10\.(?:9[6-9]|10\d|11[01])\.\d{1,3}\.\d{1,3}\b(?!\/)/g, (ip) => (this.#says(ip) || ip === '10.96.0.1' ? ip : '<ip>'))
      .replaceAll(/\b\d{1,3}(?:\.\d{1,3}){3}:\d{4,5}\b/g, (one) => (this.#says(one) ? one : '<addr>'))
      .replaceAll(/:(3[0-2]\d{3})\/(TCP|UDP|SCTP)/g, (one: string, port: string, protocol: string) =>
        this.#says(port) ? one : `:<port>/${protocol}`,
      )
      .replaceAll(/(too old resource version: \d+) \(\d+\)/gi, '$1 (<rv>)')
      .replaceAll(/(too large resource version: \d+, current: )\d+/gi, '$1<rv>');
  }

  #says(text: string): boolean {
    return this.#caseText.includes(text);
  }

  #isNear(moment: number): boolean {
    return Math.abs(moment - this.#now) < nearMs;
  }

  #replaceNames(text: string): string {
    let replaced = text;
    for (const [name, mark] of this.#names) replaced = replaced.replaceAll(name, () => mark);
    for (const [pattern, mark] of this.#generated) replaced = replaced.replaceAll(pattern, (one) => (isUuid.test(one) ? one : mark));
    return replaced;
  }

  /** Names that the server has made up are replaced wherever they appear from here on. */
  #learn(value: unknown): void {
    if (value === null || typeof value !== 'object') return;
    const { metadata, items, object } = value as Json;
    const { name, generateName: prefix } = (metadata ?? {}) as Json;
    if (typeof prefix === 'string' && prefix !== '' && typeof name === 'string' && name.startsWith(prefix)) {
      const isNew = name.length === prefix.length + 5 && !this.#says(`"${name}"`) && !this.#names.some(([known]) => known === name);
      if (isNew) this.#names.push([name, `${prefix}<rand>`]);
    }
    if (Array.isArray(items)) for (const item of items) this.#learn(item);
    this.#learn(object);
  }

  #walk(value: unknown, key: string, parent: Json | undefined): unknown {
    if (typeof value === 'string') return this.#text(value, key, parent);
    if (typeof value === 'number') {
      const isPort = (key === 'nodePort' || key === 'healthCheckNodePort') && value >= 30_000 && value <= 32_767;
      return isPort && !this.#says(`${value}`) ? '<port>' : value;
    }
    if (Array.isArray(value)) return value.map((item) => this.#walk(item, key, undefined));
    if (value === null || typeof value !== 'object') return value;
    const object = value as Json;
    if (object['kind'] === 'Table' && Array.isArray(object['rows'])) this.#hideAges(object);
    const normal: Json = {};
    for (const [name, item] of Object.entries(object)) normal[this.string(name)] = this.#walk(item, name, object);
    // Entries are sorted by their time in seconds, which is not the same in two runs.
    const managers = normal['managedFields'];
    if (Array.isArray(managers)) managers.sort((a: unknown, b: unknown) => (managerKey(a) < managerKey(b) ? -1 : 1));
    return normal;
  }

  #text(value: string, key: string, parent: Json | undefined): string {
    if (key === 'resourceVersion' && /^\d+$/.test(value) && value !== '0' && !this.#says(`"${value}"`))
      return parent?.['uid'] ? ordinal(this.#resourceVersions, value, 'rv') : '<rv>';
    if (key === 'continue' && value !== '') return '<continue>';
    if (key === 'serverAddress') return '<addr>';
    const isAddress = (key === 'clusterIP' || key === 'clusterIPs') && /^[0-9a-f.:]+$/.test(value);
    return isAddress && !this.#says(`"${value}"`) ? '<ip>' : this.string(value);
  }

  #hideAges(table: Json): void {
    const { columnDefinitions: columns, rows } = table as { columnDefinitions?: readonly Json[]; rows: ({ cells?: unknown[] } | null)[] };
    if (Array.isArray(columns) && columns.length > 0) this.#columns = columns;
    const ages = new Set<number>();
    for (const [index, { name, type }] of this.#columns.entries()) if (ageColumns.has(String(name)) || type === 'date') ages.add(index);
    for (const row of rows) {
      for (const [index, cell] of row?.cells?.entries() ?? [])
        if (typeof cell === 'string' && /^\d+s$/.test(cell) && !this.#says(cell)) ages.add(index);
    }
    for (const cells of rows.flatMap((row) => (row?.cells === undefined ? [] : [row.cells]))) {
      for (const index of ages) {
        const cell = cells[index];
        if (typeof cell === 'string' && ageCell.test(cell)) cells[index] = '<age>';
      }
    }
  }
}

function ordinal(seen: Map<string, number>, value: string, tag: string): string {
  let number = seen.get(value);
  if (number === undefined) seen.set(value, (number = seen.size + 1));
  return `<${tag}${number}>`;
}

function managerKey(entry: unknown): string {
  const { manager, operation, subresource, apiVersion } = (entry ?? {}) as Json;
  return [manager, operation, subresource, apiVersion].join('\0');
}
