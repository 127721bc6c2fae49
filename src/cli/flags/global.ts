import { embeddedControllers } from './embedded-controllers-flag.ts';
import { ownPaths } from './own-paths-flag.ts';
import { workers } from './workers-flag.ts';
import { flagGroup, shorthand } from './flag.ts';
import { bool, duration, string, version } from './flag-kinds.ts';

export const globalFlags = flagGroup('Global', {
  help: shorthand(bool(false, 'this text'), 'h'),
  version: version('print the version and end; raw for all of it; v1.37.1-... to report that version instead'),
});

/** What upstream does not have. */
export const wheelhouseFlags = flagGroup('Wheelhouse', {
  'cluster-signing-cert-file': string(
    '',
    'certificate of the authority that signs what CertificateSigningRequests ask for; none: nothing is signed. For the embedded controller',
  ),
  'cluster-signing-duration': duration('8760h', 'how long those certificates are valid, unless less is asked for'),
  'cluster-signing-key-file': string('', 'private key of that authority'),
  'data-dir': string(
    '',
    'folder of the embedded store, made if missing; wheelhouse-data in the working directory if neither this nor --etcd-servers is given',
  ),
  'embedded-controllers': embeddedControllers(
    'controllers of kube-controller-manager that run inside this server, unless one is at work: true for all, false, or names with commas between',
  ),
  'legacy-service-account-token-clean-up-period': duration(
    '8760h',
    'time without use after which the embedded controller marks a generated service account token as invalid, and after as much again deletes it',
  ),
  'wheelhouse-api': ownPaths(
    'paths below /wheelhouse/v1 to serve to those who may use them: backup, and snapshots, by which tests take the server back; names with commas between',
  ),
  workers: workers('threads that serve requests, each on a core of its own; auto: as many as there are cores'),
});
