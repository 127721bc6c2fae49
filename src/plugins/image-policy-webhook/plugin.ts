// Upstream: k8s.io/kubernetes/plugin/pkg/admission/imagepolicy/admission.go
import { RestClientMetrics } from '../../server/webhook/rest-client-metrics.ts';
import type { Clock } from '../../base/clock.ts';
import type { Pod } from '../../schema/types/core-v1.ts';
import type { ImageReviewSpec, ImageReviewStatus } from '../../schema/types/imagepolicy-v1alpha1.ts';
import { forbidBecause } from '../../server/admission/forbid.ts';
import { definePlugin } from '../../server/admission/plugin.ts';
import type { AttributesOf } from '../../server/admission/requests-for.ts';
import { requestsFor } from '../../server/admission/requests-for.ts';
import { loadKubeconfig } from '../../server/webhook/kubeconfig.ts';
import { ReviewClient } from '../../server/webhook/review-client.ts';
import type { ImagePolicy } from './configuration.ts';
import { readConfiguration } from './configuration.ts';

const auditPrefix = 'imagepolicywebhook.image-policy.k8s.io/';
const maxVerdicts = 1024;

type Verdict = Partial<ImageReviewStatus>;

/** A webhook decides which images pods may have. */
export const imagePolicyWebhook = definePlugin({
  name: 'ImagePolicyWebhook',
  enabledByDefault: false,
  create({ configuration, clock, log, metrics }) {
    const policy = readConfiguration(configuration);
    const client = new ReviewClient(
      {
        server: loadKubeconfig(policy.kubeConfigFile),
        apiVersion: 'imagepolicy.k8s.io/v1alpha1',
        kind: 'ImageReview',
        initialPauseMs: policy.retryBackoffMs,
        metrics: new RestClientMetrics(metrics),
      },
      clock,
    );
    const verdicts = new Verdicts(policy, clock);
    const verdictOn = async (spec: ImageReviewSpec): Promise<Verdict> => {
      const key = JSON.stringify(spec);
      const known = verdicts.get(key);
      if (known !== undefined) return known;
      const verdict = await client.review<ImageReviewStatus>(spec, { allowed: false });
      verdicts.add(key, verdict);
      return verdict;
    };
    return {
      handles: hasImages,
      async validate(attributes) {
        if (!hasImages(attributes)) return;
        let verdict: Verdict;
        try {
          verdict = await verdictOn(reviewOf(attributes));
        } catch (error) {
          log.warn('the image policy webhook could not be asked about a Pod', { err: error, defaultAllow: policy.defaultAllow });
          if (!policy.defaultAllow) throw forbidBecause(attributes, error);
          attributes.annotate(`${auditPrefix}failed-open`, 'true');
          return;
        }
        for (const [key, value] of Object.entries(verdict.auditAnnotations ?? {})) attributes.annotate(auditPrefix + key, value);
        if (verdict.allowed === true) return;
        const reason = verdict.reason
          ? `image policy webhook backend denied one or more images: ${verdict.reason}`
          : 'one or more images rejected by webhook backend';
        throw forbidBecause(attributes, new Error(reason));
      },
      [Symbol.dispose]: () => client[Symbol.dispose](),
    };
  },
});

const hasImages = requestsFor<Pod>('', 'pods', '', 'ephemeralcontainers').on(['CREATE', 'UPDATE']);

function reviewOf({ object, namespace, subresource }: AttributesOf<Pod, 'CREATE' | 'UPDATE'>): ImageReviewSpec {
  const { metadata, spec } = object;
  const containers = subresource === '' ? [...(spec.containers ?? []), ...(spec.initContainers ?? [])] : (spec.ephemeralContainers ?? []);
  const annotations = Object.entries(metadata.annotations ?? {}).filter(([key]) => key.includes('.image-policy.k8s.io/'));
  return {
    ...(containers.length > 0 && { containers: containers.map(({ image }) => (image ? { image } : {})) }),
    ...(annotations.length > 0 && { annotations: Object.fromEntries(annotations.toSorted()) }),
    ...(namespace !== '' && { namespace }),
  };
}

/** The latest verdicts, for as long as the configuration says. */
class Verdicts {
  readonly #policy: ImagePolicy;
  readonly #clock: Clock;
  readonly #known = new Map<string, { readonly verdict: Verdict; readonly expires: number }>();

  constructor(policy: ImagePolicy, clock: Clock) {
    this.#policy = policy;
    this.#clock = clock;
  }

  get(key: string): Verdict | undefined {
    const known = this.#known.get(key);
    return known !== undefined && known.expires > this.#clock.now() ? known.verdict : undefined;
  }

  add(key: string, verdict: Verdict): void {
    const { allowTtlMs, denyTtlMs } = this.#policy;
    this.#known.delete(key);
    if (this.#known.size >= maxVerdicts) this.#known.delete(this.#known.keys().next().value as string);
    this.#known.set(key, { verdict, expires: this.#clock.now() + (verdict.allowed === true ? allowTtlMs : denyTtlMs) });
  }
}
