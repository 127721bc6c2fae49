import type { KeyPair } from '../base/tls/certificate.ts';

/** A kubeconfig with one cluster and one user who has a client certificate. */
export function renderKubeconfig(server: string, authority: string, user: KeyPair): string {
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  return `apiVersion: v1
kind: Config
clusters:
- name: wheelhouse
  cluster:
    certificate-authority-data: ${base64(authority)}
    server: ${server}
users:
- name: admin
  user:
    client-certificate-data: ${base64(user.certificate)}
    client-key-data: ${base64(user.key)}
contexts:
- name: wheelhouse
  context:
    cluster: wheelhouse
    user: admin
current-context: wheelhouse
`;
}
