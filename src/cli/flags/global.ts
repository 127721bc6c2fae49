import { flagGroup, shorthand } from '../flag.ts';
import { bool, string, version } from '../flag-kinds.ts';

export const globalFlags = flagGroup('Global', {
  help: shorthand(bool(false, 'this text'), 'h'),
  version: version('print the version and end; raw for all of it'),
});

/** What the original does not have. */
export const wheelhouseFlags = flagGroup('Wheelhouse', {
  'data-dir': string(
    '',
    'folder of the embedded store, made if missing; wheelhouse-data in the working directory if neither this nor --etcd-servers is given',
  ),
});
