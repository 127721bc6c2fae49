// Upstream: k8s.io/component-base/version/dynamic.go, k8s.io/apimachinery/pkg/util/version/version.go#ParseSemantic
import { goQuote } from '../../machinery/go-format.ts';
import { kubernetesVersion } from '../../server/object/kubernetes-version.ts';

const identifiers = '[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*';
const extra = new RegExp(`^(?:-${identifiers})?(?:\\+${identifiers})?\\s*$`);

/** A version to report instead of the own one: only what follows the three numbers may be another. Throws otherwise. */
export function reportedVersion(text: string): string {
  const { major, minor, patch } = kubernetesVersion;
  const numbers = /^v?(\d+(?:\.\d+)*)/.exec(text)?.[1];
  if (numbers === undefined) throw new Error(`could not parse ${goQuote(text)} as version`);
  const parts = numbers.split('.');
  if (parts.length !== 3) throw new Error(`illegal version string ${goQuote(text)}`);
  const padded = parts.find((part) => part !== '0' && part.startsWith('0'));
  if (padded !== undefined) throw new Error(`illegal zero-prefixed version component ${goQuote(padded)} in ${goQuote(text)}`);
  const rest = text.slice(text.indexOf(numbers) + numbers.length);
  if (!extra.test(rest)) throw new Error(`could not parse pre-release/metadata (${rest}) in version ${goQuote(text)}`);
  const own = `${major}.${minor}.${patch}`;
  if (numbers !== own) throw new Error(`version ${goQuote(text)} must match major/minor/patch of default version "v${own}"`);
  return text;
}
