// Upstream: k8s.io/apiserver/pkg/server/egressselector/egress_selector.go
import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import { createSecureContext, getCACertificates } from 'node:tls';
import type { ConnectProxy } from '../base/egress/http-connect.ts';
import { httpConnectDial } from '../base/egress/http-connect.ts';
import { konnectivityDial } from '../base/egress/konnectivity.ts';
import { ProxyStageError } from '../base/egress/stages.ts';
import type { Dial } from '../base/https/dial.ts';
import type { MetricsRegistry } from '../base/metrics.ts';
import type { Owned } from '../base/owned.ts';
import { goQuote } from '../machinery/go-format.ts';
import { egressFamilies } from './egress-metrics.ts';
import type { EgressSelection, ProxyTls } from './egress-configuration.ts';
import { readEgressConfiguration } from './egress-configuration.ts';

/** How this server reaches others; undefined: directly. */
export interface Egress {
  /** kubelets, pods, services, aggregated servers and webhooks that are services */
  readonly cluster?: Dial | undefined;
  /** webhooks that are URLs, of audit, authentication and authorization too */
  readonly controlplane?: Dial | undefined;
  readonly etcd?: Dial | undefined;
}

export interface EgressConfig {
  /** an EgressSelectorConfiguration */
  readonly file: string | undefined;
}

/** Throws what is wrong with the file, naming it. */
export function openEgress(file: string, metrics: MetricsRegistry, owned: Owned): Egress {
  const dials = readEgressConfiguration(read(file)).map((selection) => {
    const { protocol, transport, dial } = dialOf(selection, owned);
    const name = selection.name.toLowerCase() as keyof Egress;
    return [name, dial && counted(dial, { protocol, transport }, metrics)] as const;
  });
  return Object.fromEntries(dials);
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? `open ${file}: no such file or directory` : message;
    throw new Error(`failed to read egress selector config: unable to read egress selector configuration from ${goQuote(file)} [${why}]`, {
      cause: error,
    });
  }
}

interface Way {
  readonly protocol: string;
  readonly transport: string;
  /** undefined: directly */
  readonly dial: Dial | undefined;
}

function dialOf({ connection: { proxyProtocol, transport } }: EgressSelection, owned: Owned): Way {
  const socketPath = transport?.uds?.udsName ?? '';
  if (proxyProtocol === 'Direct') return { protocol: '', transport: '', dial: undefined };
  if (proxyProtocol === 'GRPC') return { protocol: 'grpc', transport: 'uds', dial: owned.use(konnectivityDial(socketPath)) };
  if (socketPath !== '') return { protocol: 'http_connect', transport: 'uds', dial: httpConnectDial({ socketPath }) };
  return {
    protocol: 'http_connect',
    transport: 'tcp',
    dial: httpConnectDial(proxyAt(transport?.tcp?.url ?? '', transport?.tcp?.tlsConfig)),
  };
}

function proxyAt(text: string, tls: ProxyTls | null | undefined): ConnectProxy {
  const url = URL.parse(text);
  if (url === null || url.hostname === '')
    throw new Error(`--egress-selector-config-file: ${goQuote(text)} is no URL of a proxy: expected http://host:port or https://host:port`);
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  if (url.protocol !== 'https:') return { host, port };
  const options = secured(tls ?? {}, host);
  // Found now, rather than with the first connection.
  createSecureContext(options());
  return { host, port, tls: options };
}

function secured({ caBundle = '', clientCert = '', clientKey = '', tlsServerName = '' }: ProxyTls, host: string): () => ConnectionOptions {
  const pem = (file: string): string => readFileSync(file, 'utf8');
  return () => ({
    ca: caBundle === '' ? getCACertificates('system') : pem(caBundle),
    allowPartialTrustChain: true,
    cert: pem(clientCert),
    key: pem(clientKey),
    ...(tlsServerName !== '' ? { servername: tlsServerName } : /^[\d.]+$|:/.test(host) ? {} : { servername: host }),
  });
}

function counted(dial: Dial, { protocol, transport }: { protocol: string; transport: string }, metrics: MetricsRegistry): Dial {
  const { starts, latency, failures } = egressFamilies(metrics);
  return async (address, signal) => {
    const startedAt = performance.now();
    starts.with(protocol, transport).inc();
    try {
      const socket = await dial(address, signal);
      latency.with(protocol, transport).observe((performance.now() - startedAt) / 1000);
      return socket;
    } catch (error) {
      failures.with(protocol, transport, error instanceof ProxyStageError ? 'proxy' : 'connect').inc();
      throw error;
    }
  };
}
