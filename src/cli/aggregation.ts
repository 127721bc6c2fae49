import { readFileSync } from 'node:fs';
import type { AggregationOptions } from '../controlplane/control-plane.ts';
import type { CompletedOptions } from './complete-options.ts';

/** How this server shows itself to the servers behind APIServices, and finds them. */
export function aggregation({ flags }: CompletedOptions): AggregationOptions {
  const [certificate, key] = [flags['proxy-client-cert-file'], flags['proxy-client-key-file']];
  const isComplete = certificate !== '' && key !== '';
  return {
    client: isComplete ? { certificate: readFileSync(certificate, 'utf8'), key: readFileSync(key, 'utf8') } : undefined,
    endpointRouting: flags['enable-aggregator-routing'],
    rejectRedirects: flags['aggregator-reject-forwarding-redirect'],
  };
}
