/** The Kubernetes release whose wire this server speaks. */
export const kubernetesVersion = 'v1.37.1';

export function versionText(asked: string): string {
  if (asked === 'raw') {
    const [, major = '', minor = ''] = /^v(\d+)\.(\d+)/.exec(kubernetesVersion) ?? [];
    const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
    const fields = {
      Major: major,
      Minor: minor,
      GitVersion: kubernetesVersion,
      Platform: `${process.platform}/${architecture}`,
      Node: process.version,
    };
    return `version.Info{${Object.entries(fields)
      .map(([key, value]) => `${key}:"${value}"`)
      .join(', ')}}`;
  }
  return `Kubernetes ${kubernetesVersion}`;
}
