// Upstream: k8s.io/kubernetes/pkg/certauthorization/certauthorization.go
import type { UserInfo } from '../../server/request/user.ts';
import type { Authorizer } from '../../server/request/authorizer.ts';

/** May the user do this for a signer, by its name or for all signers of its domain? */
export async function mayForSigner(authorizer: Authorizer, user: UserInfo, verb: string, signerName: string): Promise<boolean> {
  const ask = async (name: string): Promise<boolean> => {
    const { decision } = await authorizer.authorize({
      user,
      verb,
      isResource: true,
      path: '',
      group: 'certificates.k8s.io',
      version: '*',
      namespace: '',
      resource: 'signers',
      subresource: '',
      name,
    });
    return decision === 'allow';
  };
  return (await ask(signerName)) || (await ask(`${signerName.slice(0, Math.max(0, signerName.indexOf('/')))}/*`));
}
