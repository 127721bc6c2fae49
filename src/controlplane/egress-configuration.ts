// Upstream: k8s.io/apiserver/pkg/server/egressselector/config.go
import { existsSync } from 'node:fs';
import type { FieldError } from '../machinery/field.ts';
import { FieldPath, aggregateMessage, duplicate, invalid, notSupported, required } from '../machinery/field.ts';
import { readYaml } from '../machinery/codec/yaml/read.ts';
import type { Shape } from '../machinery/strict-shape.ts';
import { unknownFields } from '../machinery/strict-shape.ts';
import { requireKind } from '../server/object/configuration-kind.ts';

export interface ProxyTls {
  readonly caBundle?: string;
  readonly clientKey?: string;
  readonly clientCert?: string;
  readonly tlsServerName?: string;
}

interface TcpTransport {
  readonly url?: string;
  readonly tlsConfig?: ProxyTls | null;
}

export interface EgressTransport {
  readonly tcp?: TcpTransport | null;
  readonly uds?: { readonly udsName?: string } | null;
}

export interface EgressSelection {
  readonly name: string;
  readonly connection: { readonly proxyProtocol?: string; readonly transport?: EgressTransport | null };
}

const kind = 'EgressSelectorConfiguration';
const apiVersions = ['apiserver.k8s.io/v1beta1', 'apiserver.k8s.io/v1alpha1'];
const protocols = ['Direct', 'HTTPConnect', 'GRPC'];
export const selectionNames = ['cluster', 'controlplane', 'etcd'] as const;

const transportShape: Shape = {
  name: 'Transport',
  fields: {
    tcp: {
      name: 'TCPTransport',
      fields: {
        url: 'string',
        tlsConfig: {
          name: 'TLSConfig',
          fields: { caBundle: 'string', clientKey: 'string', clientCert: 'string', tlsServerName: 'string' },
        },
      },
    },
    uds: { name: 'UDSTransport', fields: { udsName: 'string' } },
  },
};

const shape: Shape = {
  name: kind,
  fields: {
    kind: 'string',
    apiVersion: 'string',
    egressSelections: {
      list: {
        name: 'EgressSelection',
        fields: {
          name: 'string',
          connection: { name: 'Connection', fields: { proxyProtocol: 'string', transport: transportShape } },
        },
      },
    },
  },
};

/** Throws what is wrong with it, in upstream's words. */
export function readEgressConfiguration(text: string): EgressSelection[] {
  const { value, duplicates } = readYaml(text);
  try {
    requireKind(value, kind, apiVersions, text);
    const repeated = duplicates.length === 0 ? [] : [`yaml: unmarshal errors:\n  ${duplicates.join('\n  ')}`];
    const faults = [...repeated, ...unknownFields(value, shape)];
    if (faults.length > 0) throw new Error(`strict decoding error: ${faults.join(', ')}`);
  } catch (error) {
    throw new Error(`failed to read egress selector config: ${(error as Error).message}`, { cause: error });
  }
  const given = (value as { egressSelections?: readonly Partial<EgressSelection>[] | null }).egressSelections ?? [];
  const selections = given.map(({ name = '', connection = {} }) => ({ name, connection }));
  const errors = validateSelections(selections);
  if (errors.length > 0) throw new Error(`failed to validate egress selector configuration: ${aggregateMessage(errors)}`);
  return selections;
}

function validateSelections(selections: readonly EgressSelection[]): FieldError[] {
  const path = FieldPath.root('service').child('connection');
  const errors = selections.flatMap(({ connection }) => validateConnection(connection, path));
  const seen = new Set<string>();
  for (const [index, { name }] of selections.entries()) {
    const canonical = name.toLowerCase();
    if (seen.has(canonical)) errors.push(duplicate(path.index(index), canonical));
    else if (!(selectionNames as readonly string[]).includes(canonical)) errors.push(notSupported(path, canonical, selectionNames));
    seen.add(canonical);
  }
  return errors;
}

function validateConnection({ proxyProtocol = '', transport }: EgressSelection['connection'], path: FieldPath): FieldError[] {
  const at = path.child('transport');
  if (proxyProtocol === 'Direct') return transport ? [invalid(at, 'direct', 'config must be absent for direct connect')] : [];
  if (proxyProtocol === 'GRPC') {
    if (!transport) return [required(at, 'transport must be set for GRPC')];
    return transport.uds ? validateUds(transport.uds, path) : [required(path.child('uds'), 'UDS must be set with GRPC')];
  }
  if (proxyProtocol !== 'HTTPConnect') return [notSupported(path.child('protocol'), proxyProtocol, protocols)];
  if (!transport) return [required(at, 'transport must be set for HTTPConnect')];
  const { tcp, uds } = transport;
  if (tcp && uds) return [invalid(path.child('tcp'), internalForm(tcp), 'TCP and UDS cannot both be set')];
  if (tcp) return validateTcp(tcp, path);
  return uds ? validateUds(uds, path) : [required(path.child('tcp'), 'One of TCP or UDS must be set')];
}

function validateUds({ udsName = '' }: { readonly udsName?: string }, path: FieldPath): FieldError[] {
  return udsName === '' ? [invalid(path.child('udsName'), 'nil', 'must be present for UDS connections')] : [];
}

function validateTcp({ url = '', tlsConfig }: TcpTransport, path: FieldPath): FieldError[] {
  if (url.startsWith('http://'))
    return tlsConfig ? [invalid(path.child('tlsConfig'), 'nil', 'config must not be present when using HTTP')] : [];
  if (!url.startsWith('https://')) return [invalid(path.child('url'), url, 'supported connection protocols are http:// and https://')];
  if (!tlsConfig) return [required(path.child('tlsConfig'), 'TLSConfig must be present when using HTTPS')];
  const { caBundle = '', clientCert = '', clientKey = '' } = tlsConfig;
  const at = (name: string): FieldPath => path.child('tlsConfig').child(name);
  const errors: FieldError[] = [];
  if (caBundle !== '' && !existsSync(caBundle)) errors.push(invalid(at('caBundle'), caBundle, 'TLS config ca bundle does not exist'));
  if (clientCert === '') errors.push(invalid(at('clientCert'), 'nil', 'Using TLS requires clientCert'));
  else if (!existsSync(clientCert)) errors.push(invalid(at('clientCert'), clientCert, 'TLS client cert does not exist'));
  // The repeated word is a quirk kept.
  if (clientKey === '') errors.push(invalid(at('clientKey'), 'nil', 'Using TLS requires requires clientKey'));
  else if (!existsSync(clientKey)) errors.push(invalid(at('clientKey'), clientKey, 'TLS client key does not exist'));
  return errors;
}

/** As upstream shows it: by the names that fields have in Go. */
function internalForm({ url = '', tlsConfig }: TcpTransport): unknown {
  const { caBundle = '', clientKey = '', clientCert = '', tlsServerName = '' } = tlsConfig ?? {};
  const tls = tlsConfig ? { CABundle: caBundle, ClientKey: clientKey, ClientCert: clientCert, TLSServerName: tlsServerName } : null;
  return { URL: url, TLSConfig: tls };
}
