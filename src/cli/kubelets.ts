import { readFileSync } from 'node:fs';
import type { KubeletOptions } from '../apis/common/kubelet.ts';
import type { CompletedOptions } from './complete-options.ts';

/** How this server shows itself to kubelets, finds and trusts them. */
export function kubelets({ flags }: CompletedOptions): KubeletOptions {
  const [authority, certificate, key] = [
    flags['kubelet-certificate-authority'],
    flags['kubelet-client-certificate'],
    flags['kubelet-client-key'],
  ];
  const isComplete = certificate !== '' && key !== '';
  return {
    authorities: authority === '' ? undefined : readFileSync(authority, 'utf8'),
    client: isComplete ? { certificate: readFileSync(certificate, 'utf8'), key: readFileSync(key, 'utf8') } : undefined,
    addressTypes: flags['kubelet-preferred-address-types'],
    port: flags['kubelet-port'],
  };
}
