// Upstream: k8s.io/kubernetes/plugin/pkg/admission/eventratelimit/{admission,limitenforcer}.go
import { ApiError, failure } from '../../machinery/errors.ts';
import { aggregateMessages } from '../../machinery/field.ts';
import type { Event } from '../../schema/types/core-v1.ts';
import type { AttributesOf } from '../../server/admission/requests-for.ts';
import { definePlugin } from '../../server/admission/plugin.ts';
import { admitting, requestsFor } from '../../server/admission/requests-for.ts';
import type { Limit } from './configuration.ts';
import { readConfiguration } from './configuration.ts';
import { TokenBuckets } from './token-buckets.ts';

const events = requestsFor<Event>('', 'events');
const defaultKeys = 4096;

const keyOf: Readonly<Record<Limit['type'], (attributes: AttributesOf<Event, 'CREATE' | 'UPDATE'>) => string>> = {
  Server: () => '',
  Namespace: ({ namespace }) => namespace,
  User: ({ user }) => user.name,
  SourceAndObject({ object }) {
    const { source, involvedObject: about } = object;
    return [source?.component, source?.host, about?.kind, about?.namespace, about?.name, about?.uid, about?.apiVersion].join('');
  },
};

/** Only so many events per second are stored, in all or per namespace, user or object. */
export const eventRateLimit = definePlugin({
  name: 'EventRateLimit',
  enabledByDefault: false,
  create({ configuration, clock }) {
    const limits = readConfiguration(configuration).map(({ type, qps, burst, cacheSize }) => ({
      type,
      buckets: new TokenBuckets({ perSecond: qps, burst, keys: cacheSize || defaultKeys, clock }),
    }));
    return admitting(
      events.on(['CREATE', 'UPDATE'], ({ dryRun }) => !dryRun),
      {
        validate(attributes) {
          // All limits are asked, whatever the first ones say: each counts for itself.
          const reached = limits.flatMap(({ type, buckets }) => {
            const key = keyOf[type](attributes);
            return buckets.take(key) ? [] : [`limit reached on type ${type} for key ${key}`];
          });
          if (reached.length === 0) return;
          throw new ApiError(failure(429, 'TooManyRequests', `Too many requests: ${aggregateMessages(reached)}`));
        },
      },
    );
  },
});
