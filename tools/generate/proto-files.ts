import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiPackage } from './packages.ts';

export interface ProtoField {
  readonly number: number;
  readonly name: string;
  /** `string`, `bytes`, a message name without package, or `map<string, X>` */
  readonly type: string;
  readonly repeated: boolean;
}

/** Messages of the published `generated.proto` files, by `<import path>.<message>`. */
export type ProtoMessages = ReadonlyMap<string, readonly ProtoField[]>;

export function readProtoFiles(packages: readonly ApiPackage[]): ProtoMessages {
  const messages = new Map<string, ProtoField[]>();
  for (const { id, path, directory } of packages) {
    const file = join(directory, 'generated.proto');
    // Audit events have messages, which nothing reads or writes: logs and webhooks take JSON.
    if (id === 'audit-v1' || !existsSync(file)) continue;
    for (const [name, fields] of readMessages(readFileSync(file, 'utf8'))) messages.set(`${path}.${name}`, fields);
  }
  return messages;
}

function readMessages(text: string): [string, ProtoField[]][] {
  const found: [string, ProtoField[]][] = [];
  let current: ProtoField[] | undefined;
  for (const raw of text.split('\n')) {
    const line = raw.trim();
    const message = /^message (\w+) \{(\})?$/.exec(line);
    if (message !== null) {
      current = [];
      found.push([message[1] as string, current]);
      continue;
    }
    if (current === undefined || line.startsWith('//')) continue;
    const field = /^(?:(optional|repeated) )?(map<[^>]+>|[\w.]+) (\w+) = (\d+);$/.exec(line);
    if (field !== null) {
      const type = (field[2] as string).replace(/(?:\.[\w]+)+\.(\w+)/g, '$1').replaceAll(/[\w.-]*\.(\w+)/g, '$1');
      current.push({ number: Number(field[4]), name: field[3] as string, type, repeated: field[1] === 'repeated' });
    } else if (line !== '' && line !== '}') {
      throw new Error(`unexpected line in generated.proto: ${line}`);
    }
  }
  return found;
}
