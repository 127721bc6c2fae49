// Upstream: k8s.io/kubernetes/plugin/pkg/admission/imagepolicy/config.go
import { formatDuration } from '../../machinery/duration.ts';

export interface ImagePolicy {
  readonly kubeConfigFile: string;
  /** what is admitted while the webhook cannot be asked */
  readonly defaultAllow: boolean;
  readonly retryBackoffMs: number;
  /** how long a verdict is remembered; 0: not at all */
  readonly allowTtlMs: number;
  readonly denyTtlMs: number;
}

interface Range {
  /** milliseconds of one, as the file counts */
  readonly unit: number;
  readonly min: number;
  readonly max: number;
  readonly default: number;
}

const minute = 60_000;
const backoffRange: Range = { unit: 1, min: 1e-6, max: 5 * minute, default: 500 };
const allowRange: Range = { unit: 1000, min: 1000, max: 30 * minute, default: 5 * minute };
const denyRange: Range = { unit: 1000, min: 1000, max: 30 * minute, default: 30_000 };

/** Throws when there is none, or one of its times is out of range. */
export function readConfiguration(configuration: unknown): ImagePolicy {
  if (configuration === undefined) throw new Error('no config specified');
  const { imagePolicy = {} } = Object(configuration) as { imagePolicy?: Readonly<Record<string, unknown>> };
  const time = (field: string, range: Range): number => milliseconds(Number(imagePolicy[field] ?? 0), range);
  return {
    kubeConfigFile: typeof imagePolicy['kubeConfigFile'] === 'string' ? imagePolicy['kubeConfigFile'] : '',
    defaultAllow: imagePolicy['defaultAllow'] === true,
    retryBackoffMs: time('retryBackoff', backoffRange),
    allowTtlMs: time('allowTTL', allowRange),
    denyTtlMs: time('denyTTL', denyRange),
  };
}

/** 0 stands for the default and -1 for never. */
function milliseconds(value: number, range: Range): number {
  if (value === -1) return 0;
  if (value === 0) return range.default;
  const scaled = value * range.unit;
  if (scaled >= range.min && scaled <= range.max) return scaled;
  const [min, max, given] = [range.min, range.max, scaled].map((ms) => formatDuration(BigInt(Math.round(ms * 1e6))));
  throw new Error(`valid value is between ${min} and ${max}, got ${given}`);
}
