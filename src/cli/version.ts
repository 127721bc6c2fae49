import { kubernetesVersion } from '../server/object/kubernetes-version.ts';

/** Wheelhouse's own, as package.json has it. */
export const wheelhouseVersion = '0.1.0';

export function versionText(asked: string): string {
  const { major, minor, patch } = kubernetesVersion;
  const release = `v${major}.${minor}.${patch}`;
  if (asked === 'raw') {
    const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
    const fields = {
      Major: major,
      Minor: minor,
      GitVersion: release,
      Platform: `${process.platform}/${architecture}`,
      Wheelhouse: wheelhouseVersion,
      Node: process.version,
    };
    return `version.Info{${Object.entries(fields)
      .map(([key, value]) => `${key}:"${value}"`)
      .join(', ')}}`;
  }
  // One line, as scripts take it apart; `wheelhouse --version` tells both.
  return `Kubernetes ${release}`;
}
