// Upstream: k8s.io/apiserver/pkg/server/dynamiccertificates/dynamic_serving_content.go, k8s.io/client-go/transport/cert_rotation.go
import { createSecureContext } from 'node:tls';
import type { FollowedTexts } from '../base/followed-text.ts';
import type { ClientCertificate } from '../base/https/streaming-client.ts';
import type { TextSource } from '../base/text-source.ts';
import { readAuthorities } from '../server/access/authn/peer-certificate.ts';
import type { KeyPairSource } from './serving.ts';

/** The pair as its files have it now. Until both fit, the one before stays. */
export function followedPair(pair: KeyPairSource | undefined, texts: FollowedTexts): () => ClientCertificate | undefined {
  if (pair === undefined) return () => undefined;
  const load = (): ClientCertificate => {
    const loaded = { certificate: texts.read(pair.certificate, changed), key: texts.read(pair.key, changed) };
    createSecureContext({ cert: loaded.certificate, key: loaded.key });
    return loaded;
  };
  const changed = (): void => void (current = load());
  let current = load();
  return () => current;
}

/** Authorities as their file has them now. While it has none, those before stay. */
export function followedAuthorities(source: TextSource, texts: FollowedTexts): () => string {
  const changed = (): void => {
    const next = texts.read(source);
    readAuthorities(next);
    current = next;
  };
  let current = texts.read(source, changed);
  return () => current;
}
