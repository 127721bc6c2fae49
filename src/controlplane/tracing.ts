// Upstream: k8s.io/apiserver/pkg/server/options/tracing.go, k8s.io/component-base/tracing/api/v1/config.go
import { readFileSync } from 'node:fs';
import { SpanExporter } from '../base/otlp/span-exporter.ts';
import { Tracer } from '../base/tracing/tracer.ts';
import { formatDuration } from '../machinery/duration.ts';
import { goQuote } from '../machinery/go-format.ts';
import { readConfiguration } from '../server/object/configuration-file.ts';
import type { ServerContext } from './server-context.ts';

const kind = 'TracingConfiguration';
const defaultEndpoint = 'localhost:4317';
const million = 1_000_000;

interface TracingConfiguration {
  readonly endpoint?: string;
  readonly samplingRatePerMillion?: number;
}

/** What records requests: for a collector when a file says so, and for the log. `instance` is what this server is called there. */
export function openTracer(file: string, instance: string, { clock, log, owned }: ServerContext): Tracer {
  const duration = (milliseconds: number): string => formatDuration(BigInt(Math.round(milliseconds * 1e6)));
  if (file === '') return new Tracer({ exporter: undefined, samplingRatePerMillion: 0, log, duration });
  const { endpoint = defaultEndpoint, samplingRatePerMillion = 0 } = readTracingConfiguration(file);
  const exporter = new SpanExporter({
    endpoint,
    resource: { 'service.name': 'apiserver', 'service.instance.id': instance },
    clock,
    onTrouble: (error, dropped) => log.error('traces could not be exported and are dropped', { endpoint, spans: dropped, err: error }),
  });
  owned.defer(() => exporter.close());
  return new Tracer({ exporter, samplingRatePerMillion, log, duration });
}

function readTracingConfiguration(file: string): TracingConfiguration {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? `open ${file}: no such file or directory` : message;
    throw new Error(`failed to read tracing config: unable to read tracing configuration from ${goQuote(file)}: ${why}`, { cause: error });
  }
  let configuration: TracingConfiguration;
  try {
    configuration = decode(text);
  } catch (error) {
    // Upstream's type has the fields of another in it, and messages name both.
    const why = (error as Error).message.replace(`Go struct field ${kind}.`, `Go struct field ${kind}.${kind}.`);
    throw new Error(`failed to read tracing config: unable to decode tracing configuration data: ${why}`, {
      cause: error,
    });
  }
  const problems = [...configurationProblems(configuration)];
  if (problems.length === 0) return configuration;
  const shown = problems.length === 1 ? problems[0] : `[${problems.join(', ')}]`;
  throw new Error(`failed to validate tracing configuration: ${shown}`);
}

function decode(text: string): TracingConfiguration {
  // A quirk kept: an empty file is a configuration in which everything is as by default.
  if (text.trim() === '') return {};
  const value = readConfiguration(text, kind, { endpoint: 'string', samplingRatePerMillion: 'int32' });
  return value as TracingConfiguration;
}

function* configurationProblems({ endpoint, samplingRatePerMillion: rate = 0 }: TracingConfiguration): Iterable<string> {
  if (rate < 0) yield `samplingRatePerMillion: Invalid value: ${rate}: sampling rate must be positive`;
  if (rate > million)
    yield `samplingRatePerMillion: Invalid value: ${rate}: sampling rate per million must be less than or equal to one million`;
  if (endpoint === undefined) return;
  const url = endpoint.includes('//') ? endpoint : `dns://${endpoint}`;
  const problem = urlProblem(url);
  if (problem !== undefined) yield `endpoint: Invalid value: ${goQuote(url)}: ${problem}`;
}

function urlProblem(url: string): string | undefined {
  const [, scheme = '', host = ''] = /^(?:([^:/]*):)?\/\/([^/]*)/.exec(url) ?? [];
  const port = /:([^:\]]*)$/.exec(host)?.[1] ?? '';
  if (!/^\d*$/.test(port)) return `parse ${goQuote(url)}: invalid port ${goQuote(`:${port}`)} after host`;
  const escape = /%(?![\da-fA-F]{2}).{0,2}/.exec(host)?.[0];
  if (escape !== undefined) return `parse ${goQuote(url)}: invalid URL escape ${goQuote(escape)}`;
  const wrong = /[\s"<>^`{|}\\]/.exec(host)?.[0];
  if (wrong !== undefined) return `parse ${goQuote(url)}: invalid character ${goQuote(wrong)} in host name`;
  if (['dns', 'unix', 'unix-abstract'].includes(scheme)) return undefined;
  return `unsupported scheme: ${scheme}.  Options are none, dns, unix, or unix-abstract.  See https://github.com/grpc/grpc/blob/master/doc/naming.md`;
}
