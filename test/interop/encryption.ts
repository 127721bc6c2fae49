import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const encryptions = ['none', 'aescbc', 'aesgcm', 'secretbox'] as const;
export type EncryptionName = (typeof encryptions)[number];

/** Flags that make a server encrypt everything this way, and what values in etcd then begin with. */
export function encryptionFlags(name: EncryptionName, folder: string): { readonly flags: readonly string[]; readonly valuePrefix: string } {
  // custom resources and what else is stored as JSON begins with a brace
  if (name === 'none') return { flags: [], valuePrefix: '' };
  const file = join(folder, `encryption-${name}.json`);
  const keys = [{ name: 'key1', secret: randomBytes(32).toString('base64') }];
  const configuration = {
    kind: 'EncryptionConfiguration',
    apiVersion: 'apiserver.config.k8s.io/v1',
    resources: [{ resources: ['*.*'], providers: [{ [name]: { keys } }, { identity: {} }] }],
  };
  writeFileSync(file, JSON.stringify(configuration));
  return { flags: [`--encryption-provider-config=${file}`], valuePrefix: `k8s:enc:${name}:v1:key1:` };
}
