// Upstream: github.com/prometheus/common/expfmt/encode.go#Negotiate
import { Pace } from '../pace.ts';
import type { MetricsRegistry } from '../metrics.ts';
import { renderProtobuf } from './protobuf.ts';
import { renderText } from './text.ts';

export interface ExpositionFormat {
  readonly contentType: string;
  readonly isProtobuf: boolean;
}

const escapings: ReadonlySet<string> = new Set(['allow-utf-8', 'underscores', 'dots', 'values']);
const protobufParameters = 'proto=io.prometheus.client.MetricFamily; encoding=delimited';

/**
 * The text format, unless a client would rather have protobuf. OpenMetrics is not among them: upstream does not offer it either, and a client
 * that asks for it takes the text. No name of a metric needs escaping, so that all escapings are the same.
 */
export function negotiateFormat(accept: string | undefined): ExpositionFormat {
  let escaping = 'underscores';
  for (const { type, parameters } of acceptedTypes(accept ?? '')) {
    const asked = parameters.get('escaping') ?? '';
    if (escapings.has(asked)) escaping = asked;
    if (type === 'application/vnd.google.protobuf' && isMetricFamily(parameters))
      return { contentType: `${type}; ${protobufParameters}; escaping=${escaping}`, isProtobuf: true };
    const version = parameters.get('version') ?? '';
    if (type === 'text/plain' && (version === '' || version === '0.0.4')) break;
  }
  return { contentType: `text/plain; version=0.0.4; charset=utf-8; escaping=${escaping}`, isProtobuf: false };
}

function isMetricFamily(parameters: ReadonlyMap<string, string>): boolean {
  return parameters.get('proto') === 'io.prometheus.client.MetricFamily' && parameters.get('encoding') === 'delimited';
}

interface AcceptedType {
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** The most wanted first. */
function acceptedTypes(accept: string): readonly AcceptedType[] {
  const clauses = accept.split(',', 32).map((clause) => {
    const [type = '', ...rest] = clause.split(';').map((part) => part.trim());
    const parameters = new Map(rest.map((part) => [part.slice(0, part.indexOf('=')).trim(), part.slice(part.indexOf('=') + 1).trim()]));
    const quality = Number(parameters.get('q') ?? '1');
    return { type, parameters, quality: Number.isNaN(quality) ? 1 : quality };
  });
  return clauses.toSorted((a, b) => b.quality - a.quality);
}

/** All metrics, in slices that let others through: thousands of series take their time. */
export async function renderMetrics(registry: MetricsRegistry, isProtobuf: boolean): Promise<Buffer> {
  const pace = new Pace();
  const parts: Buffer[] = [];
  for (const family of registry.collect()) {
    for (const portion of isProtobuf ? renderProtobuf(family, registry.since) : renderText(family)) {
      parts.push(Buffer.from(portion));
      if (pace.isDue) await pace.rest();
    }
  }
  return Buffer.concat(parts);
}

/** Renders for many at once: those that ask while a rendering is under way share the next one, so that none gets what is older than its request. */
export class SharedRendering {
  readonly #render: () => Promise<Buffer>;
  #running: Promise<Buffer> | undefined;
  #next: Promise<Buffer> | undefined;

  constructor(render: () => Promise<Buffer>) {
    this.#render = render;
  }

  get(): Promise<Buffer> {
    if (this.#running === undefined) return this.#run();
    const after = (): Promise<Buffer> => {
      this.#next = undefined;
      return this.#run();
    };
    return (this.#next ??= this.#running.then(after, after));
  }

  #run(): Promise<Buffer> {
    const running = this.#render().finally(() => {
      this.#running = undefined;
    });
    this.#running = running;
    return running;
  }
}
