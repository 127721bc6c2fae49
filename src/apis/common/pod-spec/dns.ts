// Upstream: k8s.io/kubernetes/pkg/apis/core/validation/validation.go#validatePodDNSConfig, #ValidateHostAliases
import { append } from '../../../machinery/append.ts';
import { invalid, required } from '../../../machinery/field.ts';
import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import { validateLegacyIp } from '../../../machinery/ip-validation.ts';
import { checkDns1123SubdomainWithUnderscore } from '../../../machinery/names.ts';
import type { HostAlias, PodSpec } from '../../../schema/types/core-v1.ts';
import { validateDnsSubdomain } from './rules.ts';

// What resolvers of the C library take.
const maxNameservers = 3;
const maxSearchPaths = 32;
const maxSearchCharacters = 2048;

export function validateDnsConfig({ dnsConfig, dnsPolicy }: PodSpec, path: FieldPath, strictIp: boolean): FieldError[] {
  if (dnsPolicy === 'None') {
    if (dnsConfig === undefined) return [required(path, 'must provide `dnsConfig` when `dnsPolicy` is None')];
    if (!dnsConfig.nameservers?.length) {
      return [required(path.child('nameservers'), 'must provide at least one DNS nameserver when `dnsPolicy` is None')];
    }
  }
  if (dnsConfig === undefined) return [];
  const { nameservers = [], searches = [], options = [] } = dnsConfig;
  const errors: FieldError[] = [];
  const serversPath = path.child('nameservers');
  if (nameservers.length > maxNameservers) {
    errors.push(invalid(serversPath, nameservers, `must not have more than ${maxNameservers} nameservers`));
  }
  nameservers.forEach((server, index) => append(errors, validateLegacyIp(server, serversPath.index(index), strictIp)));
  const searchesPath = path.child('searches');
  if (searches.length > maxSearchPaths) {
    errors.push(invalid(searchesPath, searches, `must not have more than ${maxSearchPaths} search paths`));
  }
  if (Buffer.byteLength(searches.join(' ')) > maxSearchCharacters) {
    const detail = `must not have more than ${maxSearchCharacters} characters (including spaces) in the search list`;
    errors.push(invalid(searchesPath, searches, detail));
  }
  searches.forEach((search, index) => {
    if (search === '.') return;
    const name = search.endsWith('.') ? search.slice(0, -1) : search;
    for (const problem of checkDns1123SubdomainWithUnderscore(name)) {
      errors.push(invalid(searchesPath.index(index), name, problem).withOrigin('format=k8s-dns-subdomain-with-underscore'));
    }
  });
  options.forEach(({ name }, index) => {
    if (!name) errors.push(required(path.child('options').index(index), 'must not be empty'));
  });
  return errors;
}

export function validateHostAliases(aliases: readonly HostAlias[] | undefined, path: FieldPath, strictIp: boolean): FieldError[] {
  return (aliases ?? []).flatMap(({ ip, hostnames }, index) => [
    ...validateLegacyIp(ip, path.index(index).child('ip'), strictIp),
    ...(hostnames ?? []).flatMap((hostname, at) => validateDnsSubdomain(hostname, path.index(index).child('hostnames').index(at))),
  ]);
}
