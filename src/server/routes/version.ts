// Upstream: k8s.io/apiserver/pkg/server/routes/version.go
import { serverResponseError } from '../../machinery/server-response-error.ts';
import type { Handler } from '../http/response.ts';
import { kubernetesVersion } from '../object/kubernetes-version.ts';
import { requireProduced } from '../http/produced.ts';
import type { PathMux } from '../http/path-mux.ts';

/** `/version`. The fields are those of upstream; what a Go build would say of itself, the runtime says. */
export function installVersion(
  mux: PathMux,
  { emulation, minCompatibility, reported }: { readonly emulation: number; readonly minCompatibility: number; readonly reported?: string },
): void {
  const { major, minor, patch } = kubernetesVersion;
  const info = {
    major: String(major),
    minor: String(minor),
    emulationMajor: String(major),
    emulationMinor: String(emulation),
    minCompatibilityMajor: String(major),
    minCompatibilityMinor: String(minCompatibility),
    gitVersion: reported ?? `v${major}.${minor}.${patch}`,
    gitCommit: '',
    gitTreeState: '',
    buildDate: '1970-01-01T00:00:00Z',
    goVersion: process.version,
    compiler: 'v8',
    platform: `${process.platform}/${process.arch === 'x64' ? 'amd64' : process.arch}`,
  };
  const body = Buffer.from(JSON.stringify(info, undefined, 2));
  const handler: Handler = (request) => {
    if (request.method !== 'GET') throw serverResponseError({ code: 405 });
    requireProduced(request, ['json'], false);
    return { status: 200, headers: { 'content-type': 'application/json' }, body };
  };
  mux.handle('/version', handler);
  mux.handleUnlisted('/version/', handler);
}
