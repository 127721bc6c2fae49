import type { MetricsRegistry } from '../base/metrics.ts';
import { availabilityFamilies } from '../aggregator/availability-metrics.ts';
import { peerDiscoveryFamilies, peerFamilies } from '../aggregator/peers/peer-metrics.ts';
import { workQueueFamilies } from '../base/work-queue-metrics.ts';
import { conversionFamilies } from '../apiextensions/conversion/conversion-metrics.ts';
import { celMetrics } from '../apiextensions/serving/cel-metrics.ts';
import { certificateExpiration } from '../server/access/authn/certificate-expiration.ts';
import { tokenMetrics } from '../server/access/authn/service-account/token-metrics.ts';
import { tokenCacheFamilies } from '../server/access/authn/token-cache-metrics.ts';
import { webhookAuthorizerFamilies } from '../server/access/authz/webhook/webhook-metrics.ts';
import { signerMetrics } from '../server/access/authn/service-account/external-signer-metrics.ts';
import { jwtFamilies } from '../server/access/authn/jwt/jwt-metrics.ts';
import { podStreamFamilies } from '../apis/core/pod/stream-metrics.ts';
import { shardFamilies } from '../server/endpoints/sharded-watch.ts';
import { egressFamilies } from './egress-metrics.ts';
import { reloadedConfigurations, reloadFamilies } from '../base/reload-metrics.ts';
import { restClientFamilies } from '../server/webhook/rest-client-metrics.ts';
import { leaderElectionFamilies } from './leader-election/leader-election-metrics.ts';
import { nodePortRepairFamilies } from './bootstrap/service-repair.ts';
import { decisionFamily } from '../server/access/authz/decision-metrics.ts';
import { admissionFamilies } from '../server/admission/admission-families.ts';
import { registerValidationMetrics } from '../server/registry/validation-metrics.ts';
import { certificateMetrics } from '../server/webhook/certificate-metrics.ts';
import { cacheFamilies } from '../storage/cache/cache-metrics.ts';
import { encryptionFamilies } from '../storage/encryption/metrics/encryption-metrics.ts';
import { storageRequestMetrics, storedMetrics } from '../storage/storage-metrics.ts';
import { embeddedStoreMetrics } from './embedded-metrics.ts';

/** Metrics of parts that a server has by its configuration, or makes when they are first used: they exist from the start, as upstream's do. */
export function registerParts(registry: MetricsRegistry): void {
  admissionFamilies(registry);
  availabilityFamilies(registry);
  registry.of(cacheFamilies);
  celMetrics(registry);
  conversionFamilies(registry);
  decisionFamily(registry);
  certificateExpiration(registry);
  certificateMetrics(registry, 'webhooks');
  certificateMetrics(registry, 'kube_aggregator');
  for (const configuration of reloadedConfigurations) reloadFamilies(registry, configuration);
  egressFamilies(registry);
  encryptionFamilies(registry);
  peerFamilies(registry);
  signerMetrics(registry);
  jwtFamilies(registry);
  leaderElectionFamilies(registry);
  nodePortRepairFamilies(registry);
  registerValidationMetrics(registry);
  restClientFamilies(registry);
  shardFamilies(registry);
  podStreamFamilies(registry);
  registry.of(storageRequestMetrics);
  storedMetrics(registry);
  tokenCacheFamilies(registry);
  tokenMetrics(registry);
  webhookAuthorizerFamilies(registry);
  workQueueFamilies(registry);
}

/** All of them, for the page that lists them. */
export function registerEverything(registry: MetricsRegistry): void {
  registerParts(registry);
  embeddedStoreMetrics(registry);
  peerDiscoveryFamilies(registry);
}
