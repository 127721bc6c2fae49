import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FakePlugin } from '../support/kms-plugin.ts';

export const encryptions = ['none', 'aescbc', 'aesgcm', 'secretbox', 'kms-v1', 'kms-v2'] as const;
export type EncryptionName = (typeof encryptions)[number];

interface Encryption extends AsyncDisposable {
  readonly flags: readonly string[];
  /** what values in etcd begin with */
  readonly valuePrefix: string;
}

/** Flags that make a server encrypt everything this way; a KMS plugin runs until this is disposed of. */
export async function startEncryption(name: EncryptionName, folder: string): Promise<Encryption> {
  const nothing = async (): Promise<void> => {};
  // custom resources and what else is stored as JSON begins with a brace
  if (name === 'none') return { flags: [], valuePrefix: '', [Symbol.asyncDispose]: nothing };
  if (name !== 'kms-v1' && name !== 'kms-v2') {
    const keys = [{ name: 'key1', secret: randomBytes(32).toString('base64') }];
    const flags = configurationFlags(join(folder, `${name}.json`), { [name]: { keys } });
    return { flags, valuePrefix: `k8s:enc:${name}:v1:key1:`, [Symbol.asyncDispose]: nothing };
  }
  const apiVersion = name.slice('kms-'.length);
  const plugin = new FakePlugin();
  await plugin.listen(join(folder, `${name}.sock`));
  const kms = { apiVersion, name: 'vault', endpoint: `unix://${folder}/${name}.sock` };
  return {
    flags: [...configurationFlags(join(folder, `${name}.json`), { kms }), '--feature-gates=KMSv1=true'],
    valuePrefix: `k8s:enc:kms:${apiVersion}:vault:`,
    [Symbol.asyncDispose]: () => plugin[Symbol.asyncDispose](),
  };
}

function configurationFlags(file: string, provider: object): string[] {
  const configuration = {
    kind: 'EncryptionConfiguration',
    apiVersion: 'apiserver.config.k8s.io/v1',
    resources: [{ resources: ['*.*'], providers: [provider, { identity: {} }] }],
  };
  writeFileSync(file, JSON.stringify(configuration));
  return [`--encryption-provider-config=${file}`];
}
