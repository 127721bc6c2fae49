// Upstream: k8s.io/kubernetes/cmd/kube-apiserver/app/options/completion.go, k8s.io/kubernetes/pkg/kubeapiserver/options/authentication.go#ApplyAuthorization
import { networkInterfaces } from 'node:os';
import type { Cidr } from '../machinery/ip.ts';
import { isIpv4, parseCidr, parseIp } from '../machinery/ip.ts';
import type { ServerOptions } from './flags/index.ts';
import { parseWatchCacheSizes } from './flags/watch-cache-sizes.ts';

/** Flags, and what follows from them where they leave something open. */
export interface CompletedOptions {
  readonly flags: ServerOptions;
  /** flags that were given, by name */
  readonly changed: ReadonlySet<string>;
  readonly advertiseAddress: string;
  readonly serviceRanges: readonly Cidr[];
  readonly authorizationModes: readonly string[];
  /** folder of the embedded store; undefined when an etcd cluster keeps the state */
  readonly dataDirectory: string | undefined;
  readonly warnings: readonly string[];
}

const defaultServiceRange = '10.0.0.0/24';
const defaultDataDirectory = 'wheelhouse-data';

export function completeOptions(flags: ServerOptions, changed: ReadonlySet<string> = new Set()): CompletedOptions {
  const warnings: string[] = [];
  const serviceRanges = parseServiceRanges(flags['service-cluster-ip-range'], warnings);
  const [issuer = ''] = flags['service-account-issuer'];
  if (issuer !== '' && flags['service-account-signing-endpoint'] !== '' && flags['service-account-signing-key-file'] !== '') {
    const both = 'service-account-signing-key-file and service-account-signing-endpoint';
    throw new Error(`${both} are mutually exclusive and cannot be set at the same time`);
  }
  const modes = flags['authorization-mode'];
  const authorizationModes = modes.length === 0 && flags['authorization-config'] === '' ? ['AlwaysAllow'] : modes;
  if (flags['anonymous-auth'] && authorizationModes.includes('AlwaysAllow')) {
    warnings.push(
      'AnonymousAuth is not allowed with the AlwaysAllow authorizer. Resetting AnonymousAuth to false. You should use a different authorizer',
    );
  }
  warnings.push(...droppedSizes(flags));
  return {
    flags,
    changed,
    advertiseAddress: advertiseAddress(flags),
    serviceRanges,
    authorizationModes,
    dataDirectory: flags['etcd-servers'].length > 0 ? undefined : flags['data-dir'] || defaultDataDirectory,
    warnings,
  };
}

/** Sizes that say nothing, as upstream warns of them. */
function droppedSizes(flags: ServerOptions): string[] {
  const sizes = flags['watch-cache'] ? parseWatchCacheSizes(flags['watch-cache-sizes']) : [];
  if (typeof sizes === 'string') return [];
  return sizes.filter(({ size }) => size > 0).map(({ name }) => `Dropping watch-cache-size for ${name} - watchCache size is now dynamic`);
}

function parseServiceRanges(text: string, warnings: string[]): Cidr[] {
  if (text === '') {
    warnings.push(
      'No CIDR for service cluster IPs specified. Default value which was 10.0.0.0/24 is deprecated and will be removed in future releases. Please specify it using --service-cluster-ip-range on kube-apiserver.',
    );
  }
  return (text || defaultServiceRange).split(',').map((part, index) => {
    const range = parseCidr(part.trim());
    if (range === undefined)
      throw new Error(index === 0 ? 'service-cluster-ip-range[0] is not a valid cidr' : 'service-cluster-ip-range[1] is not an ip net');
    return range;
  });
}

/** As upstream chooses: an address that only this machine can reach is no use to others, so another interface's is taken. */
function advertiseAddress(flags: ServerOptions): string {
  if (flags['advertise-address'] !== '') return flags['advertise-address'];
  const bind = flags['bind-address'];
  const ip = parseIp(bind);
  const useless = bind === '0.0.0.0' || bind === '::' || bind === '::1' || bind.startsWith('127.');
  if (!useless && ip !== undefined) return bind;
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  const family = ip === undefined || isIpv4(ip) ? 'IPv4' : 'IPv6';
  return addresses.find((one) => !one.internal && one.family === family)?.address ?? '127.0.0.1';
}
