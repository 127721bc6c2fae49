import type { GivenConfig } from '../../controlplane/config.ts';
import type { FlagValues } from './flag.ts';
import { deprecated, flagGroup } from './flag.ts';
import { int, string, strings } from './flag-kinds.ts';

export const admissionFlags = flagGroup('Admission', {
  'admission-control': deprecated(
    strings('all admission plugins that run'),
    'Use --enable-admission-plugins or --disable-admission-plugins instead. Will be removed in a future version.',
    'shown',
  ),
  'admission-control-config-file': string('', 'file that configures admission plugins'),
  'default-not-ready-toleration-seconds': int(300, 'seconds that pods stay on a node that is not ready, unless they say otherwise'),
  'default-unreachable-toleration-seconds': int(300, 'seconds that pods stay on a node that is unreachable, unless they say otherwise'),
  'disable-admission-plugins': strings('plugins that are on by default and should not be'),
  'enable-admission-plugins': strings('plugins to run beside those that are on by default'),
});

export function admissionConfig(flags: FlagValues<typeof admissionFlags.flags>): GivenConfig {
  const configuration = flags['admission-control-config-file'];
  return {
    admission: {
      plugins: flags['admission-control'],
      enable: flags['enable-admission-plugins'],
      disable: flags['disable-admission-plugins'],
      configuration: configuration === '' ? undefined : { file: configuration },
      tolerationSeconds: {
        notReady: flags['default-not-ready-toleration-seconds'],
        unreachable: flags['default-unreachable-toleration-seconds'],
      },
    },
  };
}
