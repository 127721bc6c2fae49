// Upstream: k8s.io/apiserver/pkg/server/routes/metrics.go, github.com/prometheus/client_golang/prometheus/promhttp/http.go
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { negotiateFormat, renderMetrics, SharedRendering } from '../../base/exposition/format.ts';
import type { MetricsRegistry } from '../../base/metrics.ts';
import type { PathMux } from '../http/path-mux.ts';
import type { Handler } from '../http/response.ts';
import { textResponse } from '../http/response.ts';

const compress = promisify(gzip);

export interface MetricsPages {
  /** `/metrics` */
  readonly metrics: MetricsRegistry;
  /** the same of all threads of the process; undefined: this is the only one */
  readonly ofProcess?: { metrics(): Promise<MetricsRegistry>; clear(): void };
  /** `/metrics/slis`: how the health checks fared */
  readonly slis: MetricsRegistry;
  /** milliseconds since 1970 */
  readonly startedAt: number;
  /** whether DELETE sets everything to nothing, as upstream offers with profiling */
  readonly canReset: boolean;
}

export function installMetrics(mux: PathMux, { metrics, ofProcess, slis, startedAt, canReset }: MetricsPages): void {
  const started = String(Math.floor(startedAt / 1000));
  const page = (registry: MetricsRegistry, whole?: MetricsPages['ofProcess']): Handler => {
    const render = async (isProtobuf: boolean): Promise<Buffer> => renderMetrics((await whole?.metrics()) ?? registry, isProtobuf);
    const text = new SharedRendering(() => render(false));
    const protobuf = new SharedRendering(() => render(true));
    return async (request) => {
      if (request.method === 'DELETE' && canReset) {
        registry.clear();
        whole?.clear();
        return textResponse(200, 'metrics reset\n');
      }
      const { contentType, isProtobuf } = negotiateFormat(request.header('accept'));
      const body = await (isProtobuf ? protobuf : text).get();
      const headers = { 'content-type': contentType, 'process-start-time-unix': started };
      if (!takesGzip(request.header('accept-encoding'))) return { status: 200, headers, body };
      return { status: 200, headers: { ...headers, 'content-encoding': 'gzip' }, body: await compress(body, { level: 1 }) };
    };
  };
  mux.handle('/metrics', page(metrics, ofProcess));
  mux.handle('/metrics/slis', page(slis));
}

function takesGzip(encodings: string | undefined): boolean {
  return (encodings ?? '').split(',', 32).some((clause) => {
    const [name = '', ...parameters] = clause.split(';').map((part) => part.trim());
    return name === 'gzip' && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
}
