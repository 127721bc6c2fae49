// Upstream: k8s.io/apiserver/pkg/server/options/authentication.go#RequestHeaderAuthenticationOptions
// Upstream: k8s.io/kubernetes/pkg/kubeapiserver/options/authentication.go
import { readFileSync } from 'node:fs';
import { readAuthorities } from '../server/access/authn/peer-certificate.ts';
import type { CompletedOptions } from './complete-options.ts';

/** What is wrong with the flags for front proxies. */
export function* validateFrontProxy({ flags }: Pick<CompletedOptions, 'flags'>): Iterable<string> {
  for (const name of [
    'requestheader-username-headers',
    'requestheader-group-headers',
    'requestheader-extra-headers-prefix',
    'requestheader-allowed-names',
    'requestheader-uid-headers',
  ] as const) {
    // A blank prefix would be one of every header.
    if (flags[name].some((value) => value.trim() === '')) yield `empty value in ${JSON.stringify(name)}`;
  }
  const uidHeaders = flags['requestheader-uid-headers'];
  if (uidHeaders.length > 0 && !uidHeaders.some((name) => name.toLowerCase() === 'x-remote-uid')) {
    yield '--requestheader-uid-headers is set without specifying the standard X-Remote-Uid header - API aggregation will not work';
  }
  if (flags['requestheader-allowed-names'].length === 0 && overlap(flags['client-ca-file'], flags['requestheader-client-ca-file'])) {
    yield '--requestheader-client-ca-file and --client-ca-file contain overlapping certificates; --requestheader-allowed-names must be specified to ensure regular client certificates cannot set authenticating proxy headers for arbitrary users';
  }
}

/** Whether two files hold the same certificate. Files that cannot be read are reported when they are needed. */
function overlap(first: string, second: string): boolean {
  if (first === '' || second === '') return false;
  try {
    const [one, other] = [first, second].map((file) => readAuthorities(readFileSync(file, 'utf8')));
    return one?.all.some((certificate) => other?.has(certificate)) === true;
  } catch {
    return false;
  }
}
